"""The address that monitoring asks without a log-in."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest
from starlette.testclient import TestClient
from web_database import NOW, TOKEN

from newscrawl.storage.reader import ReadDatabase
from newscrawl.storage.store import open_store
from newscrawl.web.access import health
from newscrawl.web.access.logins import Logins
from newscrawl.web.application import make_application
from newscrawl.web.settings import WebSettings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True).close()
    return tmp_path / "news.db"


@pytest.fixture
def stranger(file: Path) -> TestClient:
    """A program without a token."""
    settings = WebSettings(f"sqlite:///{file}", token=TOKEN)
    application = make_application(settings, Logins(TOKEN, lambda: NOW), lambda: NOW)
    return TestClient(application, base_url="http://127.0.0.1:8787", raise_server_exceptions=False)


def test_a_stranger_learns_that_the_server_works(stranger: TestClient) -> None:
    answer = stranger.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer.headers["cache-control"] == "no-store"
    assert stranger.head("/health").status_code == 200
    assert stranger.get("/healthy").status_code == 401
    assert stranger.post("/health").status_code in {403, 405}
    assert stranger.get("/health", headers={"host": "evil.example"}).status_code == 421


def test_a_database_that_cannot_be_read_is_told_without_details(
    stranger: TestClient, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stranger.get("/health").status_code == 200
    kept = file.read_bytes()
    file.write_bytes(b"no database")
    for rest in file.parent.glob("news.db-*"):
        rest.unlink()
    assert stranger.get("/health").status_code == 200  # for a second
    monkeypatch.setattr(health, "PAUSE", 0.0)
    answer = stranger.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})
    file.write_bytes(kept)
    assert stranger.get("/health").status_code == 200


def test_only_one_of_many_strangers_waits_for_the_database(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PAUSE", 0.0)
    asked = health.Health(ReadDatabase(f"sqlite:///{file}"))
    assert asked._can_read()
    begun, go_on = Event(), Event()

    def slow() -> bool:
        begun.set()
        go_on.wait(30)
        return False

    monkeypatch.setattr(asked, "_read", slow)
    first = Thread(target=asked._can_read)
    first.start()
    assert begun.wait(30)
    assert asked._can_read()
    go_on.set()
    first.join(30)
    assert not asked._can_read()
