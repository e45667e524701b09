"""A story with its articles: who had it first, how much the texts resemble each other, and what contains them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from newscrawl.storage.duplicates import first_pages
from newscrawl.storage.duplicates.first_pages import ShownPage
from newscrawl.storage.reports.overlaps import NONE, Overlap, Overlaps, containing
from newscrawl.storage.tables.duplicates import cluster_members
from newscrawl.storage.tables.schema import articles


@dataclass(frozen=True, slots=True)
class MemberPage:
    """A page that shows an article of a story, with the metadata that it states.

    `first_seen` is the time when the page first showed a text of the story.
    """

    page_id: int
    url: str
    site: str
    first_seen: datetime
    title: str | None
    authors: tuple[str, ...]
    published: datetime | None


@dataclass(frozen=True, slots=True)
class StoryMember:
    """An article of a story.

    `url`, `site` and `first_seen` are of the first of its `pages`. `kind` (same, edit or copy), `resemblance` and
    `containment` (0 to 1) compare its text with that of the representative. `contained_in` are larger articles of other
    stories that contain the text, at most 20; `contained_in_more` counts further ones.
    """

    article_id: int
    url: str
    site: str
    first_seen: datetime
    kind: str
    resemblance: float
    containment: float
    pages: tuple[MemberPage, ...]
    contained_in: tuple[Overlap, ...] = ()
    contained_in_more: int = 0


@dataclass(frozen=True, slots=True)
class Story:
    """A story: the articles that copies and edits of one text are, or one article alone.

    `id` is the number of the story. `representative_id` is the article to which the others are compared; its text may
    no longer be shown. `first_seen` is when newscrawl first saw a text of the story. `members` are the articles that
    some page shows, in the order of their pages: the page that is shown first (`rule` says why) is at the beginning.
    """

    id: int
    representative_id: int
    first_seen: datetime
    rule: str
    members: tuple[StoryMember, ...]


def story(connection: Connection, number: int) -> Story | None:
    """Returns the story with the number, or else the story of the article with this number. None if there is neither,
    or no page shows an article of it."""
    found = _numbered(connection, number)
    shown = first_pages.of_stories(connection, [found]).get(found)
    if shown is None:
        return None
    pages_of: dict[int, list[ShownPage]] = defaultdict(list)
    for page in shown.pages:
        pages_of[page.candidate.article].append(page)
    memberships, larger = _memberships(connection, found), containing(connection, pages_of)
    members = tuple(
        _member(pages, memberships.get(article), larger.get(article, NONE)) for article, pages in pages_of.items()
    )
    representative = next((row.representative_id for row in memberships.values()), found)
    first_seen = min((row.first_seen for row in memberships.values()), default=None)
    return Story(found, representative, first_seen or _first_seen(connection, found), shown.front.rule, members)


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


def _member(pages: Sequence[ShownPage], membership: Row[Any] | None, larger: Overlaps) -> StoryMember:
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
        contained_in=tuple(larger.contained_in),
        contained_in_more=larger.more,
    )


def _page(shown: ShownPage) -> MemberPage:
    page = shown.candidate
    return MemberPage(page.page, page.url, page.site, page.since, shown.title, tuple(shown.authors), shown.published)
