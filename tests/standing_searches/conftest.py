"""Databases of both kinds with articles, and standing searches that are evaluated on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from made_pages import NOW, made_page
from patience import PATIENCE
from sqlalchemy import Connection, update

from newscrawl.model.identity.signature import signature
from newscrawl.publishing.standing_searches import evaluate_all, save_search
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import SEARCHES
from newscrawl.storage.store import Store, open_store
from newscrawl.storage.tables import changes


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store that does not wait long for anything."""
    with open_store(database, upgrade=False, max_wait=0.01) as opened:
        yield opened


@pytest.fixture
def save(store: Store) -> Callable[..., int]:
    """`save(url, text, title=..., site=..., at=...)` stores a page's article and returns its id."""

    def save(url: str, text: str, **changes: Any) -> int:
        at = changes.pop("at", NOW)
        page = made_page(url, text, **{"signature": signature(text), "language": "en", "fetched_at": at} | changes)
        article_id = store.save(page).result(PATIENCE).article_id
        assert article_id is not None
        return article_id

    return save


@pytest.fixture
def keep(store: Store, tmp_path: Path) -> Callable[..., None]:
    """`keep("ferries", "ferry", "webhook:https://...", digest=0)` saves a search; without a place it has a file."""

    def keep(name: str, query: str, *places: str, digest: int = 0) -> None:
        save_search(store, name, query, places or (f"atom:{tmp_path}/kept.xml",), digest, NOW)

    return keep


def unreadable(store: Store, name: str) -> None:
    """Gives a saved search a query that the grammar does not have, as an earlier newscrawl may have saved it."""
    table = changes.standing_searches

    def change(connection: Connection) -> None:
        connection.execute(update(table).where(table.c.name == name).values(query="NOT x"))

    store.run(change).result(PATIENCE)


@pytest.fixture
def break_query(store: Store) -> Callable[[str], None]:
    """`break_query("ferries")` makes the query of a saved search one that cannot be read."""
    return partial(unreadable, store)


@pytest.fixture
def events(store: Store) -> Callable[..., list[tuple[str, int, str | None]]]:
    """`events("ferries")` evaluates all changes and returns the events of a search since the last call."""
    seen: dict[str, int] = {}

    def events(search: str) -> list[tuple[str, int, str | None]]:
        evaluate_all(store, lambda: NOW)
        with store.reading() as connection:
            found = deliveries.after(connection, SEARCHES, search, seen.get(search, 0), 500)
        seen[search] = max((event.id for event in found), default=seen.get(search, 0))
        return [(one.event, one.details["article_id"], one.details["reason"]) for one in found]

    return events
