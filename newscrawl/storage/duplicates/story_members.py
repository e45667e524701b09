"""Joins articles of nearly the same words into stories, and stores the stories.

`newscrawl.identity.stories.decide` decides from texts alone what belongs together. `newscrawl.identity.story_updates`
chooses which texts are decided again. This module reads their input and writes their results. Each article of a story
resembles the story's representative. The number of a story, by which other tables and consumers know it, is the
smallest article id in it. docs/explanation/near-duplicates.md has the rules and their limits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, select

from newscrawl.failpoints import MID_TRANSACTION, hit
from newscrawl.identity.stories import StoryPlace
from newscrawl.identity.story_updates import COMPARED, StoryUpdates
from newscrawl.model import Signature
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.duplicates import (
    containment_links,
    decision_rows,
    first_pages,
    lsh_index,
    pending,
    story_numbers,
)
from newscrawl.storage.duplicates.story_reader import DatabaseTextStore, NewText
from newscrawl.storage.feed import changes
from newscrawl.storage.tables.duplicates import cluster_members, rejected_members

AT_ONCE: Final = 20
"""Stored texts that a batch decides again itself when new texts were fetched before them. This is common, because
fetches end in another order than they begin. Upkeep decides the others; otherwise the ingest of an archive from newest
to oldest would make each batch longer."""
STEP: Final = 200
"""Texts that one transaction of upkeep decides again, or one that removes texts."""


@dataclass(frozen=True, slots=True)
class NewArticle:
    """An article that this batch stores."""

    article_id: int
    text: str
    signature: Signature | None
    fetched_at: datetime
    content_hash: str

    @property
    def place(self) -> StoryPlace:
        """Its place in the order of decisions."""
        return StoryPlace(self.fetched_at, self.content_hash, self.article_id)


@dataclass(frozen=True, slots=True)
class Membership:
    """An article's story, and its similarity to the representative of the story."""

    article_id: int
    cluster_id: int
    representative_id: int
    kind: str
    resemblance: float
    containment: float


_OF_MEMBERSHIP: Final = tuple(cluster_members.c[name] for name in Membership.__dataclass_fields__)


def link(connection: Connection, new: Sequence[NewArticle]) -> frozenset[int]:
    """Decides the stories of new articles, and of stored articles whose stories change as a result. Returns the ids of
    the new articles that resemble no other.

    Stored articles whose stories change are announced in the change feed (`merge`), which has a change of the new
    articles anyway.
    """
    if not new:
        return frozenset()
    ordered = sorted(new, key=lambda article: article.article_id)
    signed = {article.article_id: article.signature for article in ordered if article.signature is not None}
    places = {article.article_id: article.place for article in new}
    articles_of = lsh_index.find(connection, lsh_index.values_of(signed))
    records = lsh_index.NewRecords.of(signed, places, articles_of)
    shared = _both_ways(records.shared)
    with_neighbours = [number for number, counts in shared.items() if counts]
    alone = frozenset(article.article_id for article in new).difference(with_neighbours)
    if not with_neighbours:
        records.write(connection)
        return alone
    fresh = {number: NewText(places[number], signature.shingles) for number, signature in signed.items()}
    texts = DatabaseTextStore(connection, {article.article_id: article.text for article in new}, shared, fresh)
    updates = StoryUpdates(texts)
    _prepare(updates, texts, with_neighbours, lambda: records.write(connection))
    left = updates.decide_all(with_neighbours, (), AT_ONCE)
    now = max(article.fetched_at for article in new)
    decision_rows.write(connection, updates, texts, now, left, new=signed.keys())
    return alone


def decide_again(connection: Connection, now: datetime, limit: int) -> int:
    """Decides at most `limit` marked texts again, those seen first before others, and texts that depend on them.

    Returns how many were decided, 0 when none is left.
    """
    numbers = pending.earliest(connection, limit)
    with changes.gathered(connection) as appended:
        result = _decide_marked(connection, numbers, story_numbers.StoriesBefore(connection), now, limit)
        first_pages.choose_changed(connection, appended, numbers, now)
    hit(MID_TRANSACTION)
    pending.unmark(connection, set(numbers) - set(result.left))  # also texts that were removed meanwhile
    return result.count or len(numbers)


def forget(connection: Connection, article_ids: Iterable[int], now: datetime) -> None:
    """Removes the articles from the near-duplicate tables and decides again the texts that depended on them.

    It decides `STEP` texts; upkeep decides the others. Articles whose stories change are announced in the change feed
    (`merge`).
    """
    numbers = sorted(set(article_ids))
    dependent = pending.dependent_on(connection, numbers)
    before = story_numbers.StoriesBefore(connection)
    before.forget(numbers)
    lsh_index.refill(connection, lsh_index.forget(connection, numbers), dependent)
    containment_links.forget(connection, numbers)
    pending.unmark(connection, numbers)
    for chunk in chunks(numbers):
        for column in (
            rejected_members.c.article_id,
            rejected_members.c.representative_id,
            cluster_members.c.article_id,
        ):
            connection.execute(delete(column.table).where(column.in_(chunk)))
    if dependent:
        _decide_marked(connection, dependent, before, now, STEP)


def by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, Membership]:
    """Returns the memberships of the articles that have near-duplicates, by article id."""
    memberships = {}
    for chunk in chunks(sorted(set(article_ids))):
        for row in connection.execute(select(*_OF_MEMBERSHIP).where(cluster_members.c.article_id.in_(chunk))):
            memberships[row.article_id] = Membership(*row)
    return memberships


def members(connection: Connection, cluster_id: int) -> list[Membership]:
    """Returns the members of a story in the order of their ids; empty when the article has no near-duplicates."""
    query = select(*_OF_MEMBERSHIP).where(cluster_members.c.cluster_id == cluster_id)
    return [Membership(*row) for row in connection.execute(query.order_by(cluster_members.c.article_id))]


@dataclass(frozen=True, slots=True)
class _Decided:
    count: int
    left: Collection[int]


def _decide_marked(
    connection: Connection, numbers: Collection[int], before: story_numbers.StoriesBefore, now: datetime, limit: int
) -> _Decided:
    texts = DatabaseTextStore(connection)
    updates = StoryUpdates(texts)
    _prepare(updates, texts, numbers)
    left = updates.decide_all((), numbers, limit)
    decision_rows.write(connection, updates, texts, now, left, before=before)
    return _Decided(len(updates.decided), left)


def _both_ways(shared: Mapping[int, Counter[int]]) -> dict[int, Counter[int]]:
    """Returns the counts with the other direction added: a new text also has the texts of the batch that found it."""
    both = {number: Counter(counts) for number, counts in shared.items()}
    for number, counts in shared.items():
        for other, count in counts.items():
            if other in both:
                both[other][number] = count
    return both


def _prepare(
    updates: StoryUpdates,
    texts: DatabaseTextStore,
    numbers: Collection[int],
    write: Callable[[], None] | None = None,
) -> None:
    """Reads in a few queries what the decisions will need. `write` writes the rows of new texts, before neighbours of
    stored ones are looked up."""
    texts.expect(numbers)
    near = {other for number in numbers for other in texts.neighbours(number)}
    updates.look_up({*numbers, *near})
    stories = updates.representatives({*numbers, *near})
    updates.look_up(stories)
    texts.expect_stories(stories)
    updates.look_up(other for story in stories for other in texts.first_others(story))
    known = {number for number in numbers if updates.knows(number)}
    if len(stories) > COMPARED:  # not all of them are compared with each text
        stories = {candidate.representative for number in known for candidate in updates.candidates(number)}
    later = _later_neighbours(updates, texts, known)
    texts.expect(later, write)
    updates.look_up({other for number in later for other in texts.neighbours(number)})
    texts.expect_texts(known | {story for story in stories if updates.knows(story)} | later)


def _later_neighbours(updates: StoryUpdates, texts: DatabaseTextStore, numbers: Collection[int]) -> set[int]:
    """Returns the neighbours that come after one of the texts in the order of decisions, and so are decided again: the
    first `AT_ONCE` of them."""
    later = {
        other
        for number in numbers
        for other in texts.neighbours(number)
        if other not in numbers and updates.knows(other) and updates.place(number) < updates.place(other)
    }
    return set(sorted(later, key=updates.place)[:AT_ONCE])
