"""One owner of a host at a time: grants, releases and renewals, by the database's clock."""

from __future__ import annotations

from datetime import timedelta

import pytest
from patience import PATIENCE

from newscrawl.storage.frontier import hosts
from newscrawl.storage.frontier.hosts import HostRow
from newscrawl.storage.machines import host_grants
from newscrawl.storage.machines.host_grants import CONTESTED_FOR, Claim, GrantDurations, Release

KEY = "domain:example.org"
SECOND = timedelta(seconds=1)
DURATIONS = GrantDurations(kept=90 * SECOND, single=50 * SECOND)
LATER = CONTESTED_FOR + SECOND


@pytest.fixture
def call(store):
    return lambda function, *args: store.run(function, *args).result(timeout=PATIENCE)


@pytest.fixture
def claim(call):
    def claim_of(owner, now, delay=1.0, releases=(), key=KEY, is_dead=lambda _owner: False):
        answers = call(host_grants.exchange, owner, list(releases), [Claim(key, delay)], DURATIONS, is_dead, now)
        return answers[key]

    return claim_of


def ended(now, not_before=None, **values):
    return Release(KEY, HostRow(KEY, now, not_before=not_before, **values))


def test_a_host_has_one_owner_until_the_grant_is_released_or_has_ended(claim, call, now):
    first = claim("anna", now)
    assert (first.is_granted, first.is_kept) == (True, True)
    refused = claim("bert", now + 5 * SECOND)
    assert not refused.is_granted
    assert refused.stored.owner == "anna"
    assert claim("bert", now + DURATIONS.kept + SECOND).is_granted


def test_a_host_of_a_process_that_has_ended_is_free(claim, now):
    claim("anna", now)
    assert claim("bert", now + 5 * SECOND, is_dead=lambda owner: owner == "anna").is_granted


def test_the_delay_counts_from_the_release_by_the_databases_clock(claim, call, now):
    claim("anna", now)
    clock_ahead = now + timedelta(hours=2)
    call(host_grants.release, "anna", [ended(clock_ahead, delay=4.0)], now + 10 * SECOND)
    early = claim("bert", now + 13 * SECOND)
    assert not early.is_granted
    assert early.due_at == now + 14 * SECOND
    assert claim("bert", now + 14 * SECOND).is_granted


@pytest.mark.parametrize("column", ["delay", "crawl_delay", "latency"])
def test_every_delay_of_the_row_holds_for_every_process(claim, call, now, column):
    claim("anna", now)
    call(host_grants.release, "anna", [ended(now, **{column: 9.0})], now)
    assert not claim("bert", now + 8 * SECOND, delay=0.0).is_granted
    assert claim("bert", now + 9 * SECOND, delay=0.0).is_granted


def test_a_pause_counts_from_the_commit_of_the_answer_that_brought_it(claim, call, now):
    claim("anna", now)
    answered = now - timedelta(hours=1)  # by a clock that is an hour late
    call(host_grants.release, "anna", [ended(answered, answered + 45 * SECOND)], now + 10 * SECOND)
    assert claim("bert", now + 20 * SECOND).due_at == now + 55 * SECOND
    assert not claim("anna", now + 54 * SECOND).is_granted
    assert claim("bert", now + 55 * SECOND).is_granted


def test_a_pause_that_was_over_is_not_stored(claim, call, now):
    claim("anna", now)
    call(host_grants.release, "anna", [ended(now, now - SECOND)], now)
    assert claim("bert", now + SECOND).stored.state.not_before is None


def test_a_host_that_two_processes_want_is_granted_for_single_requests(claim, call, now):
    assert claim("anna", now).is_kept
    assert call(host_grants.renew, "anna", [KEY], DURATIONS, now + SECOND) == {KEY: False}
    claim("bert", now + 2 * SECOND)
    assert call(host_grants.renew, "anna", [KEY], DURATIONS, now + 3 * SECOND) == {KEY: True}
    granted = claim("anna", now + 5 * SECOND, releases=[Release(KEY)])
    assert (granted.is_granted, granted.is_kept) == (True, False)
    call(host_grants.release, "anna", [ended(now)], now + 6 * SECOND)
    other = claim("bert", now + 8 * SECOND)
    assert (other.is_granted, other.is_kept) == (True, False)
    call(host_grants.release, "bert", [ended(now)], now + 9 * SECOND)
    alone = claim("bert", now + 9 * SECOND + LATER)
    assert (alone.is_granted, alone.is_kept) == (True, True), "nobody else wanted it for a minute"


def test_a_single_grant_ends_sooner_than_a_kept_one(claim, now):
    claim("anna", now)
    claim("bert", now + SECOND)
    assert not claim("anna", now + 2 * SECOND, releases=[Release(KEY)]).is_kept
    assert claim("bert", now + 3 * SECOND + DURATIONS.single).is_granted


def test_a_grant_that_ended_is_neither_renewed_nor_released_by_its_former_owner(claim, call, now):
    claim("anna", now)
    later = now + DURATIONS.kept + SECOND
    claim("bert", later)
    assert call(host_grants.renew, "anna", [KEY], DURATIONS, later + SECOND) == {}
    call(host_grants.release, "anna", [ended(now, now + 600 * SECOND, failures=3)], later + SECOND)
    stored = claim("anna", later + 2 * SECOND).stored
    assert (stored.owner, stored.busy_until) == ("bert", later + DURATIONS.kept)
    assert stored.state.failures == 0
    assert stored.state.not_before == later + 601 * SECOND, "the pause holds, whoever learned of it"


def test_notes_of_a_kept_grant_are_written_only_by_its_owner(claim, call, now):
    claim("anna", now)
    call(hosts.save_granted, "anna", [HostRow(KEY, now, 2.0, now + SECOND)], timedelta(minutes=5))
    kept = call(hosts.load, KEY)
    assert (kept.last_request_at, kept.not_before) == (now + timedelta(minutes=5), now + timedelta(minutes=5) + SECOND)
    call(hosts.save_granted, "bert", [HostRow(KEY, now, 7.0)], timedelta())
    assert call(hosts.load, KEY) == kept


def test_times_that_only_a_wrong_clock_could_write_do_not_block_a_host(claim, call, now):
    year = timedelta(days=365)
    call(hosts.save, HostRow(KEY, now + year, not_before=now + year))
    assert claim("anna", now).due_at == now + timedelta(days=1)


def test_many_hosts_are_claimed_and_released_together(call, now):
    keys = [f"domain:{number:04}.example" for number in range(1200)]
    claims = [Claim(key, 0.0) for key in keys]
    never = lambda _owner: False  # noqa: E731
    answers = call(host_grants.exchange, "anna", [], claims, DURATIONS, never, now)
    assert all(answer.is_granted for answer in answers.values())
    answers = call(host_grants.exchange, "bert", [], claims, DURATIONS, never, now)
    assert not any(answer.is_granted for answer in answers.values())
    call(host_grants.release, "anna", [Release(key) for key in keys], now + SECOND)
    answers = call(host_grants.exchange, "bert", [], claims, DURATIONS, never, now + 2 * SECOND)
    assert all(answer.is_granted for answer in answers.values())
