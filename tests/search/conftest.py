"""Databases of both kinds with articles and their search index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from made_pages import made_page
from patience import PATIENCE
from stored_rows import assert_totals_are_true

from newscrawl.model.identity.signature import signature
from newscrawl.publishing.search import Filters, Index, SearchHit, find_stories, open_index, parse_query, update_index
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import Store, open_store


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store that does not wait long for anything."""
    with open_store(database, upgrade=False, max_wait=0.01) as opened:
        yield opened
    with begin_read(make_engine(parse_url(database), pooled=False)) as connection:
        assert_totals_are_true(connection)


@pytest.fixture
def save(store: Store) -> Callable[..., int]:
    """`save(url, text, title=..., site=...)` stores a page's article and returns its id."""

    def save(url: str, text: str, **changes: Any) -> int:
        page = made_page(url, text, **{"signature": signature(text), "language": "en"} | changes)
        article_id = store.save(page).result(PATIENCE).article_id
        assert article_id is not None
        return article_id

    return save


@pytest.fixture
def index(database: str, store: Store) -> Iterator[Index]:
    """The database's search index."""
    with closing(open_index(database)) as opened:
        yield opened


@pytest.fixture
def search(database: str, index: Index) -> Callable[..., list[SearchHit]]:
    """`search("words", site=..., limit=...)`: brings the index up to date and asks it."""
    reading = partial(open_reader, database)

    def search(typed: str, limit: int = 10, **filters: Any) -> list[SearchHit]:
        update_index(index, reading)
        with reading() as connection:
            return find_stories(index, connection, parse_query(typed), Filters(**filters), limit)

    return search
