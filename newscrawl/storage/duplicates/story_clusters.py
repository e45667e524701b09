"""Articles of nearly the same words, joined into stories.

`newscrawl.identity.stories.decide` says what belongs together, from texts alone. `newscrawl.identity.stars` says which
texts are decided again. Here is what they read and write. A story is a star: each article of it is tied to its
representative. Its number, which other tables and consumers know it by, is the smallest id of an article in it.
docs/explanation/near-duplicates.md has the rules and their limits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, select, update

from newscrawl.failpoints import MID_TRANSACTION, hit
from newscrawl.identity.stars import COMPARED, Stars
from newscrawl.identity.stories import StoryDecision, StoryPlace
from newscrawl.model import Signature
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.duplicates import containment_links, first_pages, lsh_index, pending, story_numbers
from newscrawl.storage.duplicates.story_reader import Fresh, StoredShelf
from newscrawl.storage.engine.upsert import insert, upsert
from newscrawl.storage.feed import changes
from newscrawl.storage.tables.duplicates import cluster_members, rejected_members

AT_ONCE: Final = 20
"""Stored texts that a batch decides again itself, when new ones come in before them: fetches end in another order than
they begin. More are left to upkeep, or an archive that is ingested backwards would make each batch longer."""
STEP: Final = 200
"""Texts decided again by one transaction of upkeep, or by one that removes texts."""


@dataclass(frozen=True, slots=True)
class New:
    """An article that this batch stores, and when it was fetched."""

    article_id: int
    text: str
    signature: Signature | None
    fetched_at: datetime
    content_hash: str

    @property
    def place(self) -> StoryPlace:
        """Where it stands in the order of decisions."""
        return StoryPlace(self.fetched_at, self.content_hash, self.article_id)


@dataclass(frozen=True, slots=True)
class Membership:
    """An article's story, and its tie to the story's representative."""

    article_id: int
    cluster_id: int
    representative_id: int
    kind: str
    resemblance: float
    containment: float


_OF_MEMBERSHIP: Final = tuple(cluster_members.c[name] for name in Membership.__dataclass_fields__)


def link(connection: Connection, new: Sequence[New], *, told: bool = True) -> None:
    """Decides the stories of new articles, and of stored ones where that changes them; in the batch's transaction.

    Stored articles whose stories change are told to the change feed (`merge`); `told` says that the feed learns of the
    new ones anyway.
    """
    new = sorted(new, key=lambda one: one.article_id)
    places = {one.article_id: one.place for one in new}
    signed = {one.article_id: one.signature for one in new if one.signature is not None}
    shared = _both_ways(lsh_index.record(connection, signed, places))
    met = [number for number, counts in shared.items() if counts]
    if not met:
        return
    fresh = {number: Fresh(places[number], one.shingles) for number, one in signed.items()}
    shelf = StoredShelf(connection, {one.article_id: one.text for one in new}, shared, fresh)
    stars = Stars(shelf)
    _prepare(stars, shelf, met)
    left = stars.settle(met, (), AT_ONCE)
    pending.mark(connection, left)
    now = max(one.fetched_at for one in new)
    _write(connection, stars, shelf, now, new=signed.keys(), told=signed.keys() if told else frozenset())


def decide_again(connection: Connection, now: datetime, limit: int) -> int:
    """Decides at most `limit` of the texts whose stories are to be decided again, those seen first, and of those that
    depend on them; returns how many, 0 when none is left."""
    numbers, seq = pending.earliest(connection, limit), changes.newest(connection)
    settled = _settle(connection, numbers, story_numbers.StoriesBefore(connection), now, limit)
    first_pages.choose_changed(connection, seq, numbers, now)
    hit(MID_TRANSACTION)
    pending.unmark(connection, set(numbers) - set(settled.left))  # those that are gone, too
    return settled.count or len(numbers)


def forget(connection: Connection, article_ids: Iterable[int], now: datetime) -> None:
    """Removes all that near-duplicates know of the articles, and decides again what depended on them: `STEP` texts now,
    more by upkeep. Articles whose stories change are told to the change feed (`merge`)."""
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
        _settle(connection, dependent, before, now, STEP)


def of_articles(connection: Connection, article_ids: Iterable[int]) -> dict[int, Membership]:
    """The memberships of those of the articles that have near-duplicates."""
    found = {}
    for chunk in chunks(sorted(set(article_ids))):
        for row in connection.execute(select(*_OF_MEMBERSHIP).where(cluster_members.c.article_id.in_(chunk))):
            found[row.article_id] = Membership(*row)
    return found


def of_cluster(connection: Connection, cluster_id: int) -> list[Membership]:
    """The members of a story, by article id; empty when the article has no near-duplicates."""
    query = select(*_OF_MEMBERSHIP).where(cluster_members.c.cluster_id == cluster_id)
    return [Membership(*row) for row in connection.execute(query.order_by(cluster_members.c.article_id))]


@dataclass(frozen=True, slots=True)
class _Settled:
    count: int
    left: Collection[int]


def _settle(
    connection: Connection, numbers: Collection[int], before: story_numbers.StoriesBefore, now: datetime, limit: int
) -> _Settled:
    shelf = StoredShelf(connection)
    stars = Stars(shelf)
    _prepare(stars, shelf, numbers)
    left = stars.settle((), numbers, limit)
    pending.mark(connection, left)
    _write(connection, stars, shelf, now, before=before)
    return _Settled(len(stars.decided), left)


def _both_ways(shared: Mapping[int, Counter[int]]) -> dict[int, Counter[int]]:
    """The counts with those of each new text that another of the same batch found."""
    found = {number: Counter(counts) for number, counts in shared.items()}
    for number, counts in shared.items():
        for other, count in counts.items():
            if other in found:
                found[other][number] = count
    return found


def _prepare(stars: Stars, shelf: StoredShelf, numbers: Collection[int]) -> None:
    """Reads what the decisions will need in a few queries."""
    shelf.expect(numbers)
    near = {other for number in numbers for other in shelf.neighbours(number)}
    stars.look_up({*numbers, *near})
    stories = stars.representatives({*numbers, *near})
    stars.look_up(stories)
    shelf.expect_stories(stories)
    stars.look_up(other for story in stories for other in shelf.first_others(story))
    known = {number for number in numbers if stars.knows(number)}
    if len(stories) > COMPARED:  # not all of them are compared with each text
        stories = {star.representative for number in known for star in stars.stars(number)}
    shelf.expect_texts(known | {story for story in stories if stars.knows(story)})


def _write(
    connection: Connection,
    stars: Stars,
    shelf: StoredShelf,
    now: datetime,
    *,
    new: Collection[int] = (),
    told: Collection[int] = (),
    before: story_numbers.StoriesBefore | None = None,
) -> None:
    """Writes the decisions."""
    decided = stars.decided
    again = decided.keys() - set(new)
    before = before or story_numbers.StoriesBefore(connection)
    moved = stars.moved()
    grown: dict[int, list[int]] = defaultdict(list)
    changed: set[int] = set()
    for number, was in moved.items():
        joined = decided[number].representative
        if joined is not None and number in told:
            grown[joined].append(number)
        elif joined is not None or number not in new:
            changed.update(one for one in (was, number if joined is None else joined) if one is not None)
    # A story that new articles join keeps its number, unless one of them has a smaller one.
    changed.update(star for star, joined in grown.items() if min(joined) < shelf.numbers.get(star, star))
    before.note_stories(changed)
    containment_links.write(connection, {number: one.links for number, one in decided.items()}, again, new)
    _write_refusals(connection, decided, again)
    _write_members(connection, stars, shelf, {number for number in decided if number in moved or number in again})
    pending.unmark(connection, again)
    before.tell(now, told)


def _write_refusals(connection: Connection, decided: Mapping[int, StoryDecision], again: Collection[int]) -> None:
    for chunk in chunks(sorted(again)):
        connection.execute(delete(rejected_members).where(rejected_members.c.article_id.in_(chunk)))
    rows = [
        {"article_id": number, "representative_id": story}
        for number, decision in decided.items()
        for story in decision.refused
    ]
    if rows:
        connection.execute(insert(connection, rejected_members).on_conflict_do_nothing(), rows)


def _write_members(connection: Connection, stars: Stars, shelf: StoredShelf, numbers: Collection[int]) -> None:
    """Writes the rows of the texts, and those of representatives that had none; numbers of stories come after."""
    rows: list[dict[str, object]] = []
    alone: list[int] = []
    needed: set[int] = set()
    for number in sorted(numbers):
        decision = stars.decided[number]
        if decision.representative is None or decision.tie is None:
            if number in shelf.numbers:
                alone.append(number)
        else:
            needed.add(decision.representative)
            found = decision.tie
            rows.append(
                _row(stars, shelf, number, decision.representative, found.kind, found.resemblance, found.containment)
            )
    upsert(connection, cluster_members, ["article_id"], rows)
    for chunk in chunks(alone):
        own = update(cluster_members).where(cluster_members.c.article_id.in_(chunk))
        itself = {"representative_id": cluster_members.c.article_id, "kind": "same"}
        connection.execute(own.values(resemblance=1.0, containment=1.0, **itself))
    first = [_row(stars, shelf, number, number, "same", 1.0, 1.0) for number in sorted(needed - shelf.numbers.keys())]
    if first:
        connection.execute(insert(connection, cluster_members).on_conflict_do_nothing(), first)


def _row(
    stars: Stars, shelf: StoredShelf, number: int, story: int, kind: str, resemblance: float, containment: float
) -> dict[str, object]:
    place = stars.place(number)
    return {
        "article_id": number,
        "cluster_id": shelf.numbers.get(story, story) if number not in shelf.numbers else shelf.numbers[number],
        "representative_id": story,
        "first_seen": place.first_seen,
        "content_hash": place.content_hash,
        "kind": kind,
        "resemblance": resemblance,
        "containment": containment,
    }
