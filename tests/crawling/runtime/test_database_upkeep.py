"""Upkeep removes in small parts what the settings call too old, continues after a kill, and runs daily in `run`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import warm
from made_pages import NOW, made_page
from patience import PATIENCE
from scrapy.settings import Settings
from source_items import record_event

from newscrawl import reports
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.retention import retention_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime import database_upkeep
from newscrawl.crawling.runtime.database_upkeep import Upkeep, running_upkeep
from newscrawl.errors import ConfigurationError, StorageError
from newscrawl.publishing.search import Filters, find_stories, open_index, parse_query, update_index
from newscrawl.reports.sites import totals
from newscrawl.storage import events
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.reader import open_reader
from newscrawl.storage.removal.retention import RetentionLimits, RetentionTimes
from newscrawl.storage.store import Store, open_store
from newscrawl.workers.processes.failpoints import MID_TRANSACTION, UPKEEP_PART

DAY = timedelta(days=1)
PAGES = 12
CHILD = """
import sys
from datetime import datetime, timedelta
from newscrawl.crawling.runtime import database_upkeep
from newscrawl.storage.store import open_store
from newscrawl.storage.removal import retention
from newscrawl.storage.removal.retention import RetentionTimes, RetentionLimits

database_upkeep.ROWS = retention.SPAN = database_upkeep.SPAN = 2
with open_store(sys.argv[1], upgrade=False) as store:
    kept = RetentionLimits(RetentionTimes(timedelta(10), timedelta(5), timedelta(5)))
    database_upkeep.Upkeep(kept, None, datetime.fromisoformat(sys.argv[2])).work(store)
"""


def test_settings_say_how_long_things_are_kept() -> None:
    said = {"*": {"events": 90, "versions": 7}, "elpais": {"articles": 0.5, "versions": 0}}
    found = retention_of(config_of(Settings({"NEWSCRAWL_RETENTION": said})))
    assert found.of("abc") == RetentionTimes(versions=7 * DAY, events=90 * DAY)
    assert found.of("elpais") == RetentionTimes(articles=DAY / 2, events=90 * DAY)
    assert retention_of(Config()) == RetentionLimits()


@pytest.mark.parametrize("said", [{"*": 30}, {"a": {"article": 3}}, {"a": {"events": -1}}, {"a": {"events": "long"}}])
def test_settings_that_cannot_work_are_named(said: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="NEWSCRAWL_RETENTION"):
        retention_of(config_of(Settings({"NEWSCRAWL_RETENTION": said})))


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'news.db'}"


def save(store: Store, number: int, day: int, text: str = "") -> None:
    text = f"Ferry number {number} {text} left the harbour for the far shore. " * 12
    made = made_page(f"https://harbour.example/{number}", text, fetched_at=NOW + day * DAY, title=f"Ferry {number}")
    store.save(made).result(timeout=PATIENCE)


@pytest.fixture
def filled(database: str) -> str:
    """Pages of twelve days, the even ones with an earlier text."""
    with open_store(database, upgrade=True, max_wait=0.01) as store:
        for number in range(PAGES):
            if number % 2 == 0:
                save(store, number, number - 1, "first")
            save(store, number, number)
    return database


def shown(database: str) -> dict[int, str]:
    with open_reader(database) as connection:
        return {article.id: article.url for article in reports.articles(connection)}


def test_a_look_counts_what_the_work_then_does_once(filled: str) -> None:
    keep = RetentionLimits(RetentionTimes(articles=10 * DAY, versions=5 * DAY, events=5 * DAY))
    upkeep = Upkeep(keep, None, NOW + 15 * DAY)
    told = upkeep.look(lambda: open_reader(filled))
    assert (told["pages"], told["versions"], told["events"] > 0) == (5, 3, True)
    with open_store(filled, upgrade=False) as store:
        store.run(consumers.save, "slow", 4, None, NOW).result()
        done = upkeep.work(store)
        assert (done["pages"], done["versions"], done["events"]) == (5, 3, told["events"])
        assert (done["texts"], done["changes"]) == (5 + 3 + 3, 1)
        assert sum(upkeep.work(store).values()) == 0
        store.run(consumers.drop, "slow").result()
        assert set(+upkeep.work(store)) <= {"changes", "events"}
        with store.reading() as connection:
            assert changes.superseded(connection, 10**6, 9) == []
    assert len(shown(filled)) == PAGES - 5


def test_an_address_keeps_its_newest_twenty_events_and_its_dead_letters(database: str) -> None:
    url, other = "https://harbour.example/a", "https://harbour.example/b"
    with open_store(database, upgrade=True, max_wait=0.01) as store:
        refused = made_page(url, "a text without hashes", content_hash=None)
        assert store.save(refused).result(timeout=PATIENCE).kind == "dead_letter"
        for number in range(25):
            store.run(record_event, url, "harbour", "http/503", str(number), 503, NOW).result(timeout=PATIENCE)
        store.run(record_event, other, "harbour", "http/503", "other", 503, NOW).result(timeout=PATIENCE)

        def told() -> list[str]:
            with store.reading() as connection:
                return [event.reason for event in events.load_urls(connection, [url, other])]

        newest = [*map(str, range(5, 25)), "other"]
        assert told() == newest
        upkeep = Upkeep(RetentionLimits(), None, NOW)
        assert upkeep.look(store.reading)["events"] == 5
        assert [upkeep.work(store)["events"] for _ in range(2)] == [5, 0]
        assert told() == newest
        with store.reading() as connection:
            assert totals(connection)[0].dead_letters == 1


@pytest.mark.parametrize("failpoint", [f"{MID_TRANSACTION}:2", f"{UPKEEP_PART}:6"])
def test_a_kill_in_an_upkeep_leaves_feed_and_index_right_and_the_next_does_the_rest(
    filled: str, failpoint: str
) -> None:
    index = open_index(filled)
    update_index(index, lambda: open_reader(filled))
    now = NOW + 15 * DAY
    command = [sys.executable, "-c", CHILD, filled, now.isoformat()]
    done = warm.run(command, env={**os.environ, "NEWSCRAWL_FAILPOINT": failpoint}, timeout=PATIENCE, check=False)
    assert done.returncode == -signal.SIGKILL
    for _ in range(2):
        update_index(index, lambda: open_reader(filled))
        with open_reader(filled) as connection:
            hits = find_stories(index, connection, parse_query("ferry"), Filters(), 99)
        assert {hit.url for hit in hits} == set(shown(filled).values())
        warm.run(command, timeout=PATIENCE, check=True)
    index.close()
    assert len(shown(filled)) == PAGES - 5


def test_beside_crawls_it_is_done_by_itself_and_ends_when_it_is_to(
    filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_upkeep, "FIRST", 0.01)
    settings = Settings({"NEWSCRAWL_RETENTION": {"harbour": {"articles": 10}}, "NEWSCRAWL_ARCHIVE_URL": "off"})
    settings.set("NEWSCRAWL_PRUNE_INTERVAL_HOURS", 1)

    async def run() -> None:
        async with running_upkeep(store, config_of(settings), lambda: NOW + 15 * DAY):
            async with asyncio.timeout(PATIENCE):
                while len(await asyncio.to_thread(shown, filled)) > PAGES - 5:  # noqa: ASYNC110  of a database
                    await asyncio.sleep(0.02)
        settings.set("NEWSCRAWL_PRUNE_INTERVAL_HOURS", 0)
        async with running_upkeep(store, config_of(settings)):
            assert len(asyncio.all_tasks()) == 1

    with open_store(filled, upgrade=False) as store:
        asyncio.run(run())
        stopped = replace(
            Upkeep(RetentionLimits(RetentionTimes(articles=DAY)), None, NOW + 99 * DAY), goes_on=lambda: False
        )
        assert not sum(stopped.work(store).values())


def test_an_outage_is_a_line_at_its_begin_and_one_at_its_end(filled: str, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings({"NEWSCRAWL_PRUNE_INTERVAL_HOURS": 0.001 / 3_600, "NEWSCRAWL_ARCHIVE_URL": "off"})
    failures, done = [StorageError("the database does not answer")] * 3, asyncio.Event()

    async def is_ours() -> bool:
        if failures:
            raise failures.pop()
        if caplog.records[-1].levelname == "WARNING":
            done.set()
        return True

    async def run() -> None:
        async with running_upkeep(store, config_of(settings), is_ours=is_ours), asyncio.timeout(PATIENCE):
            await done.wait()

    with open_store(filled, upgrade=False) as store:
        asyncio.run(run())
    assert [one.getMessage() for one in caplog.records if one.name.endswith("database_upkeep")] == [
        "upkeep of the database: the database does not answer",
        "upkeep of the database is done again",
    ]
