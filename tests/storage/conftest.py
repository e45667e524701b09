"""Databases of both kinds, and pages to store in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Protocol

import pytest
from made_pages import NOW, made_page
from patience import PATIENCE
from sqlalchemy import Engine
from stored_rows import assert_totals_are_true

from newscrawl.model import ProcessedPage
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.records import Outcome
from newscrawl.storage.store import Store, open_store

SENTENCE = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry."


class PageMaker(Protocol):
    """Makes the page as the pipelines hand it over."""

    def __call__(self, url: str, text: str | None = None, **changes: Any) -> ProcessedPage: ...


def make_page(url: str, text: str | None = None, **changes: Any) -> ProcessedPage:
    """A page with a long article about `text`, if it is an article."""
    if text is None:
        return made_page(url, **changes)
    long_text = f"{text}. {SENTENCE * 3}" if changes.get("verdict", "article") == "article" else text
    return made_page(url, long_text, **({"title": f"About {text}", "language": "en"} | changes))


@pytest.fixture(name="page", scope="session")
def _page() -> PageMaker:
    return make_page


@pytest.fixture(name="now", scope="session")
def _now() -> datetime:
    return NOW


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store that does not wait long for anything. After each test, pages must name what they show."""
    with open_store(database, upgrade=False, max_wait=0.05, retry=RetryPolicy(attempts=3, first_pause=0.01)) as opened:
        yield opened
    with begin_read(make_engine(parse_url(database), pooled=False)) as connection:
        assert_totals_are_true(connection)


@pytest.fixture
def save(store: Store) -> Callable[..., list[Outcome]]:
    """`save(page, ...)`: stores pages as one batch; returns their outcomes."""

    def saved(*pages: ProcessedPage) -> list[Outcome]:
        futures = [store.save(page) for page in pages]
        store.flush()
        return [future.result(timeout=PATIENCE) for future in futures]

    return saved


@pytest.fixture
def read(store: Store) -> Callable[..., Any]:
    """`read(function, ...)`: what the function returns, called with a connection that reads."""

    def called(function: Callable[..., Any], *args: Any) -> Any:
        with store.reading() as connection:
            return function(connection, *args)

    return called


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    """An engine whose sessions write."""
    opened = make_engine(parse_url(database), is_writer=True)
    yield opened
    opened.dispose()


@pytest.fixture
def call(store: Store) -> Callable[..., Any]:
    """`call(function, ...)`: what the function returns, called with the connection of the writer."""
    return lambda function, *args, **named: store.run(function, *args, **named).result(timeout=PATIENCE)
