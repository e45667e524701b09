"""Locks of pages: a transaction that runs beside others locks the pages of its addresses before it reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import Connection

from newscrawl.storage.engine.pipeline import Answer, Sent, together
from newscrawl.storage.engine.transactions import runs_concurrently
from newscrawl.storage.engine.upsert import Overtaken
from newscrawl.storage.records import PageRow

_LOCK: Final = (
    "SELECT pages.id FROM pages JOIN urls ON urls.page_id = pages.id WHERE urls.url_key = ANY(%(keys)s)"
    " ORDER BY pages.id FOR UPDATE OF pages"
)


def lock(sent: Sent, keys: Iterable[str]) -> Answer | None:
    """Locks the pages to which the URL keys lead, in the order of their ids, so that no two transactions wait for each
    other. Returns None for a transaction that is alone."""
    if not runs_concurrently(sent.connection):
        return None
    return sent.read("", _LOCK, {"keys": sorted(set(keys))})


def locked_ids(connection: Connection, keys: Iterable[str]) -> Collection[int] | None:
    """Does what `lock` does, and returns the ids of the pages."""
    with together(connection) as sent:
        answer = lock(sent, keys)
    return None if answer is None else {row[0] for row in answer.rows}


def check(found: Iterable[PageRow], locked: Collection[int] | None) -> None:
    """Raises Overtaken for a page that another transaction has stored since the pages were locked."""
    missed = [page.url for page in found if locked is not None and page.id not in locked]
    if missed:
        raise Overtaken(f"{missed[0]} was stored meanwhile")
