"""A story with its articles: who had it first, how much the texts resemble each other, and the texts of other stories
that contain them or are contained in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, select

from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import RULE_SENTENCES, Member, MemberPage
from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.tables.articles import pages, versions


@dataclass(frozen=True, slots=True)
class Overlap:
    """Another text that contains a text or is contained in it: its article id, the address of a page that shows or has
    shown it, and the share of the smaller text that the larger one has (0 to 1)."""

    article_id: int
    url: str
    containment: float


@dataclass(frozen=True, slots=True)
class Overlaps:
    """`contained_in` are larger texts, at most `story_pages.MAX_LINKS`; `more` counts further ones. `contains`
    are smaller texts."""

    contained_in: Sequence[Overlap] = ()
    more: int = 0
    contains: Sequence[Overlap] = ()


NONE: Final = Overlaps()


def overlaps(connection: Connection, article_id: int) -> Overlaps:
    """Returns the texts of other stories that contain a text or are contained in it."""
    outside = story_pages.containers_of(connection, [article_id]).get(article_id, story_pages.NOWHERE)
    inside = story_pages.parts_of(connection, article_id)
    urls = _addresses(connection, {*outside.containers, *inside})
    return Overlaps(_shown(outside.containers, urls), outside.more, _shown(inside, urls))


def containing(connection: Connection, article_ids: Iterable[int]) -> dict[int, Overlaps]:
    """Returns the larger texts of the articles by article id, without `contains`. Articles that are part of no text are
    left out."""
    found = story_pages.containers_of(connection, article_ids)
    urls = _addresses(connection, {number for contained in found.values() for number in contained.containers})
    return {
        article: Overlaps(_shown(contained.containers, urls), contained.more) for article, contained in found.items()
    }


def _shown(found: Mapping[int, float], urls: Mapping[int, str]) -> tuple[Overlap, ...]:
    return tuple(Overlap(number, urls[number], containment) for number, containment in found.items() if number in urls)


def _addresses(connection: Connection, article_ids: Collection[int]) -> dict[int, str]:
    """Returns the address of a page for each article: the first page that shows or has shown it."""
    addresses: dict[int, str] = {}
    query = select(versions.c.article_id, pages.c.url).join(pages, pages.c.id == versions.c.page_id)
    query = query.order_by(versions.c.seen_at, pages.c.id)
    for row in rows_among(connection, query, versions.c.article_id, article_ids):
        addresses.setdefault(row.article_id, row.url)
    return addresses


@dataclass(frozen=True, slots=True)
class Copy:
    """An article of a story.

    `url` and `site` are of the first of its pages, which shows the story since `since`. `kind` (same, edit or copy, see
    newscrawl.model.identity.stories), `resemblance` and `containment` compare it with the representative of the
    story.
    """

    article_id: int
    url: str
    site: str
    since: datetime
    title: str | None
    representative_id: int
    kind: str
    resemblance: float
    containment: float


@dataclass(frozen=True, slots=True)
class FirstPage:
    """The page by which a story is shown, and why. `pages` is the number of pages that show the story."""

    story: int
    url: str
    site: str
    rule: str
    reason: str
    pages: int


def copies(connection: Connection, article_id: int) -> list[Copy]:
    """Returns the articles of an article's story that some page shows, in the order of their pages; empty if the
    article has no near-duplicates."""
    members = {one.article_id: one for one in story_pages.members_with(connection, article_id)}
    if len(members) < 2:
        return []
    number = members[article_id].story
    story = story_pages.pages_by_story(connection, [number]).get(number)
    if story is None:
        return []
    by_article: dict[int, Copy] = {}
    for page in story.pages:
        if page.article_id not in by_article:
            member = members[page.article_id]
            similar = (member.kind, member.resemblance, member.containment)
            shown = (page.article_id, page.url, page.site, page.first_seen, page.title)
            by_article[page.article_id] = Copy(*shown, number, *similar)
    return list(by_article.values())


def first_page(connection: Connection, article_id: int) -> FirstPage | None:
    """Returns the page by which the article's story is shown; None if no page shows it."""
    number = story_pages.numbers_of(connection, [article_id])[article_id]
    story = story_pages.pages_by_story(connection, [number]).get(number)
    if story is None:
        return None
    return FirstPage(
        number, story.first.url, story.first.site, story.rule, RULE_SENTENCES[story.rule], len(story.pages)
    )


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
    pages_of: dict[int, list[MemberPage]] = defaultdict(list)
    for page in shown.pages:
        pages_of[page.article_id].append(page)
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


def _member(shown: Sequence[MemberPage], member: Member) -> StoryMember:
    first = shown[0]
    where = (first.article_id, first.url, first.site, first.first_seen)
    return StoryMember(*where, member.kind, member.resemblance, member.containment, tuple(shown))
