"""One owner of a host at a time: claims, renewals, notes and releases, by the database's clock."""

from __future__ import annotations

import pytest
from patience import PATIENCE
from stored_rows import host_row

from newscrawl.crawling.scheduling.host import HostState
from newscrawl.storage.frontier import hosts
from newscrawl.storage.frontier.hosts import LONGEST_TURN, WANTED_FOR, HostNote

KEY = "domain:example.org"
SPAN = 55.0
NOW = 1_793_534_400.0
"""Seconds since 1970."""
WELL = HostState(latency=0.25)


@pytest.fixture
def exchange(store):
    def exchanged(owner, at, *notes, delay=None, dead=()):
        claims = {} if delay is None else {KEY: delay}
        found = store.at_once(hosts.exchange, owner, notes, claims, SPAN, lambda name: name in dead, NOW + at)
        return found.result(PATIENCE).get(KEY)

    return exchanged


@pytest.fixture
def row(store):
    return lambda: store.run(host_row, KEY).result(PATIENCE)


def released(wait, state=WELL, requests=1):
    return HostNote(KEY, wait, state, requests, is_released=True)


def test_a_host_has_one_owner_until_it_is_released(exchange):
    first = exchange("anna", 0, delay=1.0)
    assert (first.wait, first.state, first.is_wanted) == (0.0, HostState(), False)
    assert exchange("bert", 1, delay=1.0) is None
    exchange("anna", 2, released(1.0))
    assert exchange("bert", 2.25, delay=1.0).wait == 0.75
    assert exchange("anna", 3, delay=1.0) is None


def test_the_owner_that_renews_hears_that_another_process_wants_the_host(exchange):
    exchange("anna", 0, delay=1.0)
    assert not exchange("anna", 10, delay=1.0).is_wanted
    exchange("bert", 11, delay=1.0)
    assert exchange("anna", 12, delay=1.0).is_wanted
    assert not exchange("anna", 11 + WANTED_FOR, delay=1.0).is_wanted


def test_a_turn_that_was_not_released_ends_and_its_successor_waits_for_a_whole_delay(exchange):
    exchange("anna", 0, delay=7.0)
    assert exchange("bert", SPAN - 1, delay=1.0) is None
    assert exchange("bert", SPAN, delay=1.0).wait == 7.0


def test_a_host_of_a_dead_process_is_free_after_a_whole_delay(exchange):
    exchange("anna", 0, delay=1.0)
    assert exchange("bert", 3, delay=2.0, dead={"carl"}) is None
    assert exchange("bert", 4, delay=2.0, dead={"anna"}).wait == 2.0


def test_the_longer_delay_of_the_next_owner_counts_from_the_last_request(exchange):
    exchange("anna", 0, delay=1.0)
    exchange("anna", 5, released(1.0))
    assert exchange("bert", 5, delay=6.0).wait == 6.0
    exchange("bert", 12, released(6.0))
    assert exchange("anna", 12, delay=1.0).wait == 6.0


@pytest.mark.parametrize("column", ["backoff", "crawl_delay"])
def test_a_delay_that_only_the_row_knows_holds_after_a_kill(exchange, column):
    exchange("anna", 0, delay=1.0)
    exchange("anna", 1, HostNote(KEY, 1.0, HostState(**{column: 9.0})))
    found = exchange("bert", 2, delay=1.0, dead={"anna"})
    assert (found.wait, getattr(found.state, column)) == (9.0, 9.0)


def test_a_pause_counts_from_the_note_that_brought_it(exchange):
    exchange("anna", 0, delay=1.0)
    exchange("anna", 3, HostNote(KEY, 60.0, HostState(backoff=5.0, failures=1)))
    assert exchange("bert", 4, delay=1.0, dead={"anna"}).wait == 59.0


def test_what_a_former_owner_learned_late_only_lengthens_the_wait(exchange, row):
    exchange("anna", 0, delay=1.0)
    exchange("bert", SPAN, delay=1.0)
    exchange("anna", SPAN + 1, released(30.0, HostState(backoff=8.0, failures=4)))
    assert (row().owner, row().backoff, row().failures, row().next_at) == ("bert", 0.0, 0, NOW + SPAN + 31)
    exchange("bert", SPAN + 2, released(1.0))
    assert exchange("anna", SPAN + 2, delay=1.0).wait == 29.0


def test_an_end_that_only_a_wrong_clock_could_write_blocks_nobody(exchange):
    exchange("anna", 2 * LONGEST_TURN, delay=1.0)
    assert exchange("bert", 0, delay=1.0) is not None


def test_requests_are_counted_by_day(exchange, row):
    day = 86_400.0
    exchange("anna", 0, delay=1.0)
    exchange("anna", 0, HostNote(KEY, 0.0, WELL, 3))
    exchange("anna", 1, HostNote(KEY, 0.0, WELL, 4))
    assert row().requests_today == 7
    exchange("anna", day, HostNote(KEY, 0.0, WELL, 1))
    exchange("anna", 0, HostNote(KEY, 0.0, WELL, 1))  # a clock set back begins no new day
    assert row().requests_today == 2
    exchange("anna", -9 * day, HostNote(KEY, 0.0, WELL, 5))  # a clock that ran ahead for days does not count
    assert row().requests_today == 5


def test_many_hosts_are_claimed_and_released_together(store):
    keys = [f"domain:{number}.example" for number in range(700)]
    claims, first = dict.fromkeys(keys, 1.0), dict.fromkeys(keys[:9], 1.0)
    notes = [HostNote(key, 1.0, WELL, is_released=True) for key in keys]
    dead = lambda _owner: False  # noqa: E731
    assert store.at_once(hosts.exchange, "anna", [], claims, SPAN, dead).result(PATIENCE).keys() == set(keys)
    assert store.at_once(hosts.exchange, "bert", [], first, SPAN, dead).result(PATIENCE) == {}
    store.at_once(hosts.exchange, "anna", notes[:5], {}, SPAN, dead).result(PATIENCE)
    assert store.at_once(hosts.exchange, "bert", [], first, SPAN, dead).result(PATIENCE).keys() == set(keys[:5])
