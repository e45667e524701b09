"""Databases of both kinds, and pages to store in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Protocol

import pytest
from patience import PATIENCE
from totals import assert_totals_are_true

from newscrawl.model import Article, Failure, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key, url_key
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.store import Store, open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SENTENCE = "The council of the harbour town met on Tuesday evening and spoke for four hours about the new ferry."


class PageMaker(Protocol):
    """Makes the page as the pipelines hand it over."""

    def __call__(self, url: str, text: str | None = None, **changes: Any) -> ProcessedPage: ...


def make_page(url: str, text: str | None = None, **changes: Any) -> ProcessedPage:
    """A fetched page with a long article about `text`; `changes` name fields of RawPage, Article or Metadata."""
    raw: dict[str, Any] = {"url": url, "final_url": url, "status": 200, "headers": {}, "body": None}
    raw |= {"fetched_at": NOW, "site": "harbour", "discovery": None}
    failure = changes.pop("failure", None)
    raw |= {name: changes.pop(name) for name in list(changes) if name in raw}
    if text is None:
        return ProcessedPage(RawPage(**raw), failure=failure or Failure("extraction/timeout", "took too long"))
    long_text = f"{text}. {SENTENCE * 3}" if changes.get("verdict", "article") == "article" else text
    final_key = url_key(raw["final_url"])
    own: dict[str, Any] = {"url": raw["final_url"], "site": raw["site"], "text": long_text, "verdict": "article"}
    own |= {"extractor": "boilerpipe-wide+tree2", "content_hash": content_hash(long_text)}
    own |= {"identity_key": identity_key(long_text, final_key, len(long_text.split()))}
    own |= {name: changes.pop(name) for name in list(changes) if name in Article.__dataclass_fields__}
    metadata = Metadata(**({"title": f"About {text}", "language": "en"} | changes))
    return ProcessedPage(RawPage(**raw), article=Article(metadata=metadata, **own))


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
def call(store: Store) -> Callable[..., Any]:
    """`call(function, ...)`: what the function returns, called with the connection of the writer."""
    return lambda function, *args, **named: store.run(function, *args, **named).result(timeout=PATIENCE)
