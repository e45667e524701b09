"""The articles that a consumer with a filter was sent. If one of them no longer matches, the consumer is sent a
`remove`.

An article is recorded before it is sent, so that none is missing after a kill. A row is deleted when the consumer has
accepted the removal of the article.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, literal, select

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import insert
from newscrawl.storage.tables.changes import changes, given_articles


def add(connection: Connection, consumer: str, article_ids: Iterable[int]) -> None:
    """Records that the articles are sent to the consumer."""
    rows = [{"consumer": consumer, "article_id": number} for number in sorted(set(article_ids))]
    if rows:
        connection.execute(insert(connection, given_articles).on_conflict_do_nothing(), rows)


def add_all(connection: Connection, consumer: str) -> None:
    """Records every article of the feed: what a consumer without a filter was sent."""
    numbers = select(literal(consumer), changes.c.article_id).where(changes.c.article_id > 0).distinct()
    wanted = ["consumer", "article_id"]
    connection.execute(insert(connection, given_articles).from_select(wanted, numbers).on_conflict_do_nothing())


def among(connection: Connection, consumer: str, article_ids: Iterable[int]) -> set[int]:
    """Returns those of the articles that were sent to the consumer."""
    given: set[int] = set()
    table = given_articles.c
    for chunk in chunks(sorted(set(article_ids))):
        query = select(table.article_id).where(table.consumer == consumer, table.article_id.in_(chunk))
        given.update(connection.execute(query).scalars())
    return given


def drop(connection: Connection, consumer: str, article_ids: Iterable[int] | None = None) -> None:
    """Deletes the records of the articles, or all of the consumer."""
    mine = delete(given_articles).where(given_articles.c.consumer == consumer)
    if article_ids is None:
        connection.execute(mine)
        return
    for chunk in chunks(sorted(set(article_ids))):
        connection.execute(mine.where(given_articles.c.article_id.in_(chunk)))
