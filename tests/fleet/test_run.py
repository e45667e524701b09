"""`newscrawl run` from outside: real processes, real sites on loopback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
import warm
from fleet_judgement import judge
from fleet_process import FleetProcess, fresh_folder, make_project, read_log, served
from fleet_stories import WorldOptions, stories_of
from patience import PATIENCE, wait_until
from sqlalchemy import select

from newscrawl.errors import TEMPORARY
from newscrawl.monitoring.extraction import ExtractionBaseline
from newscrawl.monitoring.volume import VolumeBaseline
from newscrawl.reports import articles
from newscrawl.storage.frontier import leases
from newscrawl.storage.machines import RunLock
from newscrawl.storage.monitoring import alarms, samples, site_models
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.frontier import sites

MakeFleet = Callable[..., FleetProcess]


def stored(database: str) -> list[str]:
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        return [article.url for article in articles(connection)]


TO_COMMIT: Final = 2.0
"""Seconds after which the answer to a plea for rest is stored."""


SELDOM: Final = 0.5
"""Seconds between two looks that cost the tests or the process more than a few milliseconds."""


def may_be_killed(requests: Sequence[dict[str, Any]], number: int) -> bool:
    """Returns whether so many requests were answered, and every plea for rest is stored. A Retry-After counts from its
    commit: one that only a killed process has read is known to nobody."""
    late = time.time() - TO_COMMIT
    return len(requests) >= number and all(one["ended"] < late for one in requests if one["status"] == 429)


def test_sites_are_crawled_in_turns_politely_and_nothing_is_missed_though_the_process_is_killed(
    tmp_path: Path, database: str
) -> None:
    """Rounds, 304s, new articles, delays over kill -9 and restart, pleas for rest, SIGTERM: all in the server's log."""
    log = tmp_path / "log.jsonl"
    log.touch()
    options = WorldOptions(sites=3, seconds=3600.0, delay=0.3, mean_gap=6.0, pleas=0.1, rests=(2, 3, 5), log=str(log))
    listed = {f"site{n}.localhost{story.path}" for n in range(3) for story in stories_of(n, options) if story.at <= 0}

    def is_enough() -> bool:
        """Another round has begun after all that was there in the beginning, and more, is stored."""
        requests = read_log(log)
        told = Counter(request["status"] for request in requests)
        if len(requests) < 60 or told[304] < 3 or told[429] < 2:
            return False
        time.sleep(SELDOM)
        return listed < {url.partition("//")[2].replace(f":{port}", "") for url in stored(database)}

    with served(options) as (port, began), ExitStack() as stack:
        fleet = make_project(fresh_folder(tmp_path, 0), port, 3, database)
        stack.callback(fleet.kill)
        fleet.start()
        for requests in (5, 20):
            wait_until(lambda requests=requests: may_be_killed(read_log(log), requests))
            fleet.kill()
            fleet.start()
        wait_until(is_enough)
        times, ends = (began, time.time() - began), [fleet.stop()]
    trial = judge(options, database, times, ends, kills=2, patience=PATIENCE, to_stop=PATIENCE)
    assert trial.problems == []


def test_once_crawls_what_is_due_and_ends(make_fleet: MakeFleet, database: str, tmp_path: Path) -> None:
    fleet = make_fleet(sites=2, world={"mean_gap": 1e9, "pleas": 0.0}, NEWSCRAWL_TIME_SCALE=1)
    first = fleet.command("newscrawl.cli", "run", "--once")
    assert first.returncode == 0, first.stderr
    assert len(stored(database)) == 6
    with open_reader(database) as connection:
        declared = connection.execute(
            select(sites.c.site, sites.c.republishes).where(sites.c.republishes.is_not(None))
        ).all()
    assert sorted(map(tuple, declared)) == [("site0", False), ("site1", False)]
    asked = len(read_log(tmp_path / "requests.jsonl"))
    second = fleet.command("newscrawl.cli", "run", "--once")
    assert second.returncode == 0
    assert len(read_log(tmp_path / "requests.jsonl")) == asked, "nothing was due, so nobody was asked"


def test_a_second_run_with_a_sqlite_database_is_refused_in_one_line(
    make_fleet: MakeFleet, tmp_path: Path, database: str
) -> None:
    fleet = make_fleet(sites=1, world=HANGS)
    with RunLock(database):
        refused = fleet.command("newscrawl.cli", "run", "--once")
    assert refused.returncode == TEMPORARY
    (line,) = refused.stderr.strip().splitlines()
    assert f"another `newscrawl run` (process {os.getpid()})" in line
    assert not read_log(tmp_path / "requests.jsonl")


def test_a_site_that_another_process_crawls_is_left_to_it(make_fleet: MakeFleet, database: str) -> None:
    fleet = make_fleet(sites=1)
    now = datetime.now(UTC)
    with open_store(database, upgrade=False) as store:
        store.run(leases.acquire, "site0", "another-machine/7/x.1", now, timedelta(hours=5)).result()
    refused = fleet.command("scrapy", "crawl", "site0")
    assert refused.returncode == TEMPORARY
    told = refused.stderr.strip().splitlines()[-1]
    assert "another-machine/7" in told
    assert "until" in told
    assert "Traceback" not in refused.stderr
    assert fleet.command("newscrawl.cli", "run", "--once").returncode == 0
    assert stored(database) == []


HANGS = {"hang": 36_000.0, "pleas": 0.0}


def hanging(log: Path) -> list[str]:
    """The articles that were asked for, in a world where none is ever answered."""
    return [line["path"] for line in read_log(log) if line["path"].endswith(".html")]


def wait_for_ever(fleet: FleetProcess) -> None:
    """Its requests end when they are answered, and never else."""
    fleet.add_settings("DOWNLOAD_TIMEOUT = 36_000")


def test_a_second_signal_ends_it_at_once(make_fleet: MakeFleet, tmp_path: Path, temporary: Path) -> None:
    fleet = make_fleet(sites=1, world=HANGS, NEWSCRAWL_RUN_DRAIN_TIMEOUT=3_600)
    wait_for_ever(fleet)
    fleet.environment["TMPDIR"] = str(temporary)
    fleet.start()
    wait_until(lambda: hanging(tmp_path / "requests.jsonl"))
    assert fleet.process is not None
    fleet.process.send_signal(signal.SIGTERM)
    fleet.process.send_signal(signal.SIGINT)
    assert fleet.process.wait(PATIENCE) in {128 + signal.SIGINT, 128 + signal.SIGTERM}
    left = [path.name for path in temporary.iterdir()]
    assert len(left) == 1, left  # the folder of the fork server is removed
    assert re.fullmatch(r"newscrawl-[0-9a-f-]{36}\.lock", left[0])  # the file by which copies see each other stays


def test_once_that_is_stopped_does_not_end_as_if_all_were_done(make_fleet: MakeFleet, tmp_path: Path) -> None:
    fleet = make_fleet(sites=1, world=HANGS, NEWSCRAWL_RUN_DRAIN_TIMEOUT=1)
    wait_for_ever(fleet)
    fleet.start("--once")
    wait_until(lambda: hanging(tmp_path / "requests.jsonl"))
    assert fleet.stop()[0] == 128 + signal.SIGTERM


def test_a_host_that_hangs_keeps_nobody_from_stopping(make_fleet: MakeFleet, tmp_path: Path) -> None:
    fleet = make_fleet(sites=1, world=HANGS, NEWSCRAWL_RUN_DRAIN_TIMEOUT=1)
    wait_for_ever(fleet)
    fleet.start()
    wait_until(lambda: hanging(tmp_path / "requests.jsonl"))
    assert fleet.stop()[0] == 0


def test_declarations_are_read_anew_and_a_broken_file_costs_one_line(
    make_fleet: MakeFleet, free_port: int, ask: Callable[[int, str], Any]
) -> None:
    fleet = make_fleet(sites=2)
    declared = fleet.folder / "spiders" / "local.py"
    text = declared.read_text()
    declared.write_text(text[: text.index("class Site1")])
    fleet.start("--health", str(free_port))
    assert ask(free_port, "/health")["sites"] == 1
    head = urllib.request.Request(f"http://127.0.0.1:{free_port}/health", method="HEAD")
    with urllib.request.urlopen(head, timeout=PATIENCE) as answer:
        assert (answer.status, answer.read()) == (200, b"")

    (fleet.folder / "spiders" / "other.py").write_text(
        "from newscrawl.crawling.spider import NewsSpider\n\n" + text[text.index("class Site1") :]
    )
    (fleet.folder / "spiders" / "leaves.py").write_text("import sys\n\nsys.exit()\n")
    declared.write_text(text + "\nthis is no Python\n")
    assert fleet.process is not None
    fleet.process.send_signal(signal.SIGHUP)
    wait_until(lambda: list(ask(free_port, "/health")["broken_declarations"]) == ["leaves", "local"])
    wait_until(lambda: 'newscrawl_articles_total{site="site1"} 3' in ask(free_port, "/metrics"))
    assert fleet.stop()[0] == 0
    log = (fleet.folder / "run.log").read_text()
    assert log.count("SyntaxError") == 1
    assert log.count("SystemExit: it calls sys.exit(None)") == 1


@pytest.mark.parametrize("words", ["newscrawl.cli run --once", "scrapy crawl site0"])
def test_an_exit_in_a_running_crawl_ends_the_process_and_the_next_one_goes_on(
    make_fleet: MakeFleet, tmp_path: Path, words: str
) -> None:
    fleet = make_fleet(sites=2, NEWSCRAWL_RUN_MIN_SITE_INTERVAL=0)
    declared = fleet.folder / "spiders" / "local.py"
    text = declared.read_text()
    leaves = "    async def start(self):\n        import sys\n        sys.exit()\n        yield\n\n"
    declared.write_text(text.replace("class Site1", f"{leaves}\nclass Site1"))
    ended = fleet.command(*words.split())
    assert ended.returncode == 1
    where = r"newscrawl: spiders/local\.py, line \d+ calls sys\.exit\(None\) in a crawl: let it return or raise"
    assert re.match(where, ended.stderr.splitlines()[-1])
    declared.write_text(text)
    assert fleet.command("newscrawl.cli", "run", "--once").returncode == 0
    assert {request["host"] for request in read_log(tmp_path / "requests.jsonl")} >= {
        "site0.localhost",
        "site1.localhost",
    }


def test_health_counts_the_articles_of_a_crawl_that_still_runs(
    make_fleet: MakeFleet, free_port: int, ask: Callable[[int, str], Any]
) -> None:
    fleet = make_fleet(sites=1, world={"initial": 30, "delay": 1.0, "pleas": 0.0, "mean_gap": 1e9})
    fleet.start("--health", str(free_port))
    wait_until(lambda: ask(free_port, "/health")["articles_last_hour"])
    assert 'newscrawl_crawls_total{site="site0"} 0' in ask(free_port, "/metrics")
    assert fleet.stop()[0] == 0


def test_the_daily_budget_and_the_days_new_pages_of_a_site_are_kept(
    make_fleet: MakeFleet, database: str, tmp_path: Path
) -> None:
    """One site has a budget, one the bound on new pages, over two processes of a day, and one neither."""
    said = '{"site0": {"daily_requests": 3}, "site1": {"daily_requests": null}}'
    fleet = make_fleet(
        sites=3, NEWSCRAWL_SITE_SCHEDULES=said, NEWSCRAWL_RUN_MIN_SITE_INTERVAL=0, NEWSCRAWL_DAILY_NEW_PAGES=2
    )
    for _ in range(2):
        assert fleet.command("newscrawl.cli", "run", "--once").returncode == 0
    requests = read_log(tmp_path / "requests.jsonl")
    asked = Counter(request["host"] for request in requests)
    assert asked["site0.localhost"] == 3
    stories = Counter(one["host"] for one in requests if not one["path"].endswith((".txt", ".xml")))
    assert stories["site1.localhost"] == 2
    assert stories["site2.localhost"] > 2
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert [alarm.site for alarm in alarms.open_alarms(connection) if alarm.kind == "new_pages"] == ["site1"]


def test_hundreds_of_rounds_need_no_more_memory_than_the_first(
    make_fleet: MakeFleet, free_port: int, ask: Callable[[int, str], Any]
) -> None:
    fleet = make_fleet(
        sites=4,
        world={"delay": 0, "pleas": 0.0, "mean_gap": 20.0},
        NEWSCRAWL_DELAY=0,
        NEWSCRAWL_TIME_SCALE=5000,
        NEWSCRAWL_RUN_MIN_SITE_INTERVAL=0,
        NEWSCRAWL_RUN_POLL_INTERVAL=0.02,
        LOG_LEVEL="WARNING",
    )
    fleet.start("--health", str(free_port))

    def crawls() -> int:
        time.sleep(SELDOM)
        lines = [line for line in ask(free_port, "/metrics").splitlines() if line.startswith("newscrawl_crawls_total{")]
        return sum(int(line.rpartition(" ")[2]) for line in lines)

    wait_until(lambda: crawls() >= 100)  # a forked process maps its libraries when it first needs them
    fleet.look()
    wait_until(lambda: crawls() >= 200, 2 * PATIENCE)
    fleet.look()
    assert fleet.stop()[0] == 0
    before, after = (size for _, size in fleet.memory)
    assert after - before < 10, "megabytes"


def test_help_has_an_example_and_mistakes_cost_one_line(make_fleet: MakeFleet) -> None:
    fleet = make_fleet(sites=1, NEWSCRAWL_SITE_SCHEDULES='{"site0": {"cron": "every day"}}')
    told = fleet.command("newscrawl.cli", "run", "--help").stdout
    assert "newscrawl run --health" in told
    for argument in ("nosuchsite", "site0", "--once"):
        wrong = fleet.command("newscrawl.cli", "run", argument)
        assert wrong.returncode == 2
        assert "Traceback" not in wrong.stderr
        assert wrong.stderr.strip().splitlines()[-1].startswith("newscrawl: ")
        assert "Scrapy" not in wrong.stderr


def test_a_killed_process_leaves_no_site_reserved(make_fleet: MakeFleet, tmp_path: Path, database: str) -> None:
    """It is killed while it crawls the site; the next asks the site again long before the lease ends."""
    fleet = make_fleet(sites=1, world=HANGS, NEWSCRAWL_RUN_LEASE_SECONDS=3_600, NEWSCRAWL_RUN_DRAIN_TIMEOUT=0)
    wait_for_ever(fleet)
    fleet.start()
    log = tmp_path / "requests.jsonl"
    wait_until(lambda: hanging(log))
    fleet.kill()
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert list(leases.active(connection, datetime.now(UTC))) == ["site0"]
    fleet.start()
    wait_until(lambda: len(hanging(log)) >= 2)
    assert fleet.stop()[0] == 0


def test_sites_behind_one_address_share_its_delay_when_told_to(make_fleet: MakeFleet, tmp_path: Path) -> None:
    told = {"NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS": "yes", "NEWSCRAWL_DELAY": 0.4}
    fleet = make_fleet(sites=3, world={"delay": 0, "pleas": 0.0, "mean_gap": 1e9}, **told)
    assert fleet.command("newscrawl.cli", "run", "--once").returncode == 0
    log = sorted(read_log(tmp_path / "requests.jsonl"), key=lambda request: request["begun"])
    assert len({request["host"] for request in log}) == 3
    assert min(after["begun"] - before["ended"] for before, after in pairwise(log)) > 0.39


@pytest.mark.parametrize("kind", ["reader that has ended", "full disk"])
def test_a_log_that_cannot_be_written_keeps_nobody_from_stopping_a_run(
    make_fleet: MakeFleet, tmp_path: Path, kind: str
) -> None:
    """As with `2>&1 | head -1`, or a log on a disk that is full."""
    fleet = make_fleet(sites=1)
    if kind == "full disk":
        if not Path("/dev/full").is_char_device():
            pytest.skip("no device that is always full")
        log = os.open("/dev/full", os.O_WRONLY)
    else:
        reading, log = os.pipe()
        os.close(reading)
    process = warm.Popen(
        [sys.executable, "-m", "newscrawl.cli", "run"], cwd=fleet.folder, env=fleet.environment, stderr=log, stdout=log
    )
    os.close(log)
    try:
        wait_until(lambda: len(read_log(tmp_path / "requests.jsonl")) > 2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


def test_commands_work_with_closed_streams(make_fleet: MakeFleet, database: str) -> None:
    fleet = make_fleet(sites=1, world={"delay": 0, "pleas": 0.0, "mean_gap": 1e9})
    for closed, *words in (
        ("<&- >&- 2>&-", "scrapy", "crawl", "site0"),
        ("<&- >&- 2>&-", "newscrawl.cli", "run", "--once"),
        ("<&- >&- 2>&-", "newscrawl.cli", "status"),
        ("2>&-", "newscrawl.cli", "status"),
    ):
        line = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", *words]
        done = subprocess.run(line, cwd=fleet.folder, env=fleet.environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), words
    assert b"site0" in done.stdout
    assert stored(database)


@pytest.mark.parametrize("words", [("newscrawl.cli", "run", "--once"), ("scrapy", "crawl", "SITE")], ids=" ".join)
def test_a_crawl_leaves_what_is_usual_and_nothing_waits(
    make_fleet: Callable[..., FleetProcess], database: str, words: tuple[str, ...]
) -> None:
    fleet = make_fleet(sites=1, world={"mean_gap": 1e9, "pleas": 0.0}, NEWSCRAWL_TIME_SCALE=1)
    site = "site0"
    done = fleet.command(*(site if word == "SITE" else word for word in words))
    assert done.returncode == 0, done.stderr
    with open_store(database, upgrade=False) as store:
        volumes = store.run(site_models.load, VolumeBaseline, [site]).result(timeout=PATIENCE)
        extractions = store.run(site_models.load, ExtractionBaseline, [site]).result(timeout=PATIENCE)
        assert store.run(samples.take, 100).result(timeout=PATIENCE).number == 0
        assert store.run(alarms.open_alarms).result(timeout=PATIENCE) == []
    assert volumes.by_site[site].since is not None
    assert len(extractions.by_site[site].latest) >= 3
