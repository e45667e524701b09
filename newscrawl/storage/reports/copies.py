"""Who has a story nearly word for word, and whose page of it is shown first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.identity.front import TOLD
from newscrawl.storage.duplicates import first_pages


@dataclass(frozen=True, slots=True)
class Copy:
    """An article of a story: the first of its pages, since when that shows the story, and the article's tie to the
    story's representative. `kind` is same, edit or copy (newscrawl.identity.resemblance)."""

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
    """The page that a story is shown by, and why; `pages` is how many show the story."""

    story: int
    url: str
    site: str
    rule: str
    reason: str
    pages: int


def copies(connection: Connection, article_id: int) -> list[Copy]:
    """The articles of a story that some page shows, in the order in which their pages are shown; empty when nothing is
    nearly the same."""
    from newscrawl.storage.duplicates import story_clusters  # loads numpy, which other reports need not

    membership = story_clusters.of_articles(connection, [article_id]).get(article_id)
    if membership is None:
        return []
    number = membership.cluster_id
    members = {one.article_id: one for one in story_clusters.of_cluster(connection, number)}
    story = first_pages.of_stories(connection, [number]).get(number)
    found: dict[int, Copy] = {}
    for page in story.pages if story is not None else ():
        one = page.candidate
        tie = members.get(one.article)
        if one.article not in found and tie is not None:
            found[one.article] = Copy(
                one.article,
                one.url,
                one.site,
                one.since,
                page.title,
                tie.representative_id,
                tie.kind,
                tie.resemblance,
                tie.containment,
            )
    return list(found.values())


def first_page(connection: Connection, article_id: int) -> FirstPage | None:
    """The page that the article's story is shown by; None for one that no page shows."""
    number = first_pages.numbers_of(connection, [article_id])[article_id]
    story = first_pages.of_stories(connection, [number]).get(number)
    if story is None:
        return None
    first = story.front.first
    return FirstPage(number, first.url, first.site, story.front.rule, TOLD[story.front.rule], len(story.pages))
