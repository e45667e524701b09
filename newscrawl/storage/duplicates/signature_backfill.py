"""Adds signatures to texts that were stored before schema revision 0005, and joins them into stories.

A text that is too short for a signature gets an empty one, so that it is not read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, func, select

from newscrawl.identity.signature import ALGORITHM
from newscrawl.storage.duplicates import first_pages, story_members
from newscrawl.storage.duplicates.story_members import NewArticle
from newscrawl.storage.engine.upsert import insert
from newscrawl.storage.feed import changes
from newscrawl.storage.tables.articles import articles
from newscrawl.storage.tables.duplicates import signatures


def without_signature(connection: Connection, limit: int) -> list[int]:
    """Returns the ids of at most `limit` articles without a signature, in no order."""
    query = select(articles.c.id).where(_unmarked()).limit(limit)
    return list(connection.execute(query).scalars())


def count(connection: Connection) -> int:
    """Returns how many articles have no signature."""
    return int(connection.execute(select(func.count(articles.c.id)).where(_unmarked())).scalar_one())


def texts(connection: Connection, article_ids: Iterable[int]) -> list[NewArticle]:
    """Returns the articles with their texts. Their signatures are still missing and have to be computed."""
    wanted = select(articles.c.id, articles.c.text, articles.c.first_seen, articles.c.content_hash)
    rows = connection.execute(wanted.where(articles.c.id.in_(list(article_ids))))
    return [NewArticle(row.id, row.text, None, row.first_seen, row.content_hash) for row in rows]


def sign(connection: Connection, new: Sequence[NewArticle]) -> int:
    """Stores the signatures of the articles that still exist and have none, and joins them. Returns their number."""
    numbers = [article.article_id for article in new]
    waiting = set(connection.execute(select(articles.c.id).where(articles.c.id.in_(numbers), _unmarked())).scalars())
    mine = [article for article in new if article.article_id in waiting]
    with changes.gathered(connection) as appended:
        story_members.link(connection, mine, in_feed=False)
        if mine:
            first_pages.choose_changed(connection, appended, (), max(article.fetched_at for article in mine))
    short = [article.article_id for article in mine if article.signature is None]
    if short:
        rows = [{"article_id": number, "algorithm": ALGORITHM, "shingles": 0, "sketch": b""} for number in short]
        connection.execute(insert(connection, signatures).on_conflict_do_nothing(), rows)
    return len(mine)


def _unmarked() -> ColumnElement[bool]:
    return ~select(signatures.c.article_id).where(signatures.c.article_id == articles.c.id).exists()
