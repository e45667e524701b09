"""The address that monitoring asks without a log-in."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from frozen_clock import FrozenClock
from patience import PATIENCE
from starlette.testclient import TestClient
from web_client import client_of
from web_database import TOKEN

from newscrawl.errors import StorageError
from newscrawl.storage.reader import Reader
from newscrawl.storage.store import open_store
from newscrawl.web.application import HEALTH_LIFE, Pages
from newscrawl.web.sessions import Logins
from newscrawl.web.settings import WebSettings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True).close()
    return tmp_path / "news.db"


@pytest.fixture
def pages(file: Path, clock: FrozenClock) -> Pages:
    settings = WebSettings(f"sqlite:///{file}", token=TOKEN)
    found = Pages(settings, Logins(TOKEN, clock), clock)
    found.alive.wait = PATIENCE
    return found


@pytest.fixture
def stranger(pages: Pages) -> TestClient:
    """A program without a token."""
    return client_of(pages, headers={}, raise_server_exceptions=False)


def test_a_stranger_learns_that_the_server_works(stranger: TestClient) -> None:
    answer = stranger.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer.headers["cache-control"] == "no-store"
    assert stranger.head("/health").status_code == 200
    assert stranger.get("/healthy").status_code == 401
    assert stranger.post("/health").status_code in {403, 405}
    assert stranger.get("/health", headers={"host": "evil.example"}).status_code == 421


def test_a_database_that_cannot_be_read_is_told_without_details(
    stranger: TestClient, file: Path, clock: FrozenClock
) -> None:
    assert stranger.get("/health").status_code == 200
    kept = file.read_bytes()
    file.write_bytes(b"no database")
    for rest in file.parent.glob("news.db-*"):
        rest.unlink()
    assert stranger.get("/health").status_code == 200  # for a second
    clock.now += HEALTH_LIFE
    answer = stranger.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})
    file.write_bytes(kept)
    clock.now += HEALTH_LIFE
    assert stranger.get("/health").status_code == 200


def test_strangers_do_not_wait_for_a_database_that_does_not_answer(
    stranger: TestClient, pages: Pages, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stranger.get("/health").status_code == 200
    asked, go_on = list[int](), Event()

    def slow() -> Reader:
        asked.append(1)
        assert go_on.wait(PATIENCE)
        raise StorageError("the database is away")

    monkeypatch.setattr(pages, "database", SimpleNamespace(reading=slow))
    pages.alive.wait = 0
    clock.now += timedelta(days=1)
    assert [stranger.get("/health").status_code for _ in range(3)] == [200] * 3
    assert asked == [1]
    go_on.set()
    until = time.monotonic() + PATIENCE
    while stranger.get("/health").status_code != 503:
        clock.now += HEALTH_LIFE
        assert time.monotonic() < until
