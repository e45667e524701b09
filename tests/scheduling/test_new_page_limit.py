"""How many addresses of a site that were never fetched may be requested in a day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from newscrawl.crawling.scheduling.site_state import DAYS, MIN_BOUND, Allowance, SiteDay, allowance, bound_of, usual_day

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
TODAY = NOW.date()


def day(on: date, new_articles: int = 0, new_pages_requested: int = 0, limit_reached: int | None = None) -> SiteDay:
    """A day of the site."""
    return SiteDay("harbour", on, new_pages_requested, new_articles, limit_reached)


def days(*articles: int) -> list[SiteDay]:
    """Yesterday's number, that of the day before, and so on."""
    return [day(TODAY - timedelta(days=back), number) for back, number in enumerate(articles, 1)]


@pytest.mark.parametrize(
    ("articles", "usual"),
    [((), 0), ((50,) * 6, 0), ((50,) * 7, 50), ((10, 20, 30, 40, 50, 60, 5000), 40), ((7,) * 40, 7)],
    ids=["new site", "six days", "seven days", "a backlog", "months"],
)
def test_the_usual_day_is_the_median_of_the_last_weeks(articles: tuple[int, ...], usual: int) -> None:
    assert usual_day(days(*articles), TODAY) == usual


def test_old_days_today_and_days_of_the_future_are_not_usual() -> None:
    odd = [day(TODAY + timedelta(days=ahead), 9000) for ahead in range(20)]
    odd += [day(TODAY - timedelta(days=DAYS + 1 + back), 9000) for back in range(20)]
    assert usual_day([*days(*[30] * 7), *odd], TODAY) == 30


def test_a_trap_whose_pages_are_all_new_does_not_raise_its_own_bound() -> None:
    """Each day's bound is reached with new texts; these days are not usual."""
    known = days(*[20] * 8)
    for ahead in range(40):
        today = TODAY + timedelta(days=ahead)
        bound = bound_of(known, today, MIN_BOUND)
        assert bound == MIN_BOUND
        known.append(day(today, new_articles=bound, new_pages_requested=bound, limit_reached=bound))


@pytest.mark.parametrize(("articles", "bound"), [(20, 1000), (100, 1000), (101, 1010), (3000, 30_000)])
def test_a_day_may_have_a_thousand_addresses_or_ten_times_its_articles(articles: int, bound: int) -> None:
    assert bound_of(days(*[articles] * 10), TODAY, MIN_BOUND) == bound


def test_what_was_asked_for_today_is_not_there_any_more() -> None:
    today = [
        day(TODAY, new_pages_requested=990),
        day(TODAY + timedelta(days=300), new_pages_requested=5000, limit_reached=1000),
    ]
    found = allowance(today, NOW, MIN_BOUND)
    assert (found.bound, found.left) == (1000, 10)
    assert [found.take(NOW) for _ in range(12)] == [True] * 10 + [False] * 2
    assert allowance([day(TODAY, new_pages_requested=1200)], NOW, MIN_BOUND).left == 0


def test_a_new_day_begins_at_midnight_and_a_clock_set_back_begins_none() -> None:
    found = Allowance(TODAY, bound=2, left=0)
    assert found.is_used_up(NOW)
    assert found.is_used_up(NOW - timedelta(days=1))
    assert not found.is_used_up(datetime(2026, 11, 24, tzinfo=UTC))
    assert found.left == 2


def test_the_day_is_that_of_utc() -> None:
    evening_in_chile = datetime.fromisoformat("2026-11-23T22:30:00-03:00")
    assert allowance((), evening_in_chile, MIN_BOUND).day == date(2026, 11, 24)
