"""The articles of a story, and the page by which the story is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import RULE_SENTENCES


@dataclass(frozen=True, slots=True)
class Copy:
    """An article of a story.

    `url` and `site` are of the first of its pages, which shows the story since `since`. `kind` (same, edit or copy, see
    newscrawl.identity.resemblance), `resemblance` and `containment` compare it with the representative of the story.
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
        if page.article not in by_article:
            member = members[page.article]
            similar = (member.kind, member.resemblance, member.containment)
            shown = (page.article, page.url, page.site, page.since, page.title)
            by_article[page.article] = Copy(*shown, number, *similar)
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
