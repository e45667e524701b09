"""A story with its articles: who had it first, how much the texts resemble each other, and what contains them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from newscrawl.storage.duplicates import first_pages
from newscrawl.storage.duplicates.first_pages import ShownPage
from newscrawl.storage.reports.overlaps import Overlap, containing
from newscrawl.storage.tables.articles import articles
from newscrawl.storage.tables.duplicates import cluster_members


@dataclass(frozen=True, slots=True)
class MemberPage:
    """A page that shows an article of a story, with the metadata that it states.

    `first_seen` is the time when the page first showed a text of the story. `published_offset` is in minutes east of
    UTC.
    """

    page_id: int
    url: str
    site: str
    first_seen: datetime
    title: str | None
    authors: tuple[str, ...]
    published: datetime | None
    published_offset: int | None


@dataclass(frozen=True, slots=True)
class StoryMember:
    """An article of a story.

    `url`, `site` and `first_seen` are of the first of its `pages`. `kind` (same, edit or copy), `resemblance` and
    `containment` (0 to 1) compare its text with that of the representative.
    """

    article_id: int
    url: str
    site: str
    first_seen: datetime
    kind: str
    resemblance: float
    containment: float
    pages: tuple[MemberPage, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A story: the articles that copies and edits of one text are, or one article alone.

    `id` is the number of the story. `representative_id` is the article to which the others are compared; its text may
    no longer be shown. `first_seen` is when newscrawl first saw a text of the story. `members` are the articles that
    some page shows, in the order of their pages: the page that is shown first (`rule` says why) is at the beginning.
    `contained_in` are larger articles of other stories that contain a text of the story, the greatest share first, at
    most 20 for each text; `contained_in_more` counts further ones.
    """

    id: int
    representative_id: int
    first_seen: datetime
    rule: str
    members: tuple[StoryMember, ...]
    contained_in: tuple[Overlap, ...] = ()
    contained_in_more: int = 0


def story(connection: Connection, number: int) -> Story | None:
    """Returns the story with the number, or else the story of the article with this number. None if there is neither,
    or no page shows an article of it."""
    found = _numbered(connection, number)
    shown = first_pages.pages_by_story(connection, [found]).get(found)
    if shown is None:
        return None
    pages_of: dict[int, list[ShownPage]] = defaultdict(list)
    for page in shown.pages:
        pages_of[page.candidate.article].append(page)
    memberships = _memberships(connection, found)
    representative = next((row.representative_id for row in memberships.values()), found)
    first_seen = min((row.first_seen for row in memberships.values()), default=None)
    larger, more = _containers(connection, memberships.keys() | {representative})
    return Story(
        id=found,
        representative_id=representative,
        first_seen=first_seen or _first_seen(connection, found),
        rule=shown.front.rule,
        members=tuple(_member(pages, memberships.get(article)) for article, pages in pages_of.items()),
        contained_in=larger,
        contained_in_more=more,
    )


def _numbered(connection: Connection, number: int) -> int:
    """Returns the number itself if a story of several articles has it, else the number of that article's story."""
    joined = select(cluster_members.c.cluster_id).where(cluster_members.c.cluster_id == number).limit(1)
    if connection.execute(joined).first() is not None:
        return number
    return first_pages.numbers_of(connection, [number])[number]


def _memberships(connection: Connection, number: int) -> dict[int, Row[Any]]:
    rows = connection.execute(select(cluster_members).where(cluster_members.c.cluster_id == number))
    return {row.article_id: row for row in rows}


def _first_seen(connection: Connection, article_id: int) -> datetime:
    seen: datetime = connection.execute(select(articles.c.first_seen).where(articles.c.id == article_id)).scalar_one()
    return seen


def _containers(connection: Connection, texts: Collection[int]) -> tuple[tuple[Overlap, ...], int]:
    """Returns the larger articles that contain any of the texts and are not among them, and the number of others."""
    found = containing(connection, texts)
    best: dict[int, Overlap] = {}
    for larger in found.values():
        for one in larger.contained_in:
            best[one.article_id] = max(best.get(one.article_id, one), one, key=lambda each: each.containment)
    others = (one for one in best.values() if one.article_id not in texts)
    ordered = sorted(others, key=lambda one: (-one.containment, one.article_id))
    return tuple(ordered), sum(larger.more for larger in found.values())


def _member(pages: Sequence[ShownPage], membership: Row[Any] | None) -> StoryMember:
    first = pages[0].candidate
    return StoryMember(
        article_id=first.article,
        url=first.url,
        site=first.site,
        first_seen=first.since,
        kind=membership.kind if membership else "same",
        resemblance=membership.resemblance if membership else 1.0,
        containment=membership.containment if membership else 1.0,
        pages=tuple(map(_page, pages)),
    )


def _page(shown: ShownPage) -> MemberPage:
    page = shown.candidate
    return MemberPage(
        page_id=page.page,
        url=page.url,
        site=page.site,
        first_seen=page.since,
        title=shown.title,
        authors=tuple(shown.authors),
        published=shown.published,
        published_offset=shown.published_offset,
    )
