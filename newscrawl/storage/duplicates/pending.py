"""The queue of texts whose stories are to be decided again.

A text is marked when it is removed, when it turns out to be older, or by an upgrade. The mark is written in the
transaction that makes it necessary. Upkeep decides in steps, each in its own transaction, so that a kill between two
steps loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func, select, update

from newscrawl.storage.duplicates import lsh_index
from newscrawl.storage.engine.sql import chunks, insert
from newscrawl.storage.tables.articles import articles
from newscrawl.storage.tables.duplicates import cluster_members, pending_texts, rejected_members, signatures


def count(connection: Connection) -> int:
    """Returns how many texts are to be decided again."""
    return int(connection.execute(select(func.count()).select_from(pending_texts)).scalar_one())


def earliest(connection: Connection, limit: int) -> list[int]:
    """Returns the ids of at most `limit` marked texts, in the order in which they were first seen."""
    query = select(pending_texts.c.article_id).order_by(pending_texts.c.first_seen, pending_texts.c.article_id)
    return list(connection.execute(query.limit(limit)).scalars())


def mark(connection: Connection, article_ids: Iterable[int]) -> None:
    """Marks the texts that have a signature. Others are ignored. It reads nothing."""
    for chunk in chunks(sorted(set(article_ids))):
        query = select(signatures.c.article_id, signatures.c.first_seen).where(
            signatures.c.article_id.in_(chunk), signatures.c.first_seen.is_not(None)
        )
        marked = insert(connection, pending_texts).from_select(["article_id", "first_seen"], query)
        connection.execute(marked.on_conflict_do_nothing())


def unmark(connection: Connection, article_ids: Iterable[int]) -> None:
    """Removes the marks of the texts."""
    for chunk in chunks(sorted(set(article_ids))):
        connection.execute(delete(pending_texts).where(pending_texts.c.article_id.in_(chunk)))


def dependent_on(connection: Connection, article_ids: Iterable[int]) -> set[int]:
    """Returns the texts whose decisions may change when one of these texts is removed or turns out to be older.

    These are the texts that share values with it, and those that belong to its story or were rejected by it. The texts
    given are left out.
    """
    numbers = set(article_ids)
    dependent: set[int] = set()
    stories = set(numbers)
    for chunk in chunks(sorted(numbers)):  # a site that is forgotten may have a hundred thousand texts
        dependent.update(
            other for counts in lsh_index.candidates_of_stored(connection, chunk).values() for other in counts
        )
        query = select(cluster_members.c.representative_id).where(cluster_members.c.article_id.in_(chunk))
        stories.update(connection.execute(query).scalars())
    for chunk in chunks(sorted(stories)):
        for table in (cluster_members, rejected_members):
            query = select(table.c.article_id).where(table.c.representative_id.in_(chunk))
            dependent.update(connection.execute(query).scalars())
    return dependent - numbers


def seen_since(connection: Connection, times: Mapping[int, datetime]) -> None:
    """Stores earlier times at which articles were seen. A time that is later than the stored one is ignored."""
    older: dict[int, datetime] = {}
    for chunk in chunks(sorted(times)):
        stored = select(articles.c.id, articles.c.first_seen).where(articles.c.id.in_(chunk))
        older |= {number: times[number] for number, at in connection.execute(stored) if at > times[number]}
    if not older:
        return
    rows = [{"_article": number, "_at": at} for number, at in older.items()]
    for number in (articles.c.id, signatures.c.article_id, cluster_members.c.article_id):
        mine = update(number.table).where(number == bindparam("_article"))
        connection.execute(mine.values(first_seen=bindparam("_at")), rows)
    others = dependent_on(connection, older)
    if others:
        mark(connection, older.keys() | others)
