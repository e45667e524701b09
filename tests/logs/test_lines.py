"""Log records as text and as JSON: one line each, without secrets and without control characters."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from patience import PATIENCE

from newscrawl.config.logs import lines
from newscrawl.config.logs.lines import JsonLines, SafeRecord, about
from newscrawl.config.logs.terminal import escaped, one_line
from newscrawl.errors import ArchiveError, NewscrawlError, StorageError


def line(message: str, *arguments: object) -> str:
    return SafeRecord("x", logging.INFO, "x.py", 1, message, arguments, None).getMessage()


def test_a_log_line_shows_no_secret() -> None:
    assert (
        line("source %s failed", "https://u:p@h.example/?token=x") == "source https://***@h.example/?token=*** failed"
    )


def test_a_log_line_holds_nothing_that_a_terminal_obeys() -> None:
    title = "\x1b[2J\x07 wipe \x9b31m \u202e txt \r2026 INFO fake"
    assert line("%s", title) == "\\u001b[2J\\u0007 wipe \\u009b31m \\u202e txt \\u000d2026 INFO fake"
    assert escaped("Straße, 東京 \U0001f30a\tx") == "Straße, 東京 \U0001f30a\tx"


def test_a_part_of_a_line_stays_on_it() -> None:
    assert one_line(" a\n2026 fake\r\n\x1b[2J ") == "a 2026 fake \\u001b[2J"


def test_a_traceback_shows_no_secret_and_holds_nothing_that_a_terminal_obeys() -> None:
    error = ValueError("https://u:p@h.example/?token=x \x1b[2J")
    record = SafeRecord("x", logging.ERROR, "x.py", 1, "failed", (), (ValueError, error, None))
    text = logging.Formatter().format(record)
    assert "ValueError: https://***@h.example/?token=*** \\u001b[2J" in text
    assert "token=x" not in text
    assert text.startswith("failed\nValueError")


@pytest.mark.parametrize("kind", [StorageError, ArchiveError])
def test_an_error_of_the_machine_is_logged_in_one_line_wherever_it_is_raised(kind: type[NewscrawlError]) -> None:
    error = kind("cannot write to database news.db: disk I/O error")
    record = SafeRecord("x", logging.ERROR, "x.py", 1, "Error in %s", ("a handler",), (kind, error, None))
    text = logging.Formatter().format(record)
    assert text == "Error in a handler: cannot write to database news.db: disk I/O error"


SUPPORT = Path(__file__).parents[1] / "support"


def record(message: str, *arguments: object, error: BaseException | None = None, **extra: object) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error is not None else None
    made = SafeRecord("a.b", logging.WARNING, "x.py", 1, message, arguments, info)
    made.created = 1_700_000_000.5
    made.__dict__.update(extra)
    return made


def test_a_line_has_the_time_and_what_is_known() -> None:
    text = JsonLines().format(record("%s: gone", "page", **about("elpais", "https://a.example/1", "http/410")))
    assert json.loads(text) == {
        "time": "2023-11-14T22:13:20.500+00:00",
        "level": "WARNING",
        "logger": "a.b",
        "message": "page: gone",
        "site": "elpais",
        "url": "https://a.example/1",
        "reason": "http/410",
    }


def test_what_is_not_known_is_left_out() -> None:
    assert about("elpais", None, "") == {"site": "elpais"}
    assert set(json.loads(JsonLines().format(record("x")))) == {"time", "level", "logger", "message"}


def test_a_record_of_scrapy_names_its_site_and_address() -> None:
    given = record("Error of %(request)s", {"request": SimpleNamespace(url="https://u:p@a.example/?token=x")})
    given.__dict__["spider"] = SimpleNamespace(name="elpais")
    found = json.loads(JsonLines().format(given))
    assert (found["site"], found["url"]) == ("elpais", "https://***@a.example/?token=***")


def test_no_secret_and_no_control_character_is_in_a_line() -> None:
    nasty = "https://u:p@h.example/?token=x \x1b[2J\x9b\x7f\u202e\u2028\nsecond \udc80 東京"
    text = JsonLines().format(record("%s", nasty, error=ValueError(nasty), **about("s", nasty, "r")))
    assert re.fullmatch(r"[\x20-\x7e]+", text)
    found = json.loads(text)
    assert "u:p" not in text
    assert "token=x" not in text
    assert "東京" in found["message"]
    assert "ValueError: https://***@h.example/" in found["exception"]
    assert not re.search(r"[\x1b\x9b\x7f\u202e]", found["message"] + found["exception"] + found["url"])


def test_a_line_that_is_no_record_is_json_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines.print_line("newscrawl: https://u:p@h.example/ fails")
    monkeypatch.setattr(lines, "is_json", lambda: True)
    lines.print_line("newscrawl: https://u:p@h.example/ fails")
    text, written = capsys.readouterr().err.splitlines()
    assert text == "newscrawl: https://***@h.example/ fails"
    found = json.loads(written)
    assert (found["logger"], found["level"]) == ("newscrawl", "ERROR")
    assert found["message"] == "https://***@h.example/ fails"


PARENT = """
from child_work import talk
from newscrawl.config.logs import lines
from newscrawl.workers.processes.forkserver import start_child
lines.write_json()
child = start_child("talks", talk)
child.pipe.recv_bytes()
child.close()
"""


def test_what_a_child_process_logs_itself_is_json() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PARENT],
        env={**os.environ, "PYTHONPATH": str(SUPPORT)},
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert json.loads(done.stderr)["message"] == "a child talks of https://***@h.example/"
