"""`newscrawl status` of the last 24 hours: the table, --json, --csv, and --check with its exit codes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from site_numbers import add_failures, add_numbers

from newscrawl.cli.status.check import Thresholds, check
from newscrawl.storage.monitoring.alarms import FLEET, Alarm
from newscrawl.storage.monitoring.hours import NOTHING
from newscrawl.storage.store import open_store

Run = Callable[..., subprocess.CompletedProcess[str]]
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
WORKS = replace(NOTHING, fetched=30, stored=12, failed=2, newest_article=NOW - timedelta(minutes=9))


def alarm(severity: str, site: str = "harbour") -> Alarm:
    return Alarm(site, "volume", severity, NOW, NOW, "no new article", {})  # type: ignore[arg-type]


def test_a_fleet_that_works_is_ok() -> None:
    checked = check({"harbour": WORKS}, [], NOW)
    assert (checked.level, checked.exit_code) == ("OK", 0)
    assert checked.line == "OK: 1 site, 12 new articles and 2 failures in 24 hours, newest stored 9 min ago"


@pytest.mark.parametrize(("severity", "code"), [("warning", 1), ("critical", 2)])
def test_an_open_alarm_sets_the_level(severity: str, code: int) -> None:
    checked = check({"harbour": WORKS}, [alarm(severity)], NOW)
    assert checked.exit_code == code
    assert "alarm: harbour: no new article" in checked.line


def test_an_alarm_of_the_fleet_names_all_sites() -> None:
    assert "alarm: all sites: no new article" in check({"harbour": WORKS}, [alarm("warning", FLEET)], NOW).line


def test_many_failures_of_a_site_warn_above_the_threshold() -> None:
    site = replace(NOTHING, fetched=20, stored=1, failed=20, newest_article=NOW)
    assert check({"harbour": site}, [], NOW, Thresholds(failed=0.51)).level == "OK"
    checked = check({"harbour": site}, [], NOW, Thresholds(failed=0.5))
    assert (checked.level, checked.line.split(" (")[0]) == (
        "WARNING",
        "WARNING: harbour: 20 of 40 requests failed in 24 hours",
    )


def test_a_page_without_a_text_is_one_result() -> None:
    site = replace(NOTHING, fetched=40, stored=10, failed=30, failures={"extraction/empty": 30}, newest_article=NOW)
    assert check({"harbour": site}, [], NOW).line.startswith("WARNING: harbour: 30 of 40 requests failed in 24 hours")


def test_few_results_are_not_judged() -> None:
    assert check({"harbour": replace(NOTHING, failed=19, newest_article=NOW)}, [], NOW).level == "OK"


def test_no_new_article_at_all_is_critical_and_of_one_site_a_warning_if_asked_for() -> None:
    quiet = replace(NOTHING, fetched=30, newest_article=NOW - timedelta(hours=24))
    assert check({"harbour": quiet}, [], NOW).line.startswith("CRITICAL: no new article for 24 h")
    both = {"harbour": quiet, "other": WORKS}
    assert check(both, [], NOW).level == "OK"
    asked = check(both, [], NOW, Thresholds(site_silence=timedelta(hours=24)))
    assert asked.line.startswith("WARNING: harbour: no new article for 24 h (2 sites")


def test_the_line_is_one_line_with_the_worst_reason_first() -> None:
    alarms = [alarm("warning", f"site{number}") for number in range(4)] + [alarm("critical", "worst\nof")]
    checked = check({"harbour": WORKS}, alarms, NOW)
    assert checked.line.startswith("CRITICAL: alarm: worst of: no new article; alarm: site0")
    assert "; 2 more (" in checked.line
    assert "\n" not in checked.line


def fill(tmp_path: Path) -> datetime:
    now = datetime.now(UTC)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(add_numbers, "harbour", now, newest=now, fetched=5, stored=4).result()
        store.run(add_failures, [("harbour", "http/503")], now).result()
    return now


def test_a_database_that_is_not_there_is_unknown(run: Run) -> None:
    done = run("newscrawl", "status", "--check")
    assert done.returncode == 3
    assert done.stdout.startswith("UNKNOWN: ")
    assert done.stdout.count("\n") == 1


def test_check_reads_the_numbers_of_the_database(run: Run, tmp_path: Path) -> None:
    fill(tmp_path)
    done = run("newscrawl", "status", "--check")
    assert done.returncode == 0
    assert done.stdout.startswith("OK: 1 site, 4 new articles and 1 failure in 24 hours")
    unknown = run("newscrawl", "status", "nobody", "--check")
    assert (unknown.returncode, unknown.stdout[:25]) == (3, "UNKNOWN: no site 'nobody'")
    assert "give one of them" in run("newscrawl", "status", "--check", "--json").stderr
