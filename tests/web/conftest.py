"""A filled database, and the application over it, with a client that has logged in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from frozen_clock import FrozenClock
from starlette.testclient import TestClient
from web_client import client_of
from web_database import NOW, TOKEN, filled

from newscrawl.web.settings import WebSettings


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A filled SQLite database, shared by a module's tests: they only read."""
    file = tmp_path_factory.mktemp("web") / "news.db"
    file.write_bytes(filled())
    return f"sqlite:///{file}"


@pytest.fixture
def clock() -> FrozenClock:
    """A time that a test moves."""
    return FrozenClock(NOW)


@pytest.fixture
def own(tmp_path: Path) -> str:
    """A filled SQLite database of the test's own, to be changed."""
    (tmp_path / "news.db").write_bytes(filled())
    return f"sqlite:///{tmp_path}/news.db"


@pytest.fixture(scope="module")
def settings(address: str, tmp_path_factory: pytest.TempPathFactory) -> WebSettings:
    return WebSettings(address, token=TOKEN, archive_folder=Path(tmp_path_factory.mktemp("archive")))


@pytest.fixture(scope="module")
def client(settings: WebSettings) -> Iterator[TestClient]:
    """A program with the token. Entered, it has one event loop for all requests instead of a thread and a loop each."""
    how = {"base_url": "http://127.0.0.1:8787", "raise_server_exceptions": False, "follow_redirects": False}
    with client_of(settings, **how) as entered:
        yield entered
