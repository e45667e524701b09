"""Commands that ask sites claim each host in the database, as the requests of a crawl do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import replica_habits as habits
import warm
from patience import PATIENCE, wait_until
from replicas import Replicas
from stored_rows import is_wanted

from newscrawl.crawling.downloader.claims import row_key
from newscrawl.crawling.downloader.throttle import host_key
from newscrawl.storage.frontier import hosts
from newscrawl.storage.frontier.hosts import HostNote
from newscrawl.storage.store import Store, open_store

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
HELD = 3_000.0
"""Seconds of a turn."""
OTHER = "ada/1/boot"
DOCTOR = ("alpha", "beta")
"""The first two declared sites, whose robots.txt `newscrawl doctor` requests."""
COMMANDS = {
    "delta": ("check", "delta", "--live"),
    "gamma": ("add-site",),
    "omega": ("extract",),
    "alpha": ("doctor", "--json"),
}
"""The commands by a site that only they ask. `doctor` comes last, because it does not wait for long."""
DECLARED = """
class {title}(NewsSpider):
    name = "{name}"
    domains = ("{name}.localhost",)
    home = "{home}"
"""


def started(project: Path, database: str, *command: str) -> warm.Popen:
    given = {
        "PYTHONPATH": f"{project}{os.pathsep}{ROOT}",
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.1/32",
        "NEWSCRAWL_DELAY": "0",
        "NEWSCRAWL_DATABASE_URL": database,
    }
    return warm.Popen(
        [sys.executable, "-m", "newscrawl.cli", *command],
        cwd=project,
        env={**os.environ, **given},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def hold(store: Store, keys: Iterable[str]) -> None:
    """Another process gets the turns of hosts."""
    claims = dict.fromkeys(keys, 0.0)
    answers = store.at_once(hosts.exchange, OTHER, [], claims, HELD, lambda _: False).result(PATIENCE)
    assert len(answers) == len(claims)


@pytest.mark.postgresql
def test_commands_wait_for_the_turns_of_their_hosts(replicas: Replicas, project: Path, empty_postgresql: str) -> None:
    sites = {name: replicas.site(name) for name in (*DOCTOR, "delta", "gamma", "omega")}
    keys = {name: row_key(host_key(site.home)) for name, site in sites.items()}
    for site in sites.values():
        habits.wordpress_dates(site)
    declared = [DECLARED.format(title=name.title(), name=name, home=sites[name].home) for name in (*DOCTOR, "delta")]
    lines = ["from newscrawl.crawling.spider import NewsSpider", "", *declared]
    (project / "spiders" / "sites.py").write_text("\n".join(lines), "utf-8")
    running = {}
    with open_store(empty_postgresql, upgrade=True) as store:
        hold(store, keys.values())
        for name, words in COMMANDS.items():
            command = (*words, sites[name].home) if name in {"gamma", "omega"} else words
            running[name] = started(project, empty_postgresql, *command)
            wait_until(lambda key=keys[name]: store.run(is_wanted, key).result(PATIENCE))
        assert replicas.addresses == []
        releases = [HostNote(key, 0.0, None, is_released=True) for key in keys.values()]
        store.at_once(hosts.exchange, OTHER, releases, {}, HELD, lambda _: False).result(PATIENCE)
        ended = {name: (process.communicate(timeout=PATIENCE), process.returncode) for name, process in running.items()}
    assert ended["gamma"][1] == 0, ended["gamma"]
    assert (project / "spiders" / "gamma.py").exists()
    asked = {name: [path for path in replicas.addresses if path.startswith(f"{name}.")] for name in sites}
    assert all(len(asked[name]) == 1 for name in DOCTOR), "robots.txt alone"
    assert '"its robots.txt' in ended["alpha"][0][0] or '"it has no robots.txt' in ended["alpha"][0][0], ended["alpha"]
    assert len(asked["delta"]) > 2, ended["delta"]
    assert len(asked["omega"]) == 2, "robots.txt and the page"


def test_a_database_that_is_away_is_said_before_anything_is_requested(replicas: Replicas, project: Path) -> None:
    site = replicas.site("town")
    with started(project, "postgresql://user@127.0.0.1:9/news", "add-site", site.home) as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 75, errors
    assert errors.count("\n") == 1, errors
    assert replicas.addresses == []
