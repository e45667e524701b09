"""The summary of the counters of a crawl."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime

import pytest

from newscrawl.crawling.fleet.board import Board
from newscrawl.crawling.runtime.progress import _make_room, _writes_to_stderr, one_line, print_summary
from newscrawl.crawling.runtime.summary import summarise

COUNTERS = {
    "downloader/response_count": 86,
    "downloader/response_status_count/304": 4,
    "item_scraped_count": 65,
    "outcome/inserted": 60,
    "outcome/joined": 3,
    "outcome/new_version": 1,
    "extraction/fallback": 2,
    "extraction/timeout": 1,
    "robots/forbidden": 5,
    "robots/fetched": 1,
    "robots/delay_capped": 1,
    "http/404": 7,
    "http/500": 2,
    "verdict/article": 60,
    "verdict/listing": 3,
    "log_count/ERROR": 2,
    "finish_reason": "finished",
}


def test_every_number_finds_its_line() -> None:
    rows = dict(summarise("demo", COUNTERS, 12.34).rows())
    assert rows == {
        "requests answered": "86",
        "  unchanged, not downloaded again": "4",
        "pages fetched": "65",
        "articles stored": "60",
        "new versions of known articles": "1",
        "duplicates suppressed": "3",
        "fallbacks used": "2",
        "refused by robots.txt": "5",
        "gone (404, 410)": "7",
        "no article": "3",
        "failures": "3",
        "  http/500": "2",
        "  extraction/timeout": "1",
        "errors in the log": "2",
        "seconds": "12.3",
    }


def test_answers_that_ask_to_slow_down_have_a_line_and_are_no_failures() -> None:
    before = dict(summarise("demo", COUNTERS, 1.0).rows())
    rows = dict(summarise("demo", {**COUNTERS, "politeness/slow_down_requested": 2}, 1.0).rows())
    assert rows == before | {"asked to slow down (429, 503)": "2"}


def test_failures_are_the_same_number_in_the_table_the_live_line_and_the_log_of_a_run() -> None:
    told = Board().finished("demo", COUNTERS, datetime(2026, 5, 1, tzinfo=UTC))
    assert told.failed == 3
    assert one_line(told).endswith("5 refused by robots.txt, 7 gone, 3 failures")
    assert one_line(summarise("demo", {"http/500": 1}, 1)).endswith("1 failure")


def test_the_table_shows_a_headline_and_which_failures_are_intended(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(summarise("demo", COUNTERS, 1), {"newest headline": "Ferry " * 20}, {"http/500": "a page that fails"})
    printed = capsys.readouterr().out
    assert "http/500 (intended)" in printed
    assert "http/500 is intended: a page that fails" in printed
    assert "Ferry Ferry" in printed
    assert all(len(line) <= 80 for line in printed.splitlines() if line[:1] in "│┌└")


def test_a_crawl_that_stored_nothing_says_where_the_way_ended(capsys: pytest.CaptureFixture[str]) -> None:
    counters = {
        "discovery/sources_requested": 3,
        "discovery/source_unchanged": 1,
        "discovery/source_failed": 1,
        "discovery/candidates": 20,
        "discovery/known": 20,
        "discovery/not_article": 7,
    }
    print_summary(summarise("demo", counters, 1))
    printed = capsys.readouterr().out
    for line in (
        "no article was stored",
        "sources requested: 3",
        "unchanged since the last crawl: 1",
        "failed: 1",
        "addresses they named: 27",
        "known already, and not due again: 20",
        "(see `articles` of the site): 7",
    ):
        assert line in printed
    healthy = {"discovery/sources_requested": 3, "discovery/source_unchanged": 3}
    assert not summarise("demo", counters, 1).all_known
    assert not summarise("demo", {"discovery/sources_requested": 3}, 1).all_known
    print_summary(summarise("demo", healthy, 1))
    printed = capsys.readouterr().out
    assert "nothing new:" in printed
    assert "no article was stored" not in printed
    assert summarise("demo", counters | {"outcome/inserted": 1}, 1).nothing == ()
    assert summarise("demo", {}, 1).nothing == ()


def test_an_interrupted_crawl_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(summarise("demo", COUNTERS | {"crawl/interrupted": 2}, 1))
    printed = capsys.readouterr().out
    assert "crawl of demo, interrupted" in printed


def test_a_log_line_takes_the_row_of_the_live_line(capsys: pytest.CaptureFixture[str]) -> None:
    handler = logging.StreamHandler(sys.stderr)
    assert _writes_to_stderr(handler)
    handler.addFilter(_make_room)
    handler.handle(logging.LogRecord("x", logging.WARNING, "", 0, "a warning", None, None))
    assert capsys.readouterr().err == "\r\x1b[2Ka warning\n"
