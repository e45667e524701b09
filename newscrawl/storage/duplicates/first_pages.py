"""Chooses which page of a story is shown first (`newscrawl.identity.first_page`) and stores it.

The choice is made again in the transaction that changes a story's pages or their claims. When a site's declaration
changes, upkeep makes it again. A story with one page has no row.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, FromClause, ScalarSelect, Select, and_, delete, exists, func, or_, select

from newscrawl.identity.first_page import PageOrder, StoryPage, choose
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.feed import article_stories, changes
from newscrawl.storage.tables.articles import pages, urls, versions
from newscrawl.storage.tables.duplicates import cluster_members, pending_first_pages, story_first_pages
from newscrawl.storage.tables.frontier import sites
from newscrawl.times import local_time


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page of a story, with the metadata that it states for the text that it shows."""

    candidate: StoryPage
    title: str | None
    authors: Sequence[str]
    published: datetime | None
    published_offset: int | None = None

    @property
    def at(self) -> datetime:
        """When the page says that it was published, or else when it first showed a text of the story."""
        return self.published or self.candidate.since

    @property
    def local_at(self) -> datetime:
        """The same by the time that readers saw (newscrawl.times.local_time)."""
        return local_time(self.published, self.published_offset) if self.published else self.candidate.since


@dataclass(frozen=True, slots=True)
class StoryPages:
    """The pages of a story in the order in which they are shown."""

    number: int
    front: PageOrder
    pages: Sequence[ShownPage]


def numbers_of(connection: Connection, article_ids: Iterable[int]) -> dict[int, int]:
    """Returns the number of each article's story, by article id."""
    story_of = {number: number for number in article_ids}
    for chunk in chunks(sorted(story_of)):
        query = select(cluster_members.c.article_id, cluster_members.c.cluster_id)
        for row in connection.execute(query.where(cluster_members.c.article_id.in_(chunk))):
            story_of[row.article_id] = row.cluster_id
    return story_of


def pages_by_story(
    connection: Connection, numbers: Iterable[int], members: Mapping[int, int] | None = None
) -> dict[int, StoryPages]:
    """Returns the pages of the stories, by story number. Stories whose pages are all gone are left out. `members` are
    the articles of stories with several, each with its story, if the caller has them."""
    shown_pages: dict[int, list[ShownPage]] = defaultdict(list)
    for chunk in chunks(sorted(set(numbers))):
        stories = _articles(connection, chunk) if members is None else _among(members, chunk)
        for row in _rows(connection, stories):
            number = stories[row.article_id]
            story_page = candidate(row, row.since)
            authors = tuple(row.authors or ())
            shown = ShownPage(story_page, row.title, authors, row.published, row.published_offset)
            shown_pages[number].append(shown)
    return {number: _ordered(number, shown) for number, shown in shown_pages.items()}


def _among(members: Mapping[int, int], numbers: Collection[int]) -> dict[int, int]:
    wanted = set(numbers)
    of_wanted = {number: story for number, story in members.items() if story in wanted}
    return {number: number for number in wanted} | of_wanted


def choose_again(
    connection: Connection,
    article_ids: Iterable[int],
    now: datetime,
    known: Collection[int] = (),
    asked: article_stories.StoredStories | None = None,
) -> None:
    """Chooses the first pages of the articles' stories again and stores them.

    Where the choice changes, an `upsert` of the article that is now shown is appended to the change feed. Articles in
    `known` get none, because the feed has a change of them anyway.

    Articles that several pages show and that do not represent their story get one, too, if they were given or had the
    former first page: which of their pages represents them is not stored. `asked` is what the caller has asked for
    already.
    """
    wanted = frozenset(article_ids)
    choices = asked.choices_for(wanted) if asked is not None else None
    numbers, on_several, members, stored = choices or article_stories.choices(connection, wanted)
    # Most stories have one page and need no choice.
    several = {number for article, number in numbers.items() if number != article or article in on_several}
    several |= set(members.values()) & set(numbers.values())
    rows: list[dict[str, Any]] = []
    to_announce: list[int] = []
    for number, story in pages_by_story(connection, several | (stored.keys() & set(numbers.values())), members).items():
        first = story.front.first
        if len(story.pages) > 1:
            row = {"cluster_id": number, "article_id": first.article, "page_id": first.page, "rule": story.front.rule}
            rows.append(row)
            before = stored.get(number)
            if before is not None and (before.article_id, before.page_id) != (first.article, first.page):
                to_announce += [first.article, *_on_pages(story, {before.article_id} - {first.article})]
            to_announce += _on_pages(story, numbers.keys() - {first.article})
    for chunk in chunks(sorted(stored.keys() - {row["cluster_id"] for row in rows})):
        connection.execute(delete(story_first_pages).where(story_first_pages.c.cluster_id.in_(chunk)))
    upsert(
        connection,
        story_first_pages,
        ["cluster_id"],
        [row for row in rows if _differs(stored.get(row["cluster_id"]), row)],
    )
    shown = sorted(changes.still_shown(connection, set(to_announce).difference(known)))
    changes.append(connection, shown, now, "metadata")


def choose_changed(
    connection: Connection,
    appended: changes.Appended,
    more: Iterable[int],
    now: datetime,
    alone: Collection[int] = frozenset(),
    asked: article_stories.StoredStories | None = None,
) -> None:
    """Chooses the first pages again for the articles of the changes `appended`, and for the articles `more`. Former
    stories that another one replaced lose their row. Articles that are `alone` in their story, and on one page, need no
    choice.

    Call it at the end of the transaction.
    """
    announced, ended = appended.subjects
    choose_again(connection, {*announced, *ended, *more}.difference(alone), now, announced, asked)


def choose_pending(connection: Connection, now: datetime, limit: int) -> int:
    """Chooses again for at most `limit` articles of sites whose declarations changed. Returns how many it chose for."""
    query = select(pending_first_pages.c.article_id).order_by(pending_first_pages.c.article_id).limit(limit)
    numbers = list(connection.execute(query).scalars())
    if numbers:
        choose_again(connection, numbers, now)
        connection.execute(delete(pending_first_pages).where(pending_first_pages.c.article_id.in_(numbers)))
    return len(numbers)


def count_pending(connection: Connection) -> int:
    """Returns the number of articles whose first page is to be chosen again."""
    return int(connection.execute(select(func.count()).select_from(pending_first_pages)).scalar_one())


def places_by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Returns the article id and page id that are shown first in each article's story, where a choice is stored."""
    numbers = numbers_of(connection, article_ids)
    stored = {row.cluster_id: (row.article_id, row.page_id) for row in _stored(connection, set(numbers.values()))}
    return {article: stored[number] for article, number in numbers.items() if number in stored}


def _on_pages(story: StoryPages, articles: Collection[int]) -> list[int]:
    """Those of the articles that several pages of the story show."""
    counts = Counter(page.candidate.article for page in story.pages)
    return [number for number in articles if counts[number] > 1]


def _stored(connection: Connection, numbers: Iterable[int]) -> list[Any]:
    return [
        row
        for chunk in chunks(sorted(numbers))
        for row in connection.execute(select(story_first_pages).where(story_first_pages.c.cluster_id.in_(chunk)))
    ]


def _differs(row: Any, values: Mapping[str, Any]) -> bool:
    return row is None or any(getattr(row, name) != value for name, value in values.items())


def _articles(connection: Connection, numbers: Sequence[int]) -> dict[int, int]:
    """Returns the articles of the stories: article id -> story number."""
    query = select(cluster_members.c.article_id, cluster_members.c.cluster_id)
    rows = connection.execute(query.where(cluster_members.c.cluster_id.in_(numbers)))
    return {number: number for number in numbers} | {row.article_id: row.cluster_id for row in rows}


def _rows(connection: Connection, stories: Iterable[int]) -> list[Any]:
    return [
        row
        for chunk in chunks(sorted(stories))
        for row in connection.execute(_query().where(pages.c.article_id.in_(chunk)))
    ]


@cache  # building it takes longer than asking for one story
def _query() -> Select[Any]:
    claimed, member = urls.alias(), cluster_members.alias()
    shown = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    return (
        select(
            pages.c.id.label("page_id"),
            *(pages.c.article_id, pages.c.url, pages.c.site, claimed.c.page_id.label("claim")),
            *(versions.c.seen_at, versions.c.title, versions.c.authors),
            *(versions.c.published, versions.c.published_offset),
            sites.c.republishes,
            _since(member).label("since"),
        )
        .select_from(pages.join(versions, shown))
        .outerjoin(member, member.c.article_id == pages.c.article_id)
        .outerjoin(claimed, claimed.c.url_key == pages.c.claimed_canonical_key)
        .outerjoin(sites, sites.c.site == pages.c.site)
        .where(pages.c.state != changes.GONE)
    )


def _since(member: FromClause) -> ScalarSelect[datetime]:
    """Returns when a page first showed a text of the story of `member`: a later correction does not move it back."""
    version, other = versions.alias(), cluster_members.alias()
    same = exists().where(other.c.article_id == version.c.article_id, other.c.cluster_id == member.c.cluster_id)
    of_story = or_(version.c.article_id == pages.c.article_id, same)
    first: Select[Any] = select(func.min(version.c.seen_at)).where(version.c.page_id == pages.c.id, of_story)
    return first.correlate(pages, member).scalar_subquery()


def candidate(row: Any, since: datetime) -> StoryPage:
    """Returns the page of a row as it is compared with others. The row has the columns that `_rows` selects."""
    return StoryPage(
        page=row.page_id,
        article=row.article_id,
        url=row.url,
        site=row.site,
        since=since,
        claim=row.claim,
        declared=row.republishes is not None,
        republishes=bool(row.republishes),
        metadata_rank=2 * (row.published is not None) + bool(row.authors),
    )


def _ordered(number: int, shown: Sequence[ShownPage]) -> StoryPages:
    front = choose([page.candidate for page in shown])
    of_page = {page.candidate.page: page for page in shown}
    return StoryPages(number, front, [of_page[chosen.page] for chosen in front.pages])
