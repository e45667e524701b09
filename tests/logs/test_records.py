"""Log records: one line each, without secrets and without control characters."""

from __future__ import annotations

import logging

import pytest

from newscrawl.config.logs.lines import SafeRecord
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
