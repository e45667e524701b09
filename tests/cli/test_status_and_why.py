"""`newscrawl status` and `why`, and the commands whose effect they show: `pause`, `priority`, `budget`, `backup`, and
`machines`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from source_items import record_answer, record_failure, record_page_failure
from stored_rows import add_failures, add_numbers

from newscrawl.cli.status import check
from newscrawl.cli.why import next_due_line
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage import machines, migrations
from newscrawl.storage.frontier import crawls, leases, patterns, sites
from newscrawl.storage.frontier.crawls import count_requests, note_reached
from newscrawl.storage.frontier.sites import SiteDeclaration
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import FLEET, Alarm
from newscrawl.storage.monitoring.hours import NOTHING, Numbers
from newscrawl.storage.records import PageRow, SourceAnswer
from newscrawl.storage.store import open_store

Call = Callable[..., Result]

FEED = "https://harbour.example/feed.xml"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def crawled(tmp_path: Path) -> None:
    """A site with a run and a feed that fails."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(crawls.add_run, "harbour", NOW).result()
        store.run(record_failure, "harbour", FEED, "feed", "http/503", 503, NOW).result()


def test_a_database_that_is_not_there_is_named_and_not_made(call: Call, tmp_path: Path) -> None:
    shown = call("status")
    assert shown.exit_code == 0
    assert shown.stdout == f"no database at {tmp_path}/news.db yet: a crawl creates it, `scrapy crawl SITE`\n"
    assert json.loads(call("status", "--json").stdout) == []
    assert call("export").exit_code == 2
    assert not list(tmp_path.iterdir())


def test_upgrade_makes_the_schema_and_says_what_it_was(call: Call, tmp_path: Path) -> None:
    assert "was upgraded from none to" in call("db", "upgrade").stdout
    assert "up to date" in call("db", "upgrade").stdout
    assert call("status").stdout == "nothing has been crawled yet\n"
    assert call("export").stdout == ""
    known = call("why", "https://example.org/never")
    assert known.exit_code == 1
    assert "nothing is known about" in known.stdout


def test_an_older_schema_is_refused_with_what_to_do(call: Call, tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "news.db").close()
    (tmp_path / "news.db").touch()
    done = call("status")
    assert done.exit_code == 2
    assert "run `newscrawl db upgrade`" in done.stderr
    assert (tmp_path / "news.db").read_bytes() == b""


@pytest.fixture
def alarmed(crawled: None, tmp_path: Path) -> None:
    """An alarm of that site, one of the whole fleet, and one that is over."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        for site, kind, message in (("harbour", "extraction", "old"), ("*", "quiet", "the whole fleet is quiet")):
            begun = store.run(alarms.begin, alarms.Alarm(site, kind, "critical", NOW, NOW, message, {})).result()
            if message == "old":
                store.run(alarms.end, begun.id, NOW).result()
        store.run(alarms.begin, alarms.Alarm("harbour", "quiet", "warning", NOW, NOW, "no new article", {})).result()


@pytest.mark.usefixtures("alarmed")
def test_an_operator_can_accept_what_an_alarm_says(call: Call) -> None:
    done = call("status", "--accept", "harbour")
    assert (done.exit_code, done.stdout) == (0, "closed: harbour: no new article\n")
    assert "harbour: no new article" not in call("status").stdout
    again = call("status", "--accept", "harbour")
    assert again.exit_code == 2
    assert again.stderr == "newscrawl: no alarm of 'harbour' is open: `newscrawl status` lists the open ones\n"


@pytest.mark.usefixtures("crawled")
def test_backup_writes_a_database_that_opens_and_replaces_nothing(call: Call, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    done = call("backup", str(copy))
    assert (done.exit_code, done.stdout) == (0, f"{copy}: {copy.stat().st_size / 1_000_000:.1f} MB, checked\n")
    assert "harbour" in call("status", NEWSCRAWL_DATABASE_URL=f"sqlite:///{copy}").stdout
    again = call("backup", str(copy))
    assert again.exit_code == 2
    assert "the file exists already" in again.stderr


WORKS = replace(NOTHING, fetched=30, stored=12, failed=2, newest_article=NOW - timedelta(minutes=9))
HALF = replace(NOTHING, fetched=20, stored=1, failed=20, newest_article=NOW)
EMPTY = replace(NOTHING, fetched=40, stored=10, failed=30, failures={"extraction/empty": 30}, newest_article=NOW)
QUIET = replace(NOTHING, fetched=30, newest_article=NOW - timedelta(hours=24))
SILENT = {"site_silence": timedelta(hours=24)}


def alarm(severity: str, site: str = "harbour") -> Alarm:
    return Alarm(site, "volume", severity, NOW, NOW, "no new article", {})  # type: ignore[arg-type]


CHECKS: dict[str, tuple[dict[str, Numbers], list[Alarm], dict[str, Any], str]] = {
    "a fleet that works": (
        *({"a": WORKS}, [], {}),
        "OK: 1 site, 12 new articles and 2 failures in 24 hours, newest stored 9 min ago",
    ),
    "a warning": ({"a": WORKS}, [alarm("warning")], {}, "WARNING: alarm: harbour: no new article (1 site, "),
    "a critical alarm": ({"a": WORKS}, [alarm("critical")], {}, "CRITICAL: alarm: harbour: no new article (1 site, "),
    "an alarm of the fleet": ({"a": WORKS}, [alarm("warning", FLEET)], {}, "WARNING: alarm: all sites: no new article"),
    "failures below the threshold": ({"a": HALF}, [], {"failed": 0.51}, "OK: "),
    "failures": ({"a": HALF}, [], {"failed": 0.5}, "WARNING: a: 20 of 40 requests failed in 24 hours ("),
    "a page without a text is one result": ({"a": EMPTY}, [], {}, "WARNING: a: 30 of 40 requests failed in 24 hours"),
    "few results are not judged": ({"a": replace(NOTHING, failed=19, newest_article=NOW)}, [], {}, "OK: "),
    "no new article at all": ({"a": QUIET}, [], {}, "CRITICAL: no new article for 24 h"),
    "none of one site": ({"a": QUIET, "b": WORKS}, [], {}, "OK: "),
    "none of one site that must not be silent": (
        *({"a": QUIET, "b": WORKS}, [], SILENT),
        "WARNING: a: no new article for 24 h (2 sites",
    ),
    "the worst reason is first, and some are counted": (
        *({"a": WORKS}, [*(alarm("warning", f"b{n}") for n in range(4)), alarm("critical", "worst\nof")], {}),
        "CRITICAL: alarm: worst of: no new article; alarm: b0: no new article; alarm: b1: no new article; 2 more (",
    ),
}


@pytest.mark.parametrize("case", CHECKS)
def test_the_check_for_a_monitor_is_one_line_of_its_level(case: str) -> None:
    numbers, opened, thresholds, begin = CHECKS[case]
    level, line = check(numbers, opened, NOW, **thresholds)
    assert line.startswith(begin)
    assert line.startswith(f"{level}: ")
    assert "\n" not in line


def fill(tmp_path: Path) -> datetime:
    now = datetime.now(UTC)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(add_numbers, "harbour", now, newest=now, fetched=5, stored=4).result()
        store.run(add_failures, [("harbour", "http/503")], now).result()
    return now


def test_a_database_that_is_not_there_is_unknown(call: Call) -> None:
    done = call("status", "--check")
    assert done.exit_code == 3
    assert done.stdout.startswith("UNKNOWN: ")
    assert done.stdout.count("\n") == 1


def test_check_reads_the_numbers_of_the_database(call: Call, tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True).close()
    empty = call("status", "--check")
    assert (empty.exit_code, empty.stdout[:41]) == (1, "WARNING: no new article was counted yet (")
    fill(tmp_path)
    done = call("status", "--check")
    assert done.exit_code == 0
    assert done.stdout.startswith("OK: 1 site, 4 new articles and 1 failure in 24 hours")
    unknown = call("status", "nobody", "--check")
    assert (unknown.exit_code, unknown.stdout[:25]) == (3, "UNKNOWN: no site 'nobody'")


@pytest.fixture
def site(tmp_path: Path) -> str:
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(crawls.add_run, "harbour", datetime.now(UTC)).result()
    return "harbour"


def control(call: Call) -> object:
    [status] = json.loads(call("status", "--json").stdout)
    return status["control"]


def test_a_pause_is_in_status_until_it_is_resumed(call: Call, site: str) -> None:
    assert "harbour: paused until it is resumed" in call("pause", site).stdout
    assert "harbour: paused until it is resumed; `newscrawl resume harbour`" in call("status").stdout
    assert call("pause", site, "--until", "12h").exit_code == 0
    end = datetime.fromisoformat(control(call)["paused_until"])  # type: ignore[index]
    assert abs(end - datetime.now(UTC) - timedelta(hours=12)) < timedelta(minutes=5)
    assert "harbour: resumed" in call("resume", site).stdout
    assert "was not paused" in call("resume", site).stdout
    assert control(call) is None


def test_priority_and_budget_are_set_and_removed(call: Call, site: str) -> None:
    call("priority", site, "high")
    call("budget", site, "0500")
    told = call("status").stdout
    assert "harbour: priority 4;" in told
    assert "harbour: budget of 500 requests a day;" in told
    for command in ("priority", "budget"):
        assert call(command, site, "--default").exit_code == 0
    assert control(call) is None


def test_a_declared_site_can_be_paused_before_its_first_crawl(call: Call, site: str) -> None:
    assert call("pause", "demo").exit_code == 0


NAMING_FEED, DAY = "https://harbour.example/feed", "https://harbour.example/day/1"


def test_status_and_why_say_that_pages_wait_and_how_to_lift_that(call: Call, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        named = [Candidate(DAY, Discovery("feed", NAMING_FEED))]
        store.run(record_answer, SourceAnswer("harbour", NAMING_FEED, "feed", 200, now), named, now).result()
        for day in (now, now + timedelta(days=1)):  # so that midnight does not matter
            store.run(count_requests, {}, {"harbour": 1000}, day).result()
            store.run(note_reached, "harbour", 1000, day).result()
    lifted = 'daily_requests = "unlimited" in the declaration removes the limit'
    told = call("status").stdout
    assert "harbour: today's (UTC) limit of 1,000 addresses never fetched before is reached" in told
    assert "1 page waits, and the newest will be fetched first" in told
    assert "ALARM (warning" in told
    assert lifted in told
    [status] = json.loads(call("status", "--json").stdout)
    assert (status["new_pages_bound_reached"], status["pending"]) == (1000, 1)
    page = json.loads(call("why", DAY, "--json").stdout)["page"]
    assert (page["waits"]["new_pages_requested"], page["waits"]["limit_reached"]) == (1000, 1000)
    why = call("why", DAY).stdout
    assert "next visit not before" in why
    assert "politeness/new_page_limit_reached" in why
    assert lifted in why


def _record(connection: Any, visits: list[patterns.Visit]) -> None:
    patterns.record(connection, patterns.load(connection, visits), visits, NOW)


def test_status_names_a_pattern_that_is_given_up_once(call: Call, tmp_path: Path) -> None:
    days = [f"https://harbour.example/day/{number}" for number in range(patterns.ENOUGH)]
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(record_page_failure, days[0], "harbour", Failure("http/404", "gone"), 404, NOW).result()
        visits = [patterns.Visit("harbour", day, is_fruitful=False) for day in days]
        store.run(_record, visits).result()
    told = call("status").stdout
    assert told.count("harbour.example/day/#") == 1
    assert "200 of them brought no new article" in told
    [status] = json.loads(call("status", "--json").stdout)
    assert [one["pattern"] for one in status["patterns_given_up"]] == ["harbour.example/day/#"]


def test_status_names_a_directory_whose_pages_are_of_one_kind(call: Call, tmp_path: Path) -> None:
    goods = [f"https://harbour.example/shop/lamp-{word}" for word in "abcdefghijklmnopqrstuvwxyz"]
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        failure = Failure("verdict/product", "9 prices")
        store.run(record_page_failure, goods[0], "harbour", failure, 200, NOW).result()
        visits = [patterns.Visit("harbour", url, is_fruitful=False, failure=failure.code) for url in goods[:20]]
        store.run(_record, visits).result()
    line = "harbour: of new addresses like harbour.example/shop/* about 50% are fetched: the last 20 were all"
    assert line in " ".join(call("status").stdout.split())
    [status] = json.loads(call("status", "--json").stdout)
    told = {"pattern": "harbour.example/shop/*", "kind": "verdict/product", "visits": 20, "share": 0.5}
    assert status["patterns_of_kinds"] == [told]


NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FRONT = "  front page of site harbour: no article, it is compared with the sources once a week"
PAGE = PageRow("k", "https://e.org/a", "e", "fetched", first_seen=NOON)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"next_due": NOON}, "next visit 2026-11-20 12:00 UTC"),
        ({"state": "found"}, "next visit with the next crawl"),
        ({}, "no further visit: it had not changed for 14 days"),
        ({"state": "expired"}, "no further visit: its text is older than NEWSCRAWL_RETENTION keeps"),
        (
            {"state": "gone", "failures": 3, "failure_kind": "http/404"},
            "no further visit: it was gone 3 times",
        ),
        ({"failure_kind": "content/not_html", "failures": 1}, "no further visit: content/not_html is permanent"),
        ({"failure_kind": "http/500", "failures": 8}, "no further visit: 8 failures in a row, the last http/500"),
    ],
    ids=["due", "not fetched yet", "unchanged", "expired", "gone", "never", "too many failures"],
)
def test_the_reason_is_given(changed: dict[str, Any], words: str) -> None:
    assert next_due_line(replace(PAGE, **changed)).startswith(words)


@pytest.mark.process
def test_a_front_page_says_when_it_was_read(call: Call, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    read = now - timedelta(days=2)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(
            sites.declare, SiteDeclaration("harbour", "https://harbour.example/", "en", "uk", (), ()), now
        ).result()
        store.run(sites.note_start, "harbour", now - timedelta(days=30)).result()
        store.run(crawls.add_run, "harbour", now - timedelta(days=30)).result()
        front = call("why", "http://HARBOUR.example/?utm_source=x")
        assert (front.exit_code, front.stdout.splitlines()[1:]) == (0, [FRONT])
        store.run(sites.plan_comparison, "harbour", read + sites.COMPARED_EVERY).result()
        told = call("why", "https://harbour.example/").stdout
        assert (
            f"{FRONT}\n  last read {read:%Y-%m-%d %H:%M} UTC\n  next visit {read + sites.COMPARED_EVERY:%Y-%m-%d}"
            in told
        )
        found = json.loads(call("why", "https://harbour.example/", "--json").stdout)
        assert (found["site"], datetime.fromisoformat(found["read_at"])) == ("harbour", read)
        store.run(
            sites.plan_comparison, "harbour", now + timedelta(hours=3)
        ).result()  # a week or a day after the last one
        assert "last read" not in call("why", "https://harbour.example/").stdout
    assert call("why", "https://harbour.example/other").exit_code == 1


LIVING = CrawlingProcess("anna/17/boot.1", "anna", "run", "0.1.0", migrations.HEAD)
LOST = CrawlingProcess("bert/4/boot.1", "bert", "crawl meadow", "0.1.0", migrations.HEAD)


@pytest.fixture
def machines_of_two(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(machines.register, LIVING).result()
        store.run(machines.register, LOST, now=now - timedelta(hours=1)).result()
        store.run(crawls.add_run, "harbour", now).result()
        store.run(leases.acquire, "harbour", LIVING.process, None, timedelta(hours=1)).result()


@pytest.mark.usefixtures("machines_of_two")
def test_the_check_for_monitors_notices_a_machine_that_is_gone(call: Call) -> None:
    checked = call("status", "--check")
    assert checked.exit_code == 2
    assert "1 machine is gone: bert" in checked.stdout
    call("machines", "remove", "bert")
    assert "gone" not in call("status", "--check").stdout


@pytest.mark.usefixtures("machines_of_two")
def test_a_machine_that_is_out_of_reach_is_removed_and_a_living_one_is_not(call: Call) -> None:
    assert call("machines", "remove", "bert").stdout.startswith("removed: bert, by ")
    states = [machine["state"] for machine in json.loads(call("machines", "--json").stdout)]
    assert states == ["crawling", "removed"]
    refused = call("machines", "remove", "anna")
    assert refused.exit_code == 2
    assert "machine 'anna' is alive: run (anna/17/boot.1) was seen at" in refused.stderr
    unknown = call("machines", "remove", "berd")
    assert unknown.exit_code == 2
    assert "unknown machine 'berd': is bert meant?" in unknown.stderr
