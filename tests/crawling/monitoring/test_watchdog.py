"""The watchdog opens and closes each alarm once, logs it, and sends it to a webhook without delaying the crawl."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from made_pages import made_page
from patience import PATIENCE
from scrapy.settings import Settings

from newscrawl.cli.main import main
from newscrawl.config.reading import config_of
from newscrawl.crawling.monitoring.watchdog import delivering, watched
from newscrawl.crawling.runtime.setting_checks import check_settings
from newscrawl.errors import ConfigurationError
from newscrawl.model import PublishedDate
from newscrawl.monitoring.watchdog import log
from newscrawl.publishing.deliver.places import SETTING
from newscrawl.publishing.deliver.sender import Sender
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import AlarmChanges
from newscrawl.storage.monitoring.checks import WatchScope, accept, check
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store
from newscrawl.testing.news_server import NewsServer
from newscrawl.testing.project import write_project
from newscrawl.testing.services.webhook import WebhookReceiver, serving
from newscrawl.testing.site_crawl import crawl_site

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class Life:
    """A fleet lived through hour by hour: what was stored, crawled and checked."""

    def __init__(self, store) -> None:
        self.store = store
        self.number = 0
        self.opened = []
        self.closed = []

    def wait(self, function, *args):
        return self.store.run(function, *args).result(timeout=PATIENCE)

    def save(self, site, at, appeared=None, *, text="words ", **changes):
        self.number += 1
        url = f"https://{site}.example/{self.number}"
        said = {"published": PublishedDate(appeared or at, "json-ld", "second"), "authors": ("A. Writer",)} | changes
        made = made_page(url, f"{self.number} {text * 200}", fetched_at=at, site=site, title="A title", **said)
        return self.store.save(made)

    def hour(self, at, each, /, *, asleep=(), **changes):
        """One hour: so many articles of each site, a crawl of each, a check."""
        futures = [
            self.save(site, at + timedelta(minutes=5 * n), **changes)
            for site, most in each.items()
            for n in range(most)
        ]
        self.store.flush()
        for future in futures:
            future.result(timeout=PATIENCE)
        return self.check(at + HOUR, asleep, crawled=each)

    def check(self, at, asleep=(), crawled=()):
        """A check, and before it the end of a crawl of each site of `crawled`, in one transaction."""

        def work(connection):
            for site in crawled:
                sites.note_finish(connection, site, at)
            return check(connection, at, WatchScope(None, MONDAY, None, asleep))

        news = self.wait(work)
        self.opened += news.opened
        self.closed += news.closed
        return news

    def days(self, start, days, each, /, **changes):
        for number in range(days * 24):
            self.hour(start + number * HOUR, each, **changes)
        return start + days * DAY


@pytest.fixture
def life(store) -> Life:
    return Life(store)


class Lived(NamedTuple):
    """A life up to a time: its database, how many articles it has, and the alarms that were opened."""

    file: Path
    until: datetime
    number: int
    opened: list[Any]


@contextmanager
def going_on(lived, file):
    """A copy of that life at `file`, to go on with."""
    shutil.copy(lived.file, file)
    with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as store:
        life = Life(store)
        life.number, life.opened = lived.number, [*lived.opened]
        yield life


@pytest.fixture(scope="session")
def nine_days(tmp_path_factory):
    """A life of two sites, nine days of an article an hour and of two, without an alarm."""
    file = tmp_path_factory.mktemp("watchdog") / "news.db"
    with open_store(f"sqlite:///{file}", upgrade=True, max_wait=0.01) as store:
        life = Life(store)
        now = life.days(MONDAY, 9, {"harbour": 1, "valley": 2})
        assert not life.opened
    return Lived(file, now, life.number, [])


@pytest.fixture(scope="session")
def redesigned(nine_days, tmp_path_factory):
    """That life and two more days, in which no article states a date."""
    file = tmp_path_factory.mktemp("redesigned") / "news.db"
    with going_on(nine_days, file) as life:
        now = life.days(nine_days.until, 2, {"harbour": 1, "valley": 2}, published=None)
    return Lived(file, now, life.number, life.opened)


@pytest.fixture
def usual(nine_days, tmp_path):
    """The life of nine days, to go on with, and its time."""
    with going_on(nine_days, tmp_path / "usual.db") as life:
        yield life, nine_days.until


@pytest.fixture
def undated(redesigned, tmp_path):
    """The life with two days without dates, to go on with, and its time."""
    with going_on(redesigned, tmp_path / "undated.db") as life:
        yield life, redesigned.until


def test_a_site_that_falls_silent_is_one_alarm_which_ends_when_it_speaks_again(usual):
    life, now = usual
    now = life.days(now, 2, {"harbour": 0, "valley": 2})
    (alarm,) = life.opened
    assert (alarm.site, alarm.kind) == ("harbour", "quiet")
    assert alarm.since <= MONDAY + 9 * DAY
    assert alarm.opened_at < MONDAY + 10 * DAY
    assert "no new article since 2026-03-1" in alarm.message
    assert alarm.details["seen"] == 0
    life.days(now, 1, {"harbour": 1, "valley": 2})
    assert [one.id for one in life.closed] == [alarm.id]
    assert len(life.opened) == 1


def test_a_fleet_that_falls_silent_is_one_alarm_and_not_one_for_each_site(usual):
    life, now = usual
    life.days(now, 1, {"harbour": 0, "valley": 0})
    assert [alarm.site for alarm in life.opened] == ["*"]
    assert "the whole fleet is quiet" in life.opened[0].message


def test_a_fleet_that_crawls_nothing_any_more_is_noticed_as_well(usual):
    life, now = usual
    for number in range(30):
        life.check(now + number * HOUR)
    assert [alarm.site for alarm in life.opened] == ["*"]


def test_a_paused_site_is_no_alarm(usual):
    life, now = usual
    life.days(now, 2, {"harbour": 0, "valley": 2}, asleep={"harbour"})
    assert not life.opened


def test_dates_that_vanish_after_a_redesign_are_an_alarm_that_names_them(undated):
    life, now = undated
    found = {alarm.site: alarm for alarm in life.opened if alarm.kind == "extraction"}
    assert set(found) == {"harbour", "valley"}
    message = found["valley"].message
    assert "extraction looks broken since 2026-03-11" in message
    assert "published missing on" in message
    assert "(usually 0%)" in message
    life.days(now, 2, {"harbour": 1, "valley": 2})
    assert {alarm.site for alarm in life.closed if alarm.kind == "extraction"} == set(found)


def test_hundreds_of_broken_pages_at_once_do_not_become_usual(usual):
    life, now = usual
    for future in [life.save("valley", now, published=None) for _ in range(500)]:
        future.result(timeout=PATIENCE)
    life.check(now + HOUR)
    assert len(life.opened) == 1
    (alarm,) = life.wait(alarms.open_alarms)
    assert "published missing on 100% (usually 0%)" in alarm.message


def test_an_operator_can_say_that_it_is_now_as_it_is(undated):
    life, now = undated
    closed = life.wait(accept, "valley", now)
    assert {alarm.site for alarm in closed} == {"valley"}
    before = len(life.opened)
    life.days(now, 2, {"valley": 2}, published=None)
    assert "valley" not in {alarm.site for alarm in life.opened[before:]}


def test_a_crawl_that_stands_alone_judges_its_own_site_and_takes_a_day_for_what_was_between(life):
    for day in range(20):
        for number in range(6):
            at = MONDAY + (day + 1) * DAY
            life.save("harbour", at, at - (number + 1) * 3 * HOUR).result(timeout=PATIENCE)
        life.opened += life.wait(check, MONDAY + (day + 1) * DAY, WatchScope("harbour")).opened
    assert not life.opened
    for day in range(20, 26):
        life.opened += life.wait(check, MONDAY + (day + 1) * DAY, WatchScope("harbour")).opened
    (alarm,) = life.opened
    assert alarm.site == "harbour"
    assert alarm.opened_at <= MONDAY + 24 * DAY


def test_the_log_says_each_alarm_in_one_line(usual, caplog):
    life, now = usual
    life.days(now, 1, {"harbour": 0, "valley": 2})
    with caplog.at_level(logging.WARNING):
        log(life.check(now + DAY + HOUR))
        assert not caplog.records
        log(AlarmChanges(tuple(life.opened)))
    (record,) = caplog.records
    assert record.getMessage().startswith("alarm: harbour: no new article since")


class Receiver(WebhookReceiver):
    """Answers while `hold` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.hold = threading.Event()
        self.hold.set()

    def answer(self, body: bytes) -> int:
        self.hold.wait(PATIENCE)
        return super().answer(body)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    with serving(found):
        yield found
        found.hold.set()


def tell(store, url, at):
    Sender.of(store, config_of(Settings({SETTING: url})), lambda: at).send()


async def ours():
    return True


def sending(store, config):
    """The service of `newscrawl run` that sends, every 50 ms."""
    return delivering(store, config, Sender.of(store, config, lambda: datetime.now(UTC)), ours, 0.05)


def opened(life, now):
    alarm = alarms.Alarm("harbour", "quiet", "warning", now, now, "no new article", {"seen": 0})
    return life.wait(alarms.begin, alarm)


def test_name_and_password_of_the_address_are_sent_as_such(life, receiver):
    opened(life, MONDAY)
    tell(life.store, receiver.address.replace("//", "//me:s%40cret@"), MONDAY)
    assert receiver.headers[0]["Authorization"] == "Basic bWU6c0BjcmV0"


@pytest.mark.parametrize("address", ["alerts", "ftp://a.example/", "http://", "http://a b/", "http://a.example:x/"])
def test_a_webhook_that_is_no_address_is_said_at_the_start_without_its_secrets(address):
    with pytest.raises(ConfigurationError, match=SETTING):
        check_settings(Settings({SETTING: address}), {})


def test_a_webhook_that_does_not_answer_keeps_no_check_waiting(life, receiver):
    receiver.hold.clear()
    opened(life, datetime.now(UTC) - HOUR)
    settings = Settings({SETTING: receiver.address, "NEWSCRAWL_WATCHDOG_INTERVAL": 0.05})
    asked = []

    async def run() -> None:
        enough = asyncio.Event()

        def asleep(now):
            asked.append(now)
            if len(asked) == 5:
                enough.set()
            return ()

        async with (
            sending(life.store, config_of(settings)),
            watched(life.store, life.store, config_of(settings), lambda: ["harbour"], asleep),
        ):
            await enough.wait()
            receiver.hold.set()

    asyncio.run(run())
    assert len(asked) >= 5


SPIDER = """
from newscrawl.crawling.spider import NewsSpider
from newscrawl.publishing.deliver.places import SETTING
from newscrawl.publishing.deliver.sender import Sender

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("harbour.example",)
    feeds = ("https://news.harbour.example/news.xml",)
"""


def harbour_story(number: int, date: str) -> str:
    paragraphs = "".join(
        f"<p>On day {day} of story {number} the council spoke about ferry {number * day}, its price and its crew.</p>"
        for day in range(12)
    )
    return f"<html><title>Story {number}</title><body><h1>Story {number}</h1>{date}{paragraphs}</body></html>"


@pytest.mark.parametrize("is_dated", [True, False])
def test_new_articles_whose_only_date_is_of_this_minute_or_missing_are_neither_held_nor_an_alarm(tmp_path, is_dated):
    write_project(tmp_path / "project", SPIDER)
    database = tmp_path / "news.db"
    with NewsServer() as site:

        def crawl(numbers: range, date: str) -> set[str]:
            for number in numbers:
                site.pages[f"/{number}"] = harbour_story(number, date)
            site.feed("/news.xml", *((f"https://news.harbour.example/{number}", "") for number in numbers))
            stored = crawl_site(tmp_path / "project", "harbour", site, database=database).articles
            with open_reader(f"sqlite:///{database}") as connection:
                for alarm in alarms.open_alarms(connection):
                    assert (alarm.severity, alarm.kind) != ("critical", "extraction"), alarm.message
            return {article.url for article in stored}

        crawl(range(40), "<div class='date'>2026-03-02 10:00</div>")
        now = datetime.now(UTC)
        shown = crawl(range(40, 52), f"<div class='date'>{now:%Y-%m-%d %H:%M}</div>" if is_dated else "")
    assert shown == {f"https://news.harbour.example/{number}" for number in range(52)}
    exported = CliRunner().invoke(main, ["export", "--database", f"sqlite:///{database}", "--format", "jsonl"])
    dates = {row["url"]: row["published"] for row in map(json.loads, exported.stdout.splitlines())}
    assert len(dates) == 52
    assert all((dates[f"https://news.harbour.example/{number}"] is not None) == is_dated for number in range(40, 52))
