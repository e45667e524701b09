"""A crawl's counters as an operator reads them."""

from __future__ import annotations

import pytest

from newscrawl.crawling.progress import one_line, print_summary
from newscrawl.crawling.summary import summarise

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
        "failures": "8",
        "  http/404": "7",
        "  extraction/timeout": "1",
        "errors in the log": "2",
        "seconds": "12.3",
    }


def test_a_crawl_without_any_counter_is_a_table_of_zeros() -> None:
    rows = dict(summarise("demo", {}, 0).rows())
    assert set(rows.values()) == {"0", "0.0"}


def test_the_live_line_fits_a_terminal_and_survives_zero_seconds() -> None:
    assert len(one_line(summarise("demo", COUNTERS, 0))) < 140


def test_the_table_says_what_to_type_next(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(summarise("demo", COUNTERS, 1))
    printed = capsys.readouterr().out
    assert "crawl of demo" in printed
    assert "newscrawl why URL" in printed.replace("\n", "")
