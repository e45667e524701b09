"""`newscrawl feed` with receivers that cannot take changes now, and with those that refuse them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from patience import PATIENCE

from newscrawl.cli import feed
from newscrawl.cli.main import main
from newscrawl.model import ProcessedPage
from newscrawl.storage.store import open_store
from newscrawl.testing.services.webhook import WebhookReceiver, serving

Call = Callable[..., Result]


@pytest.fixture
def database(tmp_path: Path, made: Callable[..., ProcessedPage]) -> str:
    """A database with one article."""
    address = f"sqlite:///{tmp_path}/news.db"
    with open_store(address, upgrade=True) as store:
        page = made("https://harbour.example/ferry", "The ferry of the harbour leaves at noon. " * 12, "ferry")
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
    call: Call, database: str, hook: str, receiver: WebhookReceiver, status: int
) -> None:
    receiver.every, receiver.retry_after = status, "600"
    done = call("feed", "--database", database, hook)
    assert (done.exit_code, len(receiver.bodies)) == (75, 1)
    assert f"it answered {status}" in done.stderr
    assert "asked for a pause of 600 s" in done.stderr
    receiver.every = None
    assert call("feed", "--database", database, hook).exit_code == 0
    assert receiver.taken == ["ferry"]


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_an_error_and_not_tried_again(
    call: Call, database: str, hook: str, receiver: WebhookReceiver, status: int
) -> None:
    receiver.every, receiver.retry_after = status, "600"
    done = call("feed", "--database", database, hook)
    assert (done.exit_code, len(receiver.bodies)) == (2, 1)


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
