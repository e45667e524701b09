"""Writes of a crawl whose site now belongs to another process."""

from __future__ import annotations

from datetime import timedelta

import pytest
from source_items import as_planned, hourly

from newscrawl.errors import LeaseLost
from newscrawl.model import Failure
from newscrawl.reports import articles, url_report
from newscrawl.storage.frontier import leases, sites, sources
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store

MINUTE = timedelta(minutes=1)
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
