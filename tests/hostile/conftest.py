"""The misbehaving server, and crawls in a process of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from crawls import Crawl, run_crawl
from hostile_server import HostileServer


@pytest.fixture(scope="session")
def crawl() -> Crawl:
    """Crawls addresses in a child process: `crawl(urls, names=..., settings=..., spider=..., limit=seconds)`."""
    return run_crawl


@pytest.fixture(scope="module")
def hostile() -> Iterator[HostileServer]:
    """The misbehaving server on 127.0.0.1."""
    server = HostileServer().start()
    yield server
    server.stop()
