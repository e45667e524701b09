"""A story with its articles: who had it first, how much the texts resemble each other, and what contains them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.reports.overlaps import Overlap, containing
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import Member, ShownPage


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
    members = {one.article_id: one for one in story_pages.members_with(connection, number)}
    found = next((one.story for one in members.values()), number)
    shown = story_pages.pages_by_story(connection, [found]).get(found)
    if shown is None:
        return None
    pages_of: dict[int, list[ShownPage]] = defaultdict(list)
    for page in shown.pages:
        pages_of[page.article].append(page)
    larger, more = _containers(connection, members)
    return Story(
        id=found,
        representative_id=found,
        first_seen=min(one.first_seen for one in members.values()),
        rule=shown.rule,
        members=tuple(_member(pages, members[article]) for article, pages in pages_of.items()),
        contained_in=larger,
        contained_in_more=more,
    )


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


def _member(pages: Sequence[ShownPage], member: Member) -> StoryMember:
    first = pages[0]
    return StoryMember(
        article_id=first.article,
        url=first.url,
        site=first.site,
        first_seen=first.since,
        kind=member.kind,
        resemblance=member.resemblance,
        containment=member.containment,
        pages=tuple(map(_page, pages)),
    )


def _page(page: ShownPage) -> MemberPage:
    return MemberPage(
        page_id=page.page,
        url=page.url,
        site=page.site,
        first_seen=page.since,
        title=page.title,
        authors=tuple(page.authors),
        published=page.published,
        published_offset=page.published_offset,
    )
