"""To which stories articles belong, and whether a page shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import Connection, exists, func, select

from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.tables.articles import articles, pages

_STORY: Final = func.coalesce(articles.c.story_id, articles.c.id)
_IS_SHOWN: Final = exists().where(pages.c.article_id == articles.c.id, pages.c.state != "gone")


class ArticleStory(NamedTuple):
    """The story of an article, None if the article is not stored, and whether a page shows it."""

    story: int | None
    is_shown: bool


def by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, ArticleStory]:
    """Returns what is asked of the articles, by id."""
    found = dict.fromkeys(article_ids, ArticleStory(None, is_shown=False))
    for chunk in chunks(sorted(found)):
        query = select(articles.c.id, _STORY, _IS_SHOWN).where(articles.c.id.in_(chunk))
        for number, story, is_shown in connection.execute(query):
            found[number] = ArticleStory(story, bool(is_shown))
    return found


def shown_stories(connection: Connection, numbers: Iterable[int]) -> set[int]:
    """Returns those of the stories of which some page shows an article."""
    shown: set[int] = set()
    for chunk in chunks(sorted(set(numbers))):
        shown.update(connection.execute(select(_STORY).where(_STORY.in_(chunk), _IS_SHOWN).distinct()).scalars())
    return shown
