"""`newscrawl status` of the last 24 hours: the table, --json, --csv, and --check with its exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from site_numbers import add_failures, add_numbers

from newscrawl.cli.status.check import Thresholds, check
from newscrawl.cli.status.lines import learning_lines
from newscrawl.monitoring.volume import Learning, VolumeBaseline
from newscrawl.storage.monitoring import site_models
from newscrawl.storage.monitoring.alarms import FLEET, Alarm, begin
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


def test_the_last_day_is_in_the_table_in_json_and_in_csv(run: Run, tmp_path: Path) -> None:
    now = fill(tmp_path)
    table = run("newscrawl", "status").stdout
    assert "failed 24 h" in table
    assert f"{now:%Y-%m-%d %H:%M}" in table
    (site,) = json.loads(run("newscrawl", "status", "--json").stdout)
    assert (site["last_24_hours"]["stored"], site["last_24_hours"]["failures"]) == (4, {"http/503": 1})
    assert datetime.fromisoformat(site["newest_article"]) == now
    (row,) = csv.DictReader(io.StringIO(run("newscrawl", "status", "--csv").stdout))
    assert (row["site"], row["stored_24h"], row["failed_24h"]) == ("harbour", "4", "1")
    assert datetime.fromisoformat(row["newest_article"]) == now
    assert (site["newest_published"], row["newest_published"]) == (None, "")


def test_a_table_that_is_no_terminals_has_few_columns_and_no_blanks_at_ends(run: Run, tmp_path: Path) -> None:
    now = fill(tmp_path)
    newest = f"{now:%Y-%m-%d %H:%M}".split()
    head, row, *_ = run("newscrawl", "status").stdout.splitlines()
    assert re.split("  +", head) == [
        *("site", "alarm", "new 24 h", "failed 24 h", "in review", "newest stored", "newest published"),
        "last run (UTC)",
    ]
    assert row.split() == ["harbour", "-", "4", "1", "0", *newest, "-", "never"]
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False) as store:
        store.run(begin, alarm("critical", "harbour")).result()
    told, head, row, *_ = lines = run("newscrawl", "status").stdout.splitlines()
    assert told.startswith("ALARM (critical")
    assert row.split() == ["harbour", "critical", "4", "1", "0", *newest, "-", "never"]
    assert [line for line in lines if line != line.rstrip()] == []


def test_status_says_from_when_alarms_of_a_new_site_can_be_believed(run: Run, tmp_path: Path) -> None:
    now = fill(tmp_path)
    first = now.replace(minute=0, second=0, microsecond=0) - timedelta(days=1)
    volume = VolumeBaseline()
    volume.watched_until(first)
    for hour in range(24):
        for _ in range(2):
            volume.add(first + timedelta(hours=hour), None)
    volume.watched_until(first + timedelta(days=1))
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(site_models.save, now, {"harbour": volume}, {}).result()
    (line,) = [line for line in run("newscrawl", "status").stdout.splitlines() if "about missing articles" in line]
    early, full = (f"{first + timedelta(days=days):%Y-%m-%d %H:00} UTC" for days in (3, 8))
    assert line == (
        f"harbour: no alarm about missing articles before {early}, "
        f"usual ones from {full}: the site is new (1.0 days and 48 articles counted)"
    )
    (site,) = [one for one in json.loads(run("newscrawl", "status", "--json").stdout) if one["site"] == "harbour"]
    assert site["watchdog_learns"]["articles"] == 48


def test_the_line_of_a_site_that_is_learned_does_not_deny_the_articles_of_its_first_crawl() -> None:
    [line] = learning_lines({"harbour": Learning(0, 0, None, None)})
    assert line == "harbour: no alarms for missing articles yet: the watchdog needs articles from later crawls"
