"""One process crawls a site at a time: leases that end by themselves."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta

import warm
from patience import PATIENCE

from newscrawl.storage.engine import transactions
from newscrawl.storage.frontier import leases

MINUTE = timedelta(minutes=1)


def test_a_site_has_one_owner_at_a_time(call, now):
    lease = call(leases.acquire, "harbour", "anna", now, MINUTE)
    assert (lease.site, lease.owner, lease.token, lease.expires) == ("harbour", "anna", 1, now + MINUTE)
    assert call(leases.acquire, "harbour", "bert", now + MINUTE / 2, MINUTE) is None
    assert call(leases.acquire, "harbour", "anna", now, MINUTE) is None
    assert call(leases.acquire, "meadow", "bert", now, MINUTE) is not None


def test_a_lease_that_was_not_renewed_is_taken_over_with_a_larger_token(call, now):
    first = call(leases.acquire, "harbour", "anna", now, MINUTE)
    later = now + 2 * MINUTE
    assert call(leases.active, later) == {}
    second = call(leases.acquire, "harbour", "bert", later, MINUTE)
    assert second.token > first.token
    assert call(leases.active, later) == {"harbour": second}
    assert call(leases.renew, first, later, MINUTE) is None
    assert call(leases.release, first) is False
    assert call(leases.lost, [first, second]) == {first}


def test_a_lease_is_renewed_even_after_its_end_as_long_as_nobody_took_it(call, now):
    lease = call(leases.acquire, "harbour", "anna", now, MINUTE)
    late = now + 3 * MINUTE
    assert call(leases.lost, [lease]) == set()
    renewed = call(leases.renew, lease, late, MINUTE)
    assert renewed.expires == late + MINUTE
    assert call(leases.active, late) == {"harbour": renewed}


def test_a_released_site_is_free_at_once_and_its_tokens_go_on_growing(call, now):
    first = call(leases.acquire, "harbour", "anna", now, MINUTE)
    assert call(leases.release, first)
    assert call(leases.active, now) == {}
    second = call(leases.acquire, "harbour", "anna", now, MINUTE)
    assert second.token == first.token + 1
    assert call(leases.renew, first, now, MINUTE) is None


RACE = """
import sys
from datetime import datetime, timedelta
from newscrawl.storage.store import open_store
from newscrawl.storage.frontier import leases
now = datetime.fromisoformat(sys.argv[3])
with open_store(sys.argv[1], upgrade=False) as store:
    sites = [f"site{n}" for n in range(60)]
    got = [store.run(leases.acquire, site, sys.argv[2], now, timedelta(minutes=1)) for site in sites]
    print(*(site for site, lease in zip(sites, got) if lease.result(timeout=240) is not None))
"""


def test_of_processes_that_want_the_same_sites_at_once_each_site_goes_to_one(database, now):
    command = [sys.executable, "-c", RACE, database]
    processes = [
        warm.Popen([*command, owner, now.isoformat()], stdout=subprocess.PIPE, text=True)
        for owner in ("anna", "bert", "cora")
    ]
    got = [process.communicate(timeout=PATIENCE)[0].split() for process in processes]
    assert sorted(site for sites in got for site in sites) == sorted(f"site{n}" for n in range(60))


def test_leases_are_measured_by_the_databases_clock_whatever_a_machine_thinks(call, database, monkeypatch):
    lease = call(leases.acquire, "harbour", "anna", None, MINUTE)

    class Ahead(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + 10 * MINUTE

    monkeypatch.setattr(transactions, "datetime", Ahead)
    taken = call(leases.acquire, "harbour", "bert", None, MINUTE)
    if database.startswith("postgresql"):
        assert taken is None  # ten minutes ahead, and no difference
        assert list(call(leases.active, None)) == ["harbour"]
        renewed = call(leases.renew, lease, None, MINUTE)
        assert timedelta() < renewed.expires - lease.expires < MINUTE
    else:
        assert taken.token == 2  # the file's machine has no other clock
