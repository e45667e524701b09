"""Stores, archives and pages for tests of the archive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from patience import PATIENCE
from stored_rows import assert_totals_are_true
from warc_files import story

from newscrawl.archive.writer import ArchiveSettings, ArchiveWriter
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import Exchange, RawPage
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services.postgresql import drop_database, new_database

if TYPE_CHECKING:
    from object_server import Proxy

BUCKETS = count(1)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def make_raw(number: int = 0, **changes: Any) -> RawPage:
    """A page as a spider yields it."""
    url = f"https://harbour.example/2026/bridge-{number}"
    headers = {"content-type": "text/html; charset=utf-8", "content-encoding": "gzip", "content-length": "7"}
    exchange = Exchange({"user-agent": "newscrawl/test", "accept": "text/html"}, "192.0.2.7")
    fetched_at = NOW + timedelta(seconds=number, microseconds=number)
    raw = RawPage(url, url, 200, headers, story(number), fetched_at, "harbour", None, exchange)
    return replace(raw, **changes)


@pytest.fixture
def raw() -> Callable[..., RawPage]:
    return make_raw


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """SQLite, or PostgreSQL for tests that ask for it: `parametrize("database", ["postgresql"], indirect=True)`."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite:///{tmp_path / 'news.db'}"
        return
    running = request.getfixturevalue("postgresql")
    address = new_database(running, request.getfixturevalue("migrated"))
    yield address
    drop_database(running, address)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, upgrade=False, max_wait=0.02) as opened:
        yield opened
    with begin_read(make_engine(parse_url(database), pooled=False)) as connection:
        assert_totals_are_true(connection)


@pytest.fixture(scope="module")
def server() -> Iterator[Proxy]:
    """An object store on loopback, behind a proxy."""
    from object_server import object_server  # loads moto

    with object_server() as running:
        yield running


@pytest.fixture
def address(server: Proxy, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a new bucket on the server, with the variables that lead there."""
    for name, value in server.variables.items():
        monkeypatch.setenv(name, value)
    bucket = f"harbour-{next(BUCKETS)}"
    server.new_bucket(bucket)
    server.requests.clear()
    yield f"s3://{bucket}/news/archive"
    server.fail("PUT")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "news.archive"


@pytest.fixture
def keeper(folder: Path, store: Store) -> Iterator[ArchiveWriter]:
    opened = ArchiveWriter(ArchiveSettings(folder), store)
    yield opened
    opened.close()


Crawled = Callable[..., list[Any]]


def crawl(keeper: ArchiveWriter, store: Store, pages: list[RawPage]) -> list[Any]:
    """What the pipelines do with the pages: keep, extract, store. Their outcomes."""
    kept = [(page, keeper.keep(page)) for page in pages]
    saved = []
    for page, future in kept:
        with_capture = replace(page, capture=future.result(timeout=PATIENCE), exchange=None)
        saved.append(store.save(fingerprint(make_article(with_capture, ArticleOptions()))))
    return [future.result(timeout=PATIENCE) for future in saved]


@pytest.fixture
def crawled(keeper: ArchiveWriter, store: Store) -> Crawled:
    return lambda pages: crawl(keeper, store, pages)


@pytest.fixture(name="crawl")
def _crawl() -> Crawled:
    return crawl


@pytest.fixture(name="now")
def _now() -> datetime:
    return NOW
