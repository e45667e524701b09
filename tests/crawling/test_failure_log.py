"""Failures of pages with one reason are logged a few times."""

from __future__ import annotations

import logging

import pytest

from newscrawl.crawling.spider.limits import LOGGED_ALIKE, MAX_REASONS, FailureLog
from newscrawl.model import Failure


def test_reasons_that_many_pages_share_are_logged_at_debug(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    log = FailureLog(logging.getLogger("harbour"))
    closed, slow = Failure("robots/unreachable", "connection refused"), Failure("fetch/timeout", "30 s")
    for number in range(3 * LOGGED_ALIKE):
        log.add(f"https://harbour.example/{number}", closed)
    log.add("https://harbour.example/slow", slow)
    shown = [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]
    assert len(shown) == LOGGED_ALIKE + 2
    assert "at DEBUG: connection refused" in shown[LOGGED_ALIKE]
    assert "/slow" in shown[-1]
    assert len(caplog.records) == 3 * LOGGED_ALIKE + 2


def test_reasons_that_name_the_address_do_not_pile_up(caplog: pytest.LogCaptureFixture) -> None:
    log = FailureLog(logging.getLogger("harbour"))
    caplog.set_level(logging.INFO)
    for number in range(2 * MAX_REASONS):
        log.add("https://harbour.example/", Failure("fetch/redirect", f"leads to {number}"))
    assert len(log._seen) == MAX_REASONS
    assert len(caplog.records) == 2 * MAX_REASONS
