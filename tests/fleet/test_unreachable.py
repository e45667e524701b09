"""A site that answers 503, under `newscrawl run`: what the commands say, the alarm, and how it ends.

Minutes pass by moving all stored times back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fleet_process import FleetProcess
from patience import wait_until
from sqlalchemy import select

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.storage.engine.types import UtcDateTime
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.frontier import hosts, sites, sources
from newscrawl.testing.project import child_environment, write_project

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


class Site(KeepAliveServer):
    """A site, and the receiver of alarms at /alarms."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = 200
        self.asked: list[str] = []
        self.alarms: list[dict[str, Any]] = []


class Handler(KeepAliveHandler):
    server: Site

    def do_GET(self) -> None:  # noqa: N802
        self.server.asked.append(self.path)
        if self.server.status != 200:
            self.answer(self.server.status, {"Retry-After": str(PAUSE)}, b"")
        elif self.path == "/feed.xml":
            self.answer(200, {"Content-Type": "application/rss+xml"}, FEED)
        else:
            self.answer(404, {}, b"")

    def do_POST(self) -> None:  # noqa: N802
        self.server.alarms.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer(204, {}, b"")


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site().start()
    yield made
    made.stop()


@pytest.fixture
def fleet(tmp_path: Path, database: str, site: Site) -> Iterator[FleetProcess]:
    port = site.server_address[1]
    folder = tmp_path / "project"
    folder.mkdir()
    write_project(folder, SPIDER.format(port=port))
    settings = {
        "NEWSCRAWL_DATABASE_URL": database,
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_DELAY": "0.01",
        "NEWSCRAWL_ALERT_WEBHOOK": f"http://127.0.0.1:{port}/alarms",
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
    fleet: FleetProcess, database: str, site: Site, *, is_robots_read: bool
) -> None:
    command(fleet, "run", "--once")
    pass_time(database, 60 if is_robots_read else 60 * 25)  # robots.txt is read again after a day
    site.status = 503
    assert "0 refused by robots.txt, 0 gone, 1 failure\n" in command(fleet, "run", "--once")
    assert site.asked[-1] == ("/feed.xml" if is_robots_read else "/robots.txt")
    number = len(site.asked)
    rest = datetime.now(UTC) + timedelta(seconds=PAUSE)
    shown = {f"next visit {rest - timedelta(minutes=late):%Y-%m-%d %H:%M} UTC: its host rests" for late in (0, 1)}
    kind = "http/503" if is_robots_read else "robots/unreachable"
    for said in (command(fleet, "status"), command(fleet, "why", "harbour"), command(fleet, "why", _feed(site))):
        assert any(line in said for line in shown), said
        assert kind in said
        assert "1 in a row" in said
    assert not site.alarms

    pass_time(database, 9)
    fleet.start()  # the host still rests for a minute: no request until then
    wait_until(lambda: "site" in (fleet.folder / "run.log").read_text("utf-8"))
    pass_time_of_failures(database, 5)
    wait_until(lambda: len(site.alarms) == 1)
    assert len(site.asked) == number
    assert (site.alarms[0]["kind"], site.alarms[0]["event"], site.alarms[0]["site"]) == (
        "unreachable",
        "opened",
        "harbour",
    )
    assert "unreachable since" in command(fleet, "status")
    assert fleet.stop()[0] == 0

    site.status = 200
    pass_time(database, 10)
    fleet.start()
    wait_until(lambda: len(site.alarms) == 2)
    assert site.alarms[1]["event"] == "closed"
    assert source(database).failures == 0


def pass_time_of_failures(database: str, minutes: float) -> None:
    with open_store(database, upgrade=False) as store:
        since = sources.c.failing_since
        (row,) = store.run(lambda connection: connection.execute(select(since)).all()).result()
        back = sources.update().values(failing_since=row.failing_since - timedelta(minutes=minutes))
        store.run(lambda connection: connection.execute(back)).result()


def _feed(site: Site) -> str:
    return f"http://harbour.localhost:{site.server_address[1]}/feed.xml"


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
