"""Standing searches beside the crawls: one process evaluates them, and a run that ends by itself sends all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import feedparser
import pytest
from made_pages import NOW, made_page
from patience import PATIENCE

from newscrawl.config.catalogue import Config
from newscrawl.crawling.monitoring.watchdog import delivering
from newscrawl.errors import StorageError
from newscrawl.publishing.deliver.places import Notification, SearchSender, senders
from newscrawl.publishing.deliver.sender import Sender
from newscrawl.publishing.standing_searches import evaluate_all, save_search
from newscrawl.storage.store import Store


@pytest.fixture(autouse=True)
def found(store: Store, tmp_path: Path) -> None:
    """A search that writes a feed, and an article that it finds."""
    save_search(store, "ferries", "ferry", [f"atom:{tmp_path}/feed.xml"], 0, NOW)
    keep(store, "https://harbour.example/1", "Two ferries collided at night.")


def keep(store: Store, url: str, text: str) -> None:
    """Stores the article of a page."""
    store.save(made_page(url, text, language="en")).result(PATIENCE)


async def always() -> bool:
    return True


def entries(folder: Path) -> int:
    """How many entries the feed has; 0 without a file."""
    file = folder / "feed.xml"
    return len(feedparser.parse(file.read_bytes()).entries) if file.exists() else 0


def sender(store: Store, places: Mapping[str, SearchSender] | None = None) -> Sender:
    return Sender(store, {}, places or senders(None), lambda: NOW)


async def run(
    store: Store,
    until: Callable[[], bool],
    *,
    ours: bool = True,
    places: Mapping[str, SearchSender] | None = None,
) -> None:
    """Runs the service until a condition holds when it looks for work."""
    done = asyncio.Event()

    async def is_ours() -> bool:
        if until():
            done.set()
        return ours

    sending = delivering(store, Config(), sender(store, places), is_ours, 0.01, lambda: NOW)
    async with sending, asyncio.timeout(PATIENCE):
        await done.wait()


def test_what_is_found_is_sent_while_the_fleet_runs(store: Store, tmp_path: Path) -> None:
    asyncio.run(run(store, lambda: entries(tmp_path) == 1))


def test_another_process_does_it_while_the_lease_is_not_ours(store: Store, tmp_path: Path) -> None:
    looks = iter(range(4))
    asyncio.run(run(store, lambda: next(looks, None) is None, ours=False))
    assert entries(tmp_path) == 0


def test_a_run_that_ends_by_itself_sends_what_it_found(store: Store, tmp_path: Path) -> None:
    async def short() -> None:
        async with delivering(store, Config(), sender(store), always, 0.01, lambda: NOW, finish=True):
            pass

    asyncio.run(short())
    assert entries(tmp_path) == 1


def test_an_outage_is_a_line_at_its_begin_and_one_at_its_end(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    usual = Sender.send
    failures = [StorageError("the disk is full")] * 3

    def fail_thrice(*arguments: object) -> object:
        if failures:
            raise failures.pop()
        return usual(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Sender, "send", fail_thrice)
    asyncio.run(run(store, lambda: entries(tmp_path) == 1))
    assert [record.getMessage() for record in caplog.records] == [
        "standing searches: the disk is full",
        "standing searches are evaluated and sent again",
    ]


def test_what_a_killed_process_sent_is_sent_alone_before_new_events(store: Store) -> None:
    sent: list[list[str]] = []

    def send(_: str, notification: Notification) -> None:
        sent.append([article.url for article in notification.articles.values()])

    save_search(store, "hook", "ferry", ["webhook:https://desk.example/"], 0, NOW)
    keep(store, "https://harbour.example/2", "A ferry burned.")
    evaluate_all(store, lambda: NOW)  # killed before it stored that the receiver has accepted this
    keep(store, "https://harbour.example/3", "A third ferry sank.")
    every = {"webhook": send, "atom": lambda *_: None}
    asyncio.run(run(store, lambda: sum(map(len, sent)) >= 2, places=every))
    assert sent == [["https://harbour.example/2"], ["https://harbour.example/3"]]
