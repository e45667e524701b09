"""The articles of a story, and the page by which the story is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.identity.first_page import RULE_SENTENCES
from newscrawl.storage.duplicates import first_pages


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
    from newscrawl.storage.duplicates import story_members  # loads numpy, which other reports need not

    membership = story_members.by_article(connection, [article_id]).get(article_id)
    if membership is None:
        return []
    number = membership.cluster_id
    members = {member.article_id: member for member in story_members.members(connection, number)}
    story = first_pages.pages_by_story(connection, [number]).get(number)
    by_article: dict[int, Copy] = {}
    for page in story.pages if story is not None else ():
        candidate = page.candidate
        member = members.get(candidate.article)
        if candidate.article not in by_article and member is not None:
            by_article[candidate.article] = Copy(
                candidate.article,
                candidate.url,
                candidate.site,
                candidate.since,
                page.title,
                member.representative_id,
                member.kind,
                member.resemblance,
                member.containment,
            )
    return list(by_article.values())


def first_page(connection: Connection, article_id: int) -> FirstPage | None:
    """Returns the page by which the article's story is shown; None if no page shows it."""
    number = first_pages.numbers_of(connection, [article_id])[article_id]
    story = first_pages.pages_by_story(connection, [number]).get(number)
    if story is None:
        return None
    first = story.front.first
    return FirstPage(
        number, first.url, first.site, story.front.rule, RULE_SENTENCES[story.front.rule], len(story.pages)
    )
