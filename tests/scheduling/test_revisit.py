"""Visits to an article become rarer, and end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.crawling.scheduling.revisit import MAX_PAUSE, MIN_PAUSE, QUIET, next_due

SEEN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def visits(published=None, last_change=None):
    """Every visit to an article that was first read at SEEN and never answers with anything new."""
    times = [SEEN]
    while (due := next_due(SEEN, published, last_change, times[-1])) is not None:
        times.append(due)
    return times[1:]


def test_a_fresh_article_is_visited_after_growing_pauses_and_then_no_more():
    times = visits()
    pauses = [later - earlier for earlier, later in zip([SEEN, *times], times, strict=False)]
    assert pauses[0] == MIN_PAUSE
    assert pauses == sorted(pauses)
    assert max(pauses) <= MAX_PAUSE
    assert times[-1] - SEEN <= QUIET + MAX_PAUSE
    assert len(times) <= 15


def test_a_change_starts_the_visits_anew():
    changed = SEEN + timedelta(days=30)
    assert next_due(SEEN, None, changed, changed) == changed + MIN_PAUSE
    assert next_due(SEEN, None, changed, changed + timedelta(hours=6)) == changed + timedelta(hours=12)


def test_an_article_that_was_old_when_it_was_found_is_not_visited_again():
    assert visits(published=SEEN - timedelta(days=400)) == []


@pytest.mark.parametrize("published", [SEEN + timedelta(days=1), datetime(2099, 1, 1, tzinfo=UTC)])
def test_a_publication_date_in_the_future_does_not_keep_an_article_fresh(published):
    assert visits(published=published) == visits()


def test_a_clock_that_jumps_back_neither_raises_nor_hurries():
    now = SEEN - timedelta(days=1)
    assert next_due(SEEN, None, None, now) == now + MIN_PAUSE


def test_a_page_that_is_often_edited_is_visited_more_often_than_one_that_never_is():
    now = SEEN + timedelta(hours=8)
    edited = next_due(SEEN, None, None, now, visits=8, edits=6) - now
    usual = next_due(SEEN, None, None, now, visits=1, edits=0) - now
    still = next_due(SEEN, None, None, now, visits=8, edits=0) - now
    assert MIN_PAUSE < edited < usual == timedelta(hours=8) < still <= 2 * usual
