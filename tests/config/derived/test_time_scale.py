"""A faster clock for trials: a scale that is too great is an error at the start, and old dates end no crawl."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.derived.intervals import check_time_scale, faster_next_due, faster_sources
from newscrawl.crawling.scheduling import revisit, sources
from newscrawl.errors import ConfigurationError
from newscrawl.model import SourceVisit

NOW = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)
OLD = datetime(1998, 5, 1, tzinfo=UTC)


def test_a_scale_whose_clock_passes_the_last_year_is_refused_with_the_greatest_one() -> None:
    assert CATALOGUE["NEWSCRAWL_TIME_SCALE"].range.endswith("10,000")
    check_time_scale(5_000, NOW)
    with pytest.raises(ConfigurationError, match=r"setting NEWSCRAWL_TIME_SCALE: 10000 .* give at most 7,6\d\d$"):
        check_time_scale(10_000, NOW)


@pytest.mark.parametrize("scale", [60.0, 5_000.0, 10_000.0])
def test_dates_that_the_faster_clock_cannot_reach_raise_nothing(scale: float) -> None:
    due = faster_next_due(revisit.next_due, scale)(OLD, OLD, OLD, NOW, 1, 0)
    assert due is None or due > OLD
    visit = SourceVisit("https://a.example/feed", NOW, fresh=(OLD,), previous=NOW - timedelta(minutes=5), status=200)
    assert faster_sources(sources.plan, scale)(None, visit).next_due is not None
