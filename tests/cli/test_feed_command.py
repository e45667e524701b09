"""`newscrawl feed` with receivers that cannot take changes now, and with those that refuse them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from patience import PATIENCE

from newscrawl.cli import feed
from newscrawl.cli.main import main
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key, url_key
from newscrawl.storage.store import open_store
from newscrawl.testing.services.webhook import WebhookReceiver, serving

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A database with one article."""
    url, text = "https://harbour.example/ferry", "The ferry of the harbour leaves at noon. " * 12
    raw = RawPage(url, url, 200, {}, None, datetime(2026, 11, 22, 12, tzinfo=UTC), "harbour", None)
    hashes = {"content_hash": content_hash(text), "identity_key": identity_key(text, url_key(url), 60)}
    said = {"url": url, "site": "harbour", "text": text, "verdict": "article", "extractor": "classic"}
    address = f"sqlite:///{tmp_path}/news.db"
    with open_store(address, upgrade=True) as store:
        page = ProcessedPage(raw, article=Article(metadata=Metadata(title="ferry"), **said, **hashes))
        store.save(page).result(timeout=PATIENCE)
    return address


@pytest.fixture
def receiver() -> WebhookReceiver:
    return WebhookReceiver()


@pytest.fixture
def hook(receiver: WebhookReceiver) -> Iterator[str]:
    with serving(receiver) as url:
        yield f"webhook:{url}"


@pytest.mark.parametrize("status", [429, 503])
def test_a_receiver_that_asks_for_a_long_pause_ends_the_command_as_temporary(
    run: Run, database: str, hook: str, receiver: WebhookReceiver, status: int
) -> None:
    receiver.every, receiver.retry_after = status, "600"
    done = run("newscrawl", "feed", "--database", database, hook)
    assert (done.returncode, len(receiver.bodies)) == (75, 1)
    assert f"it answered {status}" in done.stderr
    assert "asked for a pause of 600 s" in done.stderr
    receiver.every = None
    assert run("newscrawl", "feed", "--database", database, hook).returncode == 0
    assert receiver.taken == ["ferry"]


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_an_error_and_not_tried_again(
    run: Run, database: str, hook: str, receiver: WebhookReceiver, status: int
) -> None:
    receiver.every, receiver.retry_after = status, "600"
    done = run("newscrawl", "feed", "--database", database, hook)
    assert (done.returncode, len(receiver.bodies)) == (2, 1)


def test_with_follow_the_pause_is_kept_and_the_command_goes_on(
    database: str, hook: str, receiver: WebhookReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver.every, receiver.retry_after = 429, "600"
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            receiver.every = None
        if receiver.taken:
            raise KeyboardInterrupt

    monkeypatch.setattr(feed, "time", SimpleNamespace(sleep=sleep))
    done = CliRunner().invoke(main, ["feed", "--database", database, hook, "--follow"])
    assert pauses == [600, 600, feed.PAUSE]
    assert len(receiver.bodies) == 3
    assert done.stderr.count("it answered 429") == 1
    assert receiver.taken == ["ferry"]
