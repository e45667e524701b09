"""Archives, and stores for their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from gzip import compress
from pathlib import Path
from typing import Any

import pytest
from stored_rows import assert_totals_are_true
from warc_files import NOW, record, story

from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.store import Store, open_store

Entry = tuple[str, bytes] | tuple[str, bytes, dict[str, Any]]


def write_warc(path: Path, entries: Iterable[Entry], *, gzip: bool = True) -> Path:
    """A WARC file with requests and responses; an entry is (url, body, options: at, status, headers, warc, kind)."""
    parts = [record("warcinfo", "", NOW, b"software: test\r\n")]
    for number, (url, body, *rest) in enumerate(entries):
        options = rest[0] if rest else {}
        at = options.get("at", NOW + timedelta(minutes=number))
        headers = ["Content-Type: text/html; charset=utf-8", *options.get("headers", [])]
        head = "\r\n".join([f"HTTP/1.1 {options.get('status', '200 OK')}", *headers, "", ""]).encode()
        parts.append(record("request", url, at, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        parts.append(record(options.get("kind", "response"), url, at, head + body, **options.get("warc", {})))
    path.write_bytes(b"".join(map(compress, parts) if gzip else parts))
    return path


@pytest.fixture
def warc(tmp_path: Path) -> Callable[..., Path]:
    """`warc(entries, name="x.warc.gz", gzip=True)` writes a file and returns its path."""

    def write(entries: Iterable[Entry], name: str = "x.warc.gz", *, gzip: bool = True) -> Path:
        return write_warc(tmp_path / name, entries, gzip=gzip)

    return write


@pytest.fixture
def stories() -> Callable[[int], list[Entry]]:
    """So many pages, each at its own address with an article of its own."""
    return lambda count: [(f"https://www.harbour.example/2026/bridge-{n}", story(n)) for n in range(count)]


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'news.db'}"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, upgrade=False) as opened:
        yield opened
    with begin_read(make_engine(parse_url(database), pooled=False)) as connection:
        assert_totals_are_true(connection)
