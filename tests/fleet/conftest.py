"""Local sites and a project that crawls them, each in a process of its own."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fleet_process import FleetProcess, make_project, served
from fleet_stories import WorldOptions
from patience import PATIENCE

from newscrawl.storage.store import open_store
from newscrawl.testing.services.local import free_port


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/fleet.db"
    open_store(url, upgrade=True).close()
    return url


@pytest.fixture
def make_fleet(tmp_path: Path, database: str) -> Iterator[Callable[..., FleetProcess]]:
    """A world of `sites` sites, and a project for it: `make_fleet(sites=2, world={...}, NEWSCRAWL_...=...)`. Unless a
    test says otherwise, sites ask for a short delay, and the fleet looks often for what is due."""
    with ExitStack() as stack:

        def make(sites: int = 2, world: dict[str, Any] | None = None, **settings: Any) -> FleetProcess:
            log = tmp_path / "requests.jsonl"
            log.touch()
            options = WorldOptions(sites=sites, log=str(log), **({"seconds": 3600.0, "delay": 0.1} | (world or {})))
            port, _ = stack.enter_context(served(options))
            folder = tmp_path / "project"
            folder.mkdir()
            quick = {"NEWSCRAWL_DELAY": 0.1, "NEWSCRAWL_RUN_POLL_INTERVAL": 0.2}
            fleet = make_project(folder, port, sites, database, **(quick | settings))
            stack.callback(fleet.kill)
            return fleet

        yield make


@pytest.fixture(name="free_port")
def _free_port() -> int:
    return free_port()


@pytest.fixture
def ask() -> Callable[[int, str], Any]:
    """What the health port answers, as soon as it answers: JSON as a value, else text."""

    def asked(port: int, path: str) -> Any:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
                    body = answer.read().decode()
                    return json.loads(body) if "json" in answer.headers["Content-Type"] else body
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    return asked
