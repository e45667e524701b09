"""A change of a crawl in several tables is made completely or not at all. The latest runs of a site are kept. The limit
of never-fetched addresses a day: what a crawl may still request, what waits, and the alarm."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from source_items import record_answer, record_page_failure
from sqlalchemy import func, select

from newscrawl import reports
from newscrawl.errors import LeaseLost, SiteLeased
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.reports.sites import last_runs
from newscrawl.storage.frontier import crawls, leases, pages, sites
from newscrawl.storage.frontier.crawls import Beginning, count_requests, note_reached
from newscrawl.storage.frontier.crawls import new_pages_left as begin
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.operations import runs as table

HOUR = timedelta(hours=1)


def beginning(site, owner, now, least=5, is_dead=lambda _owner: False):
    return Beginning(site, site, owner, now, HOUR, is_dead, least, in_fleet=True, compares=True)


def last_crawl(store, site):
    with store.reading() as connection:
        return last_runs(connection, site).get(site)


def test_a_crawl_that_finds_the_lease_taken_notes_no_start(store, now):
    store.run(leases.acquire, "harbour", "other/1/x.1", now, HOUR).result()
    began = store.run(crawls.begin, beginning("harbour", "me/2/x.2", now), now)
    with pytest.raises(SiteLeased, match="other/1"):
        began.result()
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert (row.last_started, last_crawl(store, "harbour")) == (None, None)


def test_a_crawl_begins_with_all_that_it_needs_also_after_a_dead_owner(store, now):
    store.run(leases.acquire, "harbour", "other/1/x.1", now, HOUR).result()
    crawl = beginning("harbour", "me/2/x.2", now, is_dead="other/1/x.1".__eq__)
    begun = store.run(crawls.begin, crawl, now).result()
    assert (begun.lease.owner, begun.lease.token) == ("me/2/x.2", 2)
    assert (begun.allowance.left, begun.is_comparison_due) == (5, False)
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert (row.last_started, row.leased) == (now, True)
    run = last_crawl(store, "harbour")
    assert (run.id, run.started, run.finished) == (begun.run, now, None)


@pytest.mark.parametrize("is_over", [True, False])
def test_a_crawl_ends_with_its_lease_and_its_counters(store, now, is_over):
    begun = store.run(crawls.begin, beginning("harbour", "me/2/x.2", now), now).result()
    counters = {"articles": 3, "finish_reason": "finished"}
    ending = {"is_over": is_over, "home": "https://harbour.example/"}
    store.run(leases.fenced, begun.lease, crawls.end, begun, now, now + HOUR / 2, counters, **ending).result()
    run = last_crawl(store, "harbour")
    assert (run.finished, run.counters) == (now + HOUR / 2, {"articles": 3})
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert (row.last_finished, row.leased) == (now + HOUR / 2 if is_over else None, False)


def test_a_crawl_whose_lease_is_lost_ends_nothing(store, now):
    begun = store.run(crawls.begin, beginning("harbour", "me/2/x.2", now), now).result()
    other = store.run(crawls.begin, beginning("harbour", "other/1/x.1", now + 2 * HOUR), now + 2 * HOUR).result()
    ending = {"is_over": True, "home": "https://harbour.example/"}
    with pytest.raises(LeaseLost):
        store.run(leases.fenced, begun.lease, crawls.end, begun, now, now + 3 * HOUR, {}, **ending).result()
    assert last_crawl(store, "harbour").id == other.run
    (row,) = store.run(sites.history, ["harbour"], now + 2 * HOUR).result()
    assert (row.last_started, row.last_finished, row.leased) == (now + 2 * HOUR, None, True)


NOW = datetime(2026, 11, 1, tzinfo=UTC)


def test_runs_do_not_pile_up_for_ever(tmp_path: Path) -> None:
    def crawl_often(connection: object, site: str, times: int) -> None:
        for number in range(times):
            crawls.add_run(connection, site, NOW + timedelta(minutes=number))  # type: ignore[arg-type]

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False) as store:
        store.run(crawl_often, "rare", 3).result()
        store.run(crawl_often, "busy", crawls.KEEP + 4 * crawls.PRUNE_EVERY).result()
        with store.reading() as connection:
            counted = select(table.c.site, func.count().label("number")).group_by(table.c.site)
            kept = {row.site: row.number for row in connection.execute(counted)}
            last = last_runs(connection, "busy").get("busy")
    assert kept["rare"] == 3
    assert crawls.KEEP <= kept["busy"] <= crawls.KEEP + crawls.PRUNE_EVERY
    assert last is not None
    assert last.started == NOW + timedelta(minutes=crawls.KEEP + 4 * crawls.PRUNE_EVERY - 1)


SITE = "https://harbour.example"
FEED = f"{SITE}/feed"
DAY = timedelta(days=1)


@pytest.fixture
def requested(call: Callable[..., Any]) -> Callable[..., None]:
    """Notes that a number of never-fetched addresses were requested at a time."""
    return lambda number, at, name="harbour": call(count_requests, {}, {name: number}, at)


def announce(call: Callable[..., Any], now: Any, *urls: str) -> None:
    named = [Candidate(url, Discovery("feed", FEED)) for url in urls]
    call(record_answer, SourceAnswer("harbour", FEED, "feed", 200, now), named, now)


def test_the_limit_grows_with_the_new_articles_of_usual_days(call, store, page, now):
    """A new article is one that the first visit of an announced page brought."""
    for day in range(1, 8):
        at = now - day * DAY
        announce(call, at, *(f"{SITE}/{day}/{number}" for number in range(3)))
        for number, text in enumerate((f"The ferry of {day}", f"The bridge of {day}", f"The bridge of {day}")):
            store.save(page(f"{SITE}/{day}/{number}", text, fetched_at=at)).result()
        store.save(page(f"{SITE}/{day}/0", f"The ferry of {day}, changed", fetched_at=at)).result()
    assert call(begin, "harbour", 5, now).bound == 20, "ten times the two of a usual day"


def test_a_day_of_the_future_holds_up_nothing(call, requested, now):
    announce(call, now, f"{SITE}/one")
    requested(5000, now + 400 * DAY)
    call(note_reached, "harbour", 1000, now + 400 * DAY)
    assert call(begin, "harbour", 1000, now).left == 1000
    assert call(alarms.open_alarms) == []
    assert call(reports.url_report, f"{SITE}/one", now).page.waits is None


def test_a_budget_counted_under_a_day_of_the_future_is_not_spent_for_ever(call, now):
    call(sites.count_requests, "harbour", 500, now + 400 * DAY)
    [before] = call(sites.history, ["harbour"], now)
    assert (before.requests_today, call(sites.count_requests, "harbour", 2, now)) == (0, 2)


def test_the_alarm_is_opened_once_a_day_and_ends_after_a_day_without(call, requested, now):
    requested(10, now)
    announce(call, now, f"{SITE}/one", f"{SITE}/two")
    opened = call(note_reached, "harbour", 10, now)
    assert (opened.kind, opened.severity) == ("new_pages", "warning")
    assert "limit of 10 addresses never fetched before is reached for 2026-11-21 (UTC)" in opened.message
    assert "2 pages wait" in opened.message
    assert 'daily_requests = "unlimited"' in opened.message
    assert call(note_reached, "harbour", 10, now) is None
    call(alarms.end, opened.id, now)  # as `status --accept` does
    assert call(note_reached, "harbour", 10, now) is None
    assert call(note_reached, "harbour", 10, now + DAY) is not None
    assert call(begin, "harbour", 10, now + 2 * DAY).left == 10
    assert len(call(alarms.open_alarms)) == 1
    call(begin, "harbour", 10, now + 3 * DAY)
    assert call(alarms.open_alarms) == []


def test_a_bound_that_is_lifted_ends_the_alarm_at_once(call, requested, now):
    announce(call, now, f"{SITE}/one")
    requested(10, now)
    call(note_reached, "harbour", 10, now)
    assert [row.bound_reached for row in call(sites.due, now)] == [10]
    assert call(begin, "harbour", None, now) is None
    assert (call(alarms.open_alarms), [row.bound_reached for row in call(sites.due, now)]) == ([], [None])


def test_pages_that_wait_do_not_keep_visits_from_being_due(call, now):
    announce(call, now, *(f"{SITE}/{number}" for number in range(6)))
    call(record_page_failure, f"{SITE}/0", "harbour", Failure("http/500", "broken"), 500, now)
    later = now + 2 * DAY
    due = call(pages.due, "harbour", later, 3, most_found=0)
    assert [(one.url, one.is_first) for one in due] == [(f"{SITE}/0", False)]
    assert [one.is_first for one in call(pages.due, "harbour", later, 3, most_found=2)] == [True, True, False]
