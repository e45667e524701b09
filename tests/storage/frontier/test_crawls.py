"""A change of a crawl in several tables is made completely or not at all. The latest runs of a site are kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from newscrawl.errors import LeaseLost, SiteLeased
from newscrawl.reports.sites import last_runs
from newscrawl.storage.frontier import crawls, leases, sites
from newscrawl.storage.frontier.crawls import Beginning
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
