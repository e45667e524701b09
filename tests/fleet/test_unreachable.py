"""A site that answers 503, under `newscrawl run`: what the commands say, the alarm, and how it ends.

Minutes pass by moving all stored times back.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fleet_process import FleetProcess
from patience import wait_until
from sqlalchemy import select

from newscrawl.storage.engine.types import UtcDateTime
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.frontier import hosts, sites, sources
from newscrawl.testing.news_server import Answer, NewsServer
from newscrawl.testing.project import child_environment, write_project
from newscrawl.testing.services.webhook import WebhookReceiver, serving

PAUSE = 600
"""Seconds of the site's Retry-After."""
SPIDER = """
from newscrawl.crawling.spider import NewsSpider

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("harbour.localhost",)
    home = "http://harbour.localhost:{port}/"
    feeds = ("http://harbour.localhost:{port}/feed.xml",)
"""
FEED = b"<rss version='2.0'><channel><title>Harbour</title></channel></rss>"


class Site(NewsServer):
    """A site with a feed, while its status is 200."""

    status = 200

    def answer(self, path: str, etag: str | None, host: str = "") -> Answer:
        if self.status != 200:
            return self.status, {"Retry-After": str(PAUSE)}, b""
        return super().answer(path, etag, host)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as made:
        made.pages["/feed.xml"] = (200, {"Content-Type": "application/rss+xml"}, FEED)
        yield made


@pytest.fixture
def receiver() -> Iterator[WebhookReceiver]:
    """Of alarms."""
    made = WebhookReceiver()
    with serving(made):
        yield made


@pytest.fixture
def fleet(tmp_path: Path, database: str, site: Site, receiver: WebhookReceiver) -> Iterator[FleetProcess]:
    folder = tmp_path / "project"
    folder.mkdir()
    write_project(folder, SPIDER.format(port=site.port))
    settings = {
        "NEWSCRAWL_DATABASE_URL": database,
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_DELAY": "0.01",
        "NEWSCRAWL_FIRST_BACKOFF": "0.1",
        "NEWSCRAWL_ALERT_WEBHOOK": receiver.address,
        "NEWSCRAWL_WATCHDOG_INTERVAL": "0.5",
        "NEWSCRAWL_RUN_POLL_INTERVAL": "0.2",
    }
    made = FleetProcess(folder, child_environment(folder, settings))
    made.add_settings("from newscrawl.crawling.fleet import main", "main.DELIVER_EVERY = 0.3")
    yield made
    made.kill()


def command(fleet: FleetProcess, *words: str) -> str:
    done = fleet.command("newscrawl.cli", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def pass_time(database: str, minutes: float) -> None:
    """Moves the times of sources, sites and hosts back."""
    moved = timedelta(minutes=minutes)

    def work(connection: Any) -> None:
        seconds = {name: hosts.c[name] - moved.total_seconds() for name in ("next_at", "busy_until", "wanted_until")}
        connection.execute(hosts.update().values(seconds))
        for table in (sources, sites, hosts):
            (key,) = list(table.primary_key)
            times = [column.name for column in table.c if isinstance(column.type, UtcDateTime)]
            for row in connection.execute(select(table)).all():
                back = {name: getattr(row, name) - moved for name in times if getattr(row, name) is not None}
                if back:
                    connection.execute(table.update().where(key == getattr(row, key.name)).values(back))

    with open_store(database, upgrade=False) as store:
        store.run(work).result()


def source(database: str) -> Any:
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        return connection.execute(select(sources)).one()


@pytest.mark.parametrize("is_robots_read", [False, True])
def test_a_site_that_asks_for_a_pause_is_said_by_status_and_why_and_is_one_alarm_that_ends(
    fleet: FleetProcess, database: str, site: Site, receiver: WebhookReceiver, *, is_robots_read: bool
) -> None:
    command(fleet, "run", "--once")
    pass_time(database, 60 if is_robots_read else 60 * 25)  # robots.txt is read again after a day
    site.status = 503
    assert "0 refused by robots.txt, 0 gone, 1 failure\n" in command(fleet, "run", "--once")
    assert site.requests[-1][0] == ("/feed.xml" if is_robots_read else "/robots.txt")
    number = len(site.requests)
    rest = datetime.now(UTC) + timedelta(seconds=PAUSE)
    shown = {f"next visit {rest - timedelta(minutes=late):%Y-%m-%d %H:%M} UTC: its host rests" for late in (0, 1)}
    kind = "http/503" if is_robots_read else "robots/unreachable"
    for said in (command(fleet, "status"), command(fleet, "why", "harbour"), command(fleet, "why", _feed(site))):
        assert any(line in said for line in shown), said
        assert kind in said
        assert "1 in a row" in said
    assert not receiver.posted

    pass_time(database, 9)
    fleet.start()  # the host still rests for a minute: no request until then
    wait_until(lambda: "site" in (fleet.folder / "run.log").read_text("utf-8"))
    pass_time_of_failures(database, 5)
    wait_until(lambda: len(receiver.posted) == 1)
    assert len(site.requests) == number
    assert (receiver.posted[0]["kind"], receiver.posted[0]["event"], receiver.posted[0]["site"]) == (
        "unreachable",
        "opened",
        "harbour",
    )
    assert "unreachable since" in command(fleet, "status")
    assert fleet.stop()[0] == 0

    site.status = 200
    pass_time(database, 10)
    fleet.start()
    wait_until(lambda: len(receiver.posted) == 2)
    assert receiver.posted[1]["event"] == "closed"
    assert source(database).failures == 0


def pass_time_of_failures(database: str, minutes: float) -> None:
    with open_store(database, upgrade=False) as store:
        since = sources.c.failing_since
        (row,) = store.run(lambda connection: connection.execute(select(since)).all()).result()
        back = sources.update().values(failing_since=row.failing_since - timedelta(minutes=minutes))
        store.run(lambda connection: connection.execute(back)).result()


def _feed(site: Site) -> str:
    return f"http://harbour.localhost:{site.port}/feed.xml"


def test_the_next_visit_of_a_site_with_an_interval_is_the_one_that_is_made(
    fleet: FleetProcess, database: str, site: Site
) -> None:
    command(fleet, "run", "--once", "--interval", "3600")
    first = source(database)
    assert timedelta(seconds=3590) < first.next_due - first.last_fetched <= timedelta(seconds=3600)
    pass_time(database, 61)
    site.status = 500
    command(fleet, "run", "--once", "--interval", "3600")
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        began = connection.execute(select(sites.c.last_started).where(sites.c.last_started.is_not(None))).scalar_one()
    assert source(database).failures == 1
    assert abs(source(database).next_due - (began + timedelta(hours=1))) < timedelta(seconds=1)
