"""A change of a crawl in several tables is made completely or not at all."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newscrawl.errors import SiteLeased
from newscrawl.storage.crawls import request_notes, site_crawls
from newscrawl.storage.crawls.request_notes import RequestNotes
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.frontier import hosts, leases, sites
from newscrawl.storage.frontier.hosts import HostRow
from newscrawl.storage.monitoring import hours

HOUR = timedelta(hours=1)


def nobody_is_dead(_owner: str) -> bool:
    return False


def test_a_crawl_that_finds_the_lease_taken_notes_no_start(store, now):
    store.run(leases.acquire, "harbour", "other/1/x.1", now, HOUR).result()
    began = store.run(site_crawls.begin, "harbour", "me/2/x.2", now, now, HOUR, nobody_is_dead)
    with pytest.raises(SiteLeased, match="other/1"):
        began.result()
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert row.last_started is None


def test_a_crawl_takes_the_lease_of_a_dead_owner_and_notes_its_start(store, now):
    store.run(leases.acquire, "harbour", "other/1/x.1", now, HOUR).result()
    lease = store.run(site_crawls.begin, "harbour", "me/2/x.2", now, now, HOUR, "other/1/x.1".__eq__).result()
    assert (lease.owner, lease.token) == ("me/2/x.2", 2)
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert row.last_started == now


def test_notes_that_cannot_all_be_written_leave_nothing(store, now, monkeypatch):
    def refuse(*_args):
        raise ValueError("refused")

    notes = RequestNotes(
        [HostRow("domain:harbour.example")], {"harbour": 2}, {"domain:harbour.example": 2}, {"harbour": 1}
    )
    with monkeypatch.context() as patched:
        patched.setattr(hours, "count_requests", refuse)
        with pytest.raises(ValueError, match="refused"):
            store.run(request_notes.write, notes, now).result()
    assert store.run(hosts.load, "domain:harbour.example").result() is None
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert row.requests_today == 0
    store.run(request_notes.write, notes, now).result()
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert row.requests_today == 2
    assert [day.new_pages_requested for day in store.run(hours.days_of, "harbour", now).result()] == [1]


def test_changes_are_needless_once_every_consumer_has_read_them(store, now):
    for number in (1, 1, 2, 1):
        store.run(changes.append, [number], now, "metadata").result()
    first, second, _, last = (change.seq for change in store.run(changes.read, 0, 10).result())
    assert store.run(consumers.needless_changes, 10).result() == [first, second]
    store.run(consumers.save, "slow", first, None, now).result()
    store.run(consumers.save, "fast", last, None, now).result()
    assert store.run(consumers.needless_changes, 10).result() == []
    store.run(consumers.save, "slow", second, None, now).result()
    assert store.run(consumers.needless_changes, 10).result() == [first]
    assert store.run(consumers.needless_changes, 0).result() == []
