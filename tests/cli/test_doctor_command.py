"""`newscrawl doctor`: its findings in real projects, databases and sites, and its deadlines."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import warm
from fleet_process import FleetProcess, make_project, served
from fleet_stories import WorldOptions
from mail_server import mailbox
from patience import PATIENCE
from sqlalchemy import text

from newscrawl.config.catalogue import Config
from newscrawl.config.reading import WrittenSettings, config_of
from newscrawl.crawling.spider import NewsSpider
from newscrawl.errors import UsageError
from newscrawl.monitoring.doctor import checks
from newscrawl.monitoring.doctor.checks import Finding, check_alarms, check_memory, judge, made, made_within, ok
from newscrawl.monitoring.doctor.project import front_page
from newscrawl.reports.database import MANY_ROWS, DatabaseCondition, look_at
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.store import open_store
from newscrawl.testing.services.local import free_port
from newscrawl.testing.services.webhook import WebhookReceiver, serving

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
CONTACT = "owner@example.org"
SERVER = DatabaseCondition("postgresql://db/news", "PostgreSQL 17.2", is_current=True, size=10**9, clock=NOW)


def doctor(project: FleetProcess, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return warm.run(
        [sys.executable, "-m", "newscrawl.cli", "doctor", *options],
        cwd=project.folder,
        env={**project.environment, **settings},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def states(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    return {each["check"]: each["state"] for each in json.loads(done.stdout)["checks"]}


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., FleetProcess]:
    """`project(port)`: a project with three sites at a port of this machine, and a database."""

    def made_project(port: int, **settings: Any) -> FleetProcess:
        open_store(url := f"sqlite:///{tmp_path}/news.db", upgrade=True).close()
        (folder := tmp_path / "project").mkdir()
        return make_project(folder, port, 3, url, **{"NEWSCRAWL_CONTACT": CONTACT, **settings})

    return made_project


def test_a_project_that_can_crawl_is_ok_and_two_robots_txt_were_read(
    project: Callable[..., FleetProcess], tmp_path: Path
) -> None:
    log = tmp_path / "requests.jsonl"
    with served(WorldOptions(sites=3, log=str(log), seconds=60.0)) as (port, _):
        done = doctor(project(port), "--json")
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True), done.stdout + done.stderr
    assert list(states(done)) == [
        *("settings", "memory", "database", "disk", "statistics", "clock", "archive", "captures", "contact"),
        *("declarations", "alarms", "site site0", "site site1"),
    ]
    asked = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert sorted((each["host"], each["path"]) for each in asked) == [
        ("site0.localhost", "/robots.txt"),
        ("site1.localhost", "/robots.txt"),
    ]


def test_offline_requests_nothing_and_every_line_says_its_state(
    project: Callable[..., FleetProcess], tmp_path: Path
) -> None:
    log = tmp_path / "requests.jsonl"
    log.touch()
    with served(WorldOptions(sites=3, log=str(log), seconds=60.0)) as (port, _):
        done = doctor(project(port), "--offline")
    assert done.returncode == 0
    assert log.read_text("utf-8") == ""
    lines = done.stdout.splitlines()
    assert lines[-1] == "all ok"
    assert [line for line in lines if line.startswith("sites ")] == ["sites         skipped  left out by --offline"]


def test_a_site_without_a_front_page_is_asked_at_the_port_of_its_sources() -> None:
    class Here(NewsSpider):
        name = "here"
        domains = ("here.example",)
        feeds = ("http://feeds.example/here.xml", "http://www.here.example:8080/rss")

    assert front_page(Here) == "http://www.here.example:8080/"
    Here.home = "https://here.example/news/"
    assert front_page(Here) == "https://here.example/news/"


def receivers(config: Config, *, send: bool = False) -> list[tuple[str, str, str]]:
    return [(one.check, one.state, one.text) for one in check_alarms(config, NOW, send=send)]


def with_receivers(port: int, hook: str = "", tls: str = "none") -> Config:
    mail = {"HOST": "127.0.0.1", "PORT": port, "TLS": tls, "FROM": "a@b.example", "TO": ["c@d.example"]}
    settings = {f"NEWSCRAWL_ALERT_MAIL_{name}": value for name, value in mail.items()} if port else {}
    return config_of(WrittenSettings({**settings, "NEWSCRAWL_ALERT_WEBHOOK": hook}), {})


class Hook(WebhookReceiver):
    """A webhook that accepts every alarm."""

    def __init__(self) -> None:
        super().__init__()
        self.alarms: list[dict[str, Any]] = []

    def answer(self, body: bytes) -> int:
        self.alarms.append(json.loads(body))
        return 204


def test_receivers_that_answer_are_ok_and_get_nothing() -> None:
    with mailbox() as box, serving(hook := Hook()) as address:
        found = receivers(with_receivers(box.port, address))
    assert [(check, state) for check, state, _ in found] == [("webhook", "ok"), ("mail", "ok")]
    assert (box.mails, hook.alarms) == ([], [])


def test_a_test_alarm_goes_to_every_receiver_once() -> None:
    with mailbox() as box, serving(hook := Hook()) as address:
        found = receivers(with_receivers(box.port, address), send=True)
    assert [text for _, _, text in found] == ["it accepted a test alarm"] * 2
    (mail,), (body,) = box.mails, hook.alarms
    assert "nothing is wrong" in mail["Subject"]
    assert (body["kind"], body["event"], body["site"]) == ("test", "opened", None)


def test_receivers_that_do_not_answer_are_told() -> None:
    closed = free_port()
    found = receivers(with_receivers(closed, f"http://127.0.0.1:{closed}/?token=s3cret"))
    assert [(check, state) for check, state, _ in found] == [("webhook", "to do"), ("mail", "to do")]
    assert all("refused" in text.lower() and "s3cret" not in text for _, _, text in found)
    with mailbox() as box:
        ((_, state, text),) = receivers(with_receivers(box.port, tls="starttls"))
        assert (state, "STARTTLS" in text) == ("to do", True)
        box.answers = ["451 later"]
        ((_, state, text),) = receivers(with_receivers(box.port), send=True)
        assert (state, "was not accepted: answered 451 later" in text) == ("to do", True)


def test_without_a_receiver_a_test_alarm_is_something_to_do() -> None:
    assert receivers(with_receivers(0)) == [("alarms", "skipped", "no receiver is set")]
    assert receivers(with_receivers(0), send=True) == [("alarms", "to do", "no receiver is set")]


def test_a_site_that_does_not_answer_is_told(project: Callable[..., FleetProcess]) -> None:
    done = doctor(project(free_port()))
    assert done.returncode == 1
    assert done.stdout.count("its robots.txt could not be read") == 2
    assert done.stderr == ""


def test_without_a_contact_sites_of_others_are_not_requested(project: Callable[..., FleetProcess]) -> None:
    made_here = project(free_port(), NEWSCRAWL_CONTACT="")
    declared = made_here.folder / "spiders" / "local.py"
    declared.write_text(declared.read_text("utf-8").replace(".localhost", ".example.org"), encoding="utf-8")
    found = states(doctor(made_here, "--json"))
    assert (found["contact"], found["sites"]) == ("to do", "skipped")


WRONG: list[tuple[str, dict[str, str], str]] = [
    ("settings", {"NEWSCRAWL_DELAY": "fast"}, "NEWSCRAWL_DELAY"),
    ("settings", {"NEWSCRAWL_HOLD": "1"}, "no effect: NEWSCRAWL_HOLD"),
    ("settings", {"NEWSCRAWL_DELAYS": "1"}, "is NEWSCRAWL_DELAY meant?"),
    ("settings", {"NEWSCRAWL_ALLOWED_ADDRESSES": "everything"}, "everything"),
    ("settings", {"SCRAPY_PROJECT": "nonsense"}, "nonsense"),
    ("declarations", {"NEWSCRAWL_SITE_SCHEDULES": '{"site0": {"interval": 5}}'}, "site 'site0': "),
    ("database", {"NEWSCRAWL_DATABASE_URL": "sqlite:////nowhere/news.db"}, "/nowhere is not a folder"),
    ("site site0", {"NEWSCRAWL_ALLOWED_ADDRESSES": ""}, "127.0.0.1"),
]


@pytest.mark.parametrize(("check", "settings", "words"), WRONG)
def test_what_cannot_work_is_one_line(
    project: Callable[..., FleetProcess], check: str, settings: dict[str, str], words: str
) -> None:
    options = () if check.startswith("site ") else ("--offline",)
    done = doctor(project(free_port()), *options, **settings)
    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if line.startswith(f"{check} ")]
    assert " to do " in line
    assert words in line
    assert "Traceback" not in done.stdout + done.stderr


def test_a_settings_module_with_an_error_is_one_line(project: Callable[..., FleetProcess]) -> None:
    made_here = project(free_port())
    (made_here.folder / "settings" / "base.py").write_text("this is no Python\n", encoding="utf-8")
    done = doctor(made_here)
    assert (done.returncode, done.stderr) == (1, "")
    assert "SyntaxError" in done.stdout.splitlines()[0]
    assert re.search("^database +skipped  needs the settings$", done.stdout, re.MULTILINE)


def test_outside_of_a_project_it_says_how_to_make_one(project: Callable[..., FleetProcess], tmp_path: Path) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    done = doctor(replace(project(free_port()), folder=elsewhere))
    assert done.returncode == 1
    assert "newscrawl new DIR" in done.stdout


def test_a_database_that_accepts_and_says_nothing_is_told_in_time(project: Callable[..., FleetProcess]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://news:s3cret@127.0.0.1:{silent.getsockname()[1]}/news?connect_timeout=2"
        done = doctor(project(free_port()), "--offline", NEWSCRAWL_DATABASE_URL=address)
    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("database ")]
    assert " to do " in line
    assert "timeout expired" in line
    assert "s3cret" not in done.stdout


def test_a_database_in_order_is_left_as_it_was(database: str) -> None:
    condition = look_at(database)
    assert (condition.is_current, condition.refusal, condition.without_statistics) == (True, "", ())
    assert condition.product.split()[0] in {"SQLite", "PostgreSQL"}
    assert condition.size > 0
    assert (condition.clock is None) == (condition.file is not None)
    with make_engine(parse_url(database), pooled=False).connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM sites")).scalar_one() == 1, "*"


def test_a_sqlite_file_that_another_process_holds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.storage.engine.database.BUSY_TIMEOUT_MS", 20)
    open_store(url := f"sqlite:///{tmp_path}/news.db", upgrade=True).close()
    with make_engine(parse_url(url), pooled=False).connect() as connection:
        connection.execute(text("SELECT 1"))  # begins a writing transaction
        assert "locked by another process" in look_at(url).refusal


@pytest.mark.postgresql
def test_a_server_without_tables_or_statistics_is_told(empty_postgresql: str) -> None:
    assert not look_at(empty_postgresql).is_current
    open_store(empty_postgresql, upgrade=True).close()
    with make_engine(parse_url(empty_postgresql), pooled=False).begin() as connection:
        connection.execute(text("ALTER TABLE sites SET (autovacuum_enabled = off)"))
        connection.execute(
            text("INSERT INTO sites (site, token) SELECT 'site' || n, n FROM generate_series(1, :n) n"),
            {"n": MANY_ROWS},
        )
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
    assert look_at(empty_postgresql).without_statistics == ("sites",)
    with make_engine(parse_url(empty_postgresql), pooled=False).begin() as connection:
        connection.execute(text("ANALYZE sites"))
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
    assert look_at(empty_postgresql).without_statistics == ()


@pytest.mark.postgresql
def test_a_server_that_accepts_no_write_is_told(empty_postgresql: str) -> None:
    open_store(empty_postgresql, upgrade=True).close()
    name = empty_postgresql.partition("?")[0].rpartition("/")[2]
    with make_engine(parse_url(empty_postgresql), pooled=False).begin() as connection:
        connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    assert "read-only" in look_at(empty_postgresql).refusal


@pytest.mark.parametrize(
    ("condition", "free", "check"),
    [
        (replace(SERVER, is_current=False), None, "database"),
        (replace(SERVER, refusal="cannot write"), None, "database"),
        (replace(SERVER, without_statistics=("pages",)), None, "statistics"),
        (replace(SERVER, clock=NOW + timedelta(minutes=3)), None, "clock"),
        (replace(SERVER, clock=NOW - timedelta(minutes=3)), None, "clock"),
        (replace(SERVER, file=Path("/news.db"), clock=None, newest=NOW + timedelta(minutes=3)), 2 * 10**9, "clock"),
        (replace(SERVER, file=Path("/news.db"), clock=None), 999_999_999, "disk"),
        (replace(SERVER, file=Path("/news.db"), clock=None, size=3 * 10**9), 2 * 10**9, "disk"),
    ],
)
def test_each_trouble_of_a_database_is_its_own_line_with_advice(
    condition: DatabaseCondition, free: int | None, check: str
) -> None:
    assert {finding.state for finding in judge(SERVER, None, NOW, NOW)} == {"ok"}
    found = list(judge(condition, free, NOW, NOW))
    assert [finding.check for finding in found if finding.state == "to do"] == [check]


def test_little_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (limit := tmp_path / "memory.max").write_text("max\n", encoding="utf-8")
    (info := tmp_path / "meminfo").write_text("MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\n", encoding="utf-8")
    monkeypatch.setattr(checks, "_MEMORY_INFO", info)
    monkeypatch.setattr(checks, "_CONTAINER_LIMIT", limit)
    assert [finding.state for finding in check_memory(2)] == ["ok"]
    info.write_text("MemTotal: 4000000 kB\nMemAvailable: 300000 kB\n", encoding="utf-8")
    assert [finding.state for finding in check_memory(2)] == ["to do"]
    limit.write_text("1000000000\n", encoding="utf-8")
    assert "1.0 GB" in check_memory(2)[0].text
    info.unlink()
    assert [finding.state for finding in check_memory(2)] == ["skipped"]


def test_every_exception_and_every_hang_is_a_finding() -> None:
    def raises(error: Exception) -> Any:
        raise error

    assert made("disk", lambda: raises(UsageError("no such site")))[0].text == "no such site"
    assert made("disk", lambda: raises(PermissionError(13, "Permission denied")))[0].text == "permission denied"
    assert made("disk", lambda: raises(KeyError("lost")))[0].text == "KeyError: 'lost'"
    assert made_within("disk", 5.0, lambda: [ok("disk", "fine")], "wait")[0].state == "ok"
    late = made_within("disk", 0.05, slow, "wait")[0]
    assert (late.state, late.text, late.advice) == ("to do", "no answer within 0 s", "wait")


def slow() -> list[Finding]:
    time.sleep(0.5)
    return [ok("disk", "fine")]
