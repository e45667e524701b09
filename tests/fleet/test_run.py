"""`newscrawl run` as its operator meets it: real processes, real sites on loopback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from patience import PATIENCE

from benchmarks.fleet import read_log, try_fleet
from benchmarks.fleet_process import Fleet
from benchmarks.fleet_world import WorldOptions
from newscrawl.storage import leases, open_store
from newscrawl.storage.reports import articles

MakeFleet = Callable[..., Fleet]


def stored(database: str) -> list[str]:
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        return [article.url for article in articles(connection)]


def command(fleet: Fleet, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=fleet.folder,
        env=fleet.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_sites_are_crawled_in_turns_politely_and_nothing_is_missed_though_the_process_is_killed(
    tmp_path: Path, database: str
) -> None:
    """Rounds, 304s, new articles, delays over kill -9 and restart, pleas for rest, SIGTERM: all in the server's log."""
    options = WorldOptions(sites=3, seconds=40.0, mean_gap=15.0, pleas=0.1, log=str(tmp_path / "log.jsonl"))
    trial = try_fleet(options, tmp_path, database, kills=2)
    assert trial.problems == []
    assert trial.figures["stored"] >= 9
    assert trial.figures["answered 304"] > 0


def test_once_crawls_what_is_due_and_ends(make_fleet: MakeFleet, database: str, tmp_path: Path) -> None:
    fleet = make_fleet(sites=2, world={"mean_gap": 1e9, "pleas": 0.0}, NEWSCRAWL_TIME_SCALE=1)
    first = command(fleet, "-m", "newscrawl.cli", "run", "--once")
    assert first.returncode == 0, first.stderr
    assert len(stored(database)) == 6
    asked = len(read_log(tmp_path / "requests.jsonl"))
    second = command(fleet, "-m", "newscrawl.cli", "run", "--once")
    assert second.returncode == 0
    assert len(read_log(tmp_path / "requests.jsonl")) == asked, "nothing was due, so nobody was asked"


def test_a_site_that_another_process_crawls_is_left_to_it(make_fleet: MakeFleet, database: str) -> None:
    fleet = make_fleet(sites=1)
    now = datetime.now(UTC)
    with open_store(database, upgrade=False) as store:
        store.run(leases.acquire, "site0", "another-machine/7/x.1", now, timedelta(minutes=5)).result()
    refused = command(fleet, "-m", "scrapy", "crawl", "site0")
    assert refused.returncode == 2
    told = refused.stderr.strip().splitlines()[-1]
    assert "another-machine/7" in told
    assert "until" in told
    assert "Traceback" not in refused.stderr
    assert command(fleet, "-m", "newscrawl.cli", "run", "--once").returncode == 0
    assert stored(database) == []


def test_a_second_signal_ends_it_at_once(make_fleet: MakeFleet, wait_for: Callable[..., Any], tmp_path: Path) -> None:
    fleet = make_fleet(sites=1, world={"delay": 20.0})
    fleet.start()
    log = tmp_path / "requests.jsonl"
    wait_for(lambda: log.exists() and read_log(log))
    assert fleet.process is not None
    fleet.process.send_signal(signal.SIGTERM)
    fleet.process.send_signal(signal.SIGINT)
    assert fleet.process.wait(10) in {0, 128 + signal.SIGINT, 128 + signal.SIGTERM}


def test_a_host_that_hangs_keeps_nobody_from_stopping(
    make_fleet: MakeFleet, wait_for: Callable[..., Any], tmp_path: Path
) -> None:
    fleet = make_fleet(sites=1, world={"hang": 60.0, "pleas": 0.0}, NEWSCRAWL_RUN_DRAIN=2)
    fleet.start()
    log = tmp_path / "requests.jsonl"
    wait_for(lambda: log.exists() and [line for line in read_log(log) if line["path"] == "/news.xml"])
    time.sleep(2)  # the first article is asked for
    code, seconds = fleet.stop()
    assert code == 0
    assert seconds < 20


def test_declarations_are_read_anew_and_a_broken_file_costs_one_line(
    make_fleet: MakeFleet, free_port: int, ask: Callable[[int, str], Any], wait_for: Callable[..., Any]
) -> None:
    fleet = make_fleet(sites=2)
    declared = fleet.folder / "spiders" / "local.py"
    text = declared.read_text()
    declared.write_text(text[: text.index("class Site1")])
    fleet.start("--health", str(free_port))
    assert ask(free_port, "/health")["sites"] == 1

    (fleet.folder / "spiders" / "other.py").write_text(
        "from newscrawl.crawling.spider import NewsSpider\n\n" + text[text.index("class Site1") :]
    )
    declared.write_text(text + "\nthis is no Python\n")
    assert fleet.process is not None
    fleet.process.send_signal(signal.SIGHUP)
    wait_for(lambda: ask(free_port, "/health")["sites"] == 2)
    wait_for(lambda: 'newscrawl_articles_total{site="site1"} 3' in ask(free_port, "/metrics"))
    code, seconds = fleet.stop()
    assert (code, seconds < 30) == (0, True)
    log = (fleet.folder / "run.log").read_text()
    assert log.count("SyntaxError") == 1
    assert "Traceback" not in log


def test_the_daily_budget_of_a_site_is_kept(make_fleet: MakeFleet, database: str, tmp_path: Path) -> None:
    fleet = make_fleet(sites=2, NEWSCRAWL_RUN_SITES='{"site0": {"daily_requests": 3}}', NEWSCRAWL_RUN_REST=0)
    assert command(fleet, "-m", "newscrawl.cli", "run", "--once").returncode == 0
    asked = Counter(request["host"] for request in read_log(tmp_path / "requests.jsonl"))
    assert asked["site0.localhost"] == 3
    assert asked["site1.localhost"] > 3


def test_hundreds_of_rounds_need_no_more_memory_than_the_first(
    make_fleet: MakeFleet, free_port: int, ask: Callable[[int, str], Any], wait_for: Callable[..., Any]
) -> None:
    fleet = make_fleet(
        sites=4,
        world={"delay": 0, "pleas": 0.0, "mean_gap": 20.0},
        NEWSCRAWL_DELAY=0,
        NEWSCRAWL_TIME_SCALE=5000,
        NEWSCRAWL_RUN_REST=0,
        NEWSCRAWL_RUN_TICK=0.02,
        LOG_LEVEL="WARNING",
    )
    fleet.start("--health", str(free_port))

    def crawls() -> int:
        lines = [line for line in ask(free_port, "/metrics").splitlines() if line.startswith("newscrawl_crawls_total{")]
        return sum(int(line.rpartition(" ")[2]) for line in lines)

    wait_for(lambda: crawls() >= 60, 60)
    fleet.look()
    wait_for(lambda: crawls() >= 260, 120)
    fleet.look()
    assert fleet.stop()[0] == 0
    before, after = (size for _, size in fleet.memory)
    assert after - before < 15, "megabytes"


def test_help_has_an_example_and_mistakes_cost_one_line(make_fleet: MakeFleet) -> None:
    fleet = make_fleet(sites=1, NEWSCRAWL_RUN_SITES='{"site0": {"cron": "every day"}}')
    told = command(fleet, "-m", "newscrawl.cli", "run", "--help").stdout
    assert "newscrawl run --health" in told
    for arguments in (("nosuchsite",), ()):
        wrong = command(fleet, "-m", "newscrawl.cli", "run", *arguments)
        assert wrong.returncode == 2
        assert "Traceback" not in wrong.stderr
        assert wrong.stderr.strip().splitlines()[-1].startswith("newscrawl: ")
        assert "Scrapy" not in wrong.stderr


def test_a_killed_process_leaves_no_site_reserved(
    make_fleet: MakeFleet, wait_for: Callable[..., Any], tmp_path: Path, database: str
) -> None:
    fleet = make_fleet(sites=1, world={"pleas": 0.0}, NEWSCRAWL_RUN_LEASE=600)
    fleet.start()
    log = tmp_path / "requests.jsonl"
    wait_for(lambda: log.exists() and len(read_log(log)) >= 2)
    fleet.kill()
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert list(leases.active(connection, datetime.now(UTC))) == ["site0"]
    begun = time.monotonic()
    fleet.start()
    wait_for(lambda: len(stored(database)) >= 3)
    assert time.monotonic() - begun < 60
    assert fleet.stop()[0] == 0


def test_sites_behind_one_address_share_its_delay_when_told_to(make_fleet: MakeFleet, tmp_path: Path) -> None:
    told = {"NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS": "yes", "NEWSCRAWL_DELAY": 0.4}
    fleet = make_fleet(sites=3, world={"delay": 0, "pleas": 0.0, "mean_gap": 1e9}, **told)
    assert command(fleet, "-m", "newscrawl.cli", "run", "--once").returncode == 0
    log = sorted(read_log(tmp_path / "requests.jsonl"), key=lambda request: request["begun"])
    assert len({request["host"] for request in log}) == 3
    assert min(after["begun"] - before["ended"] for before, after in pairwise(log)) > 0.39
