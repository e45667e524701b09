"""A machine that crawls removes from its archive what was forgotten on another: at its start, and while it crawls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fleet_process import FleetProcess, read_log
from patience import wait_until

from newscrawl.archive.remove import forget
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.storage import machines
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.locations import BEGIN, Selection
from newscrawl.storage.store import open_store

MakeFleet = Callable[..., FleetProcess]
WORLD = {"mean_gap": 1e9, "pleas": 0.0}


def crawl(fleet: FleetProcess, *arguments: str) -> None:
    done = fleet.command(*arguments)
    assert done.returncode == 0, done.stderr


def archived(database: str) -> list[str]:
    """The addresses of pages in the archive, oldest first."""
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        return list(dict.fromkeys(row.url for row in locations.part(connection, Selection(), BEGIN, 1_000)))


def forget_on_anna(database: str, folder: Path, url: str) -> None:
    with open_store(database, upgrade=False) as store:
        (asked,) = forget(store, ArchiveSettings(folder / "anna", machine="anna"), [url]).waiting
    assert asked.machine == "bert"


def is_anything_open(database: str) -> bool:
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        return bool(archive_files.waiting(connection))


def is_crawling(database: str) -> bool:
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        return bool(machines.living(connection))


def test_it_is_removed_before_a_crawl_and_beside_it(make_fleet: MakeFleet, database: str, tmp_path: Path) -> None:
    fleet = make_fleet(sites=1, world=WORLD, NEWSCRAWL_TIME_SCALE=1, NEWSCRAWL_MACHINE="bert")
    fleet.add_settings("from newscrawl.crawling.runtime import crawl_services", "crawl_services.ATTENDED_EVERY = 0.3")
    crawl(fleet, "newscrawl.cli", "run", "--once")
    first, second, third, *_ = archived(database)
    requests = len(read_log(tmp_path / "requests.jsonl"))

    forget_on_anna(database, tmp_path, first)
    crawl(fleet, "newscrawl.cli", "run", "--once")
    assert not is_anything_open(database)
    assert len(read_log(tmp_path / "requests.jsonl")) == requests, "nothing was due, and still it is removed"

    forget_on_anna(database, tmp_path, second)
    crawl(fleet, "scrapy", "crawl", "site0")
    assert not is_anything_open(database)

    fleet.start()
    wait_until(lambda: is_crawling(database))
    forget_on_anna(database, tmp_path, third)
    wait_until(lambda: not is_anything_open(database))
    fleet.stop()
    assert not {first, second, third} & set(archived(database))
