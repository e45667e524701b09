"""`newscrawl run` while the disk of its archive, or of its database, is full: a file system in a mount namespace."""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fleet_process import FleetProcess, read_log
from patience import PATIENCE, wait_until

from newscrawl.storage.store import open_store

MakeFleet = Callable[..., FleetProcess]
SITES = 3
TICKS = 6
"""Checks of what is due, during which nothing is fetched."""
MOUNT = 'mount -t tmpfs -o size=$1 tmpfs "$0" && shift && exec "$@"'
FILL = 'mount -t tmpfs -o size=$1 tmpfs "$0" && dd if=/dev/zero of="$0/filler" bs=4k 2>/dev/null; shift; exec "$@"'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "disk"
    folder.mkdir()
    tried = subprocess.run(["unshare", "-m", "sh", "-c", MOUNT, folder, "1m", "true"], check=False, capture_output=True)
    if tried.returncode:
        pytest.skip("no mount namespace can be made here")
    return folder


def health(port: int) -> tuple[int, dict[str, Any]]:
    def asked() -> tuple[int, dict[str, Any]] | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)
        except OSError:
            return None

    wait_until(lambda: asked() is not None)
    return asked() or (0, {})


def test_while_the_archives_disk_is_full_nothing_is_fetched_and_two_lines_say_so(
    make_fleet: MakeFleet, free_port: int, tmp_path: Path, place: Path
) -> None:
    world = {"delay": 0.05, "mean_gap": 1.0, "pleas": 0.0}
    settings = {"NEWSCRAWL_ARCHIVE_URL": str(place), "NEWSCRAWL_ARCHIVE_MIN_FREE_GB": "0"}
    fleet = make_fleet(sites=SITES, world=world, **settings)
    fleet.add_settings("from newscrawl.archive import writer", "writer.FIRST_PAUSE, writer.MAX_PAUSE = 0.5, 2.0")
    fleet.before = ("unshare", "-m", "sh", "-c", FILL, str(place), "1m")
    fleet.start("--health", str(free_port))
    wait_until(lambda: "space" in health(free_port)[1].get("problem", ""))
    assert health(free_port)[0] == 503
    log = tmp_path / "requests.jsonl"
    seen = {health(free_port)[1]["last_tick"]}
    asked = len(read_log(log))

    def ticked() -> bool:
        seen.add(health(free_port)[1]["last_tick"])
        return len(seen) > 2 * TICKS  # a fifth of a second apart

    wait_until(ticked)
    assert len(read_log(log)) - asked <= SITES  # requests that were on their way
    pages = [
        one for one in read_log(log) if one["status"] == 200 and "xml" not in one["path"] and "txt" not in one["path"]
    ]
    assert len(pages) <= 2 * SITES
    assert health(free_port)[0] == 503
    assert fleet.process is not None
    Path(f"/proc/{fleet.process.pid}/root{place}/filler").unlink()
    wait_until(lambda: health(free_port)[0] == 200)
    assert fleet.stop()[0] == 0
    lines = [line for line in (fleet.folder / "run.log").read_text("utf-8").splitlines() if "INFO" not in line]
    assert len([line for line in lines if "fetching pauses" in line]) == 1
    assert len([line for line in lines if "takes pages again" in line]) == 1
    assert len(lines) <= 4, lines


def test_while_the_databases_disk_is_full_health_says_so_until_a_page_is_stored(
    make_fleet: MakeFleet, free_port: int, tmp_path: Path, place: Path
) -> None:
    world = {"delay": 0.05, "mean_gap": 0.3, "pleas": 0.0}
    address = f"sqlite:///{place}/news.db"
    settings = {"NEWSCRAWL_DATABASE_URL": address, "NEWSCRAWL_ARCHIVE_URL": "off", "NEWSCRAWL_RUN_POLL_INTERVAL": 1}
    fleet = make_fleet(sites=SITES, world=world, **settings)  # with the usual pauses: a page may fit now and then
    made = tmp_path / "made.db"
    open_store(f"sqlite:///{made}", upgrade=True).close()
    copy = f'mount -t tmpfs -o size=$1 tmpfs "$0" && cp {made} "$0/news.db" && shift && exec "$@"'
    fleet.before = ("unshare", "-m", "sh", "-c", copy, str(place), "3m")
    fleet.start("--health", str(free_port))
    wait_until(lambda: "full" in health(free_port)[1].get("problem", ""))
    statuses = []
    seen: set[str] = set()

    def ticked() -> bool:
        status, said = health(free_port)
        statuses.append(status)
        seen.add(str(said["last_tick"]))
        return len(seen) > TICKS or len(statuses) > 200

    wait_until(ticked)
    assert set(statuses) == {503}
    log = (fleet.folder / "run.log").read_text("utf-8")
    assert "answers again" not in log
    assert fleet.process is not None
    subprocess.run(
        ["nsenter", "-t", str(fleet.process.pid), "-m", "mount", "-o", "remount,size=90m", str(place)], check=True
    )
    wait_until(lambda: health(free_port)[0] == 200)
    assert fleet.stop()[0] == 0
    lines = [line for line in (fleet.folder / "run.log").read_text("utf-8").splitlines() if "INFO" not in line]
    assert len([line for line in lines if "stores pages again" in line or "answers again" in line]) == 1, lines
    assert len(lines) <= 12, lines
