"""One process crawls a site at a time: leases that end by themselves, and writes of a crawl whose site now belongs to
another process."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta

import pytest
import warm
from patience import PATIENCE
from source_items import as_planned, hourly
from sqlalchemy import select, text

from newscrawl.errors import LeaseLost
from newscrawl.model import Failure
from newscrawl.reports import articles, url_report
from newscrawl.storage.engine import transactions
from newscrawl.storage.frontier import leases, sites, sources
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.sites import SiteDeclaration
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import forget
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.frontier import sites as sites_table

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


URL = "https://harbour.example/{}"


@pytest.fixture
def takeover(store, now):
    """A lease whose site another process took after it had expired."""
    former = store.run(leases.acquire, "harbour", "anna", now, MINUTE).result()
    store.run(leases.acquire, "harbour", "bert", now + 2 * MINUTE, MINUTE).result()
    return former


def texts(store):
    with store.reading() as connection:
        return sorted(row.url for row in articles(connection))


def test_a_page_of_a_former_owner_is_not_stored(store, takeover, page):
    late = store.save(page(URL.format(1), "a late batch"), takeover)
    with pytest.raises(LeaseLost, match="another process crawls the site now"):
        late.result()
    assert texts(store) == []
    with store.reading() as connection:
        assert url_report(connection, URL.format(1)) is None


def test_the_other_pages_of_such_a_batch_are_stored(database, store, takeover, page, now):
    valid = store.run(leases.acquire, "valley", "anna", now, MINUTE).result()
    with open_store(database, upgrade=False, batch_size=4, max_wait=5.0) as batched:
        saved = [
            batched.save(page(URL.format(1), "of a former owner"), takeover),
            batched.save(page("https://valley.example/2", "of an owner", site="valley"), valid),
            batched.save(page("https://ridge.example/3", "without a lease", site="ridge")),
            batched.save(page(URL.format(4), "of a former owner, too"), takeover),
        ]
        kinds = [type(future.exception()).__name__ if future.exception() else future.result().kind for future in saved]
    assert kinds == ["LeaseLost", "inserted", "inserted", "LeaseLost"]
    assert texts(store) == ["https://ridge.example/3", "https://valley.example/2"]


def test_a_bad_page_beside_those_of_a_former_owner_becomes_a_dead_letter(database, store, takeover, page, now):
    valid = store.run(leases.acquire, "valley", "anna", now, MINUTE).result()
    with open_store(database, upgrade=False, batch_size=3, max_wait=5.0) as batched:
        bad = page("https://valley.example/bad", "x", site="valley", language=b"no text")
        saved = [
            batched.save(page(URL.format(1), "of a former owner"), takeover),
            batched.save(bad, valid),
            batched.save(page("https://valley.example/2", "good", site="valley"), valid),
        ]
        assert isinstance(saved[0].exception(), LeaseLost)
        assert [future.result().kind for future in saved[1:]] == ["dead_letter", "inserted"]
    assert texts(store) == ["https://valley.example/2"]


def test_other_writes_of_a_former_owner_change_nothing(store, takeover, now):
    failed = FailedRequest.of(URL.format(1), "harbour", Failure("http/404", "gone"), 404, now)
    read = Reading(SourceAnswer("harbour", URL.format("feed"), "feed", 200, now), [], now, hourly, as_planned)
    noted = store.run(leases.fenced, takeover, sites.note_start, "harbour", now)
    for write in (noted, store.record(failed, takeover), store.record(read, takeover)):
        with pytest.raises(LeaseLost):
            write.result()
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert row.last_started is None
    with store.reading() as connection:
        assert url_report(connection, URL.format(1)) is None
        assert sources.load_site(connection, "harbour") == []


def test_an_expired_lease_that_nobody_took_is_still_good(store, now, page):
    expired = store.run(leases.acquire, "harbour", "anna", now - 10 * MINUTE, MINUTE).result()
    assert store.save(page(URL.format(1), "late, and nobody else came"), expired).result().kind == "inserted"
    store.run(leases.fenced, expired, sites.note_start, "harbour", now).result()
    (row,) = store.run(sites.history, ["harbour"], now).result()
    assert row.last_started == now


def test_a_forgotten_site_keeps_its_row_because_its_token_must_grow(call, now):
    first = call(leases.acquire, "harbour", "anna", now, MINUTE)
    call(leases.release, first)
    call(forget.forget_site, "harbour", now)
    assert call(leases.acquire, "harbour", "bert", now, MINUTE).token == first.token + 1


def test_a_decision_or_a_declaration_alone_is_no_crawl(call, read, now):
    call(sites.pause, "harbour", None, now)
    call(sites.declare, SiteDeclaration("town", "https://town.example/", "en", "uk", (), ()), now)
    assert read(lambda connection: connection.execute(text("SELECT * FROM site_health")).all()) == []


def test_the_few_decided_and_the_few_leased_sites_are_found_by_indexes(store, now):
    """Every process reads them every few seconds."""
    with store.reading() as connection:
        explain = "EXPLAIN QUERY PLAN"
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            explain = "EXPLAIN"
        leased = select(sites_table.c.site).where(leases.in_force(now))
        for query, index in (
            (select(sites_table.c.site).where(sites.IS_DECIDED), "ix_sites_decided"),
            (sites.paused_sites(now), "ix_sites_decided"),
            (leased, "ix_sites_owned"),
        ):
            written = query.compile(connection, compile_kwargs={"literal_binds": True})
            assert index in str(connection.execute(text(f"{explain} {written}")).all())
