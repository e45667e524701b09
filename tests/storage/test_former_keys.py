"""Pages that are stored under the URL key of a former rule."""

from __future__ import annotations

from datetime import timedelta

import pytest
from patience import PATIENCE
from sqlalchemy import select, update

from newscrawl.identity import url_key
from newscrawl.identity.former_keys import former_key
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage import SourceAnswer, reports
from newscrawl.storage.articles.history import history
from newscrawl.storage.frontier import sources
from newscrawl.storage.frontier.pages import record_failure
from newscrawl.storage.removal import blocklist, forget
from newscrawl.storage.tables.articles import pages, urls
from newscrawl.storage.tables.frontier import sources as source_table
from newscrawl.storage.tables.operations import events

URL = "https://harbour.example/100%"
FEED = "https://harbour.example/50%/feed.xml"


def saved(store, *made):
    futures = [store.save(one) for one in made]
    store.flush()
    return [future.result(timeout=PATIENCE) for future in futures]


def stored_before(store, page, now):
    """The page as an older version of this program stored it."""
    saved(store, page(URL, "one"))
    store.run(_give_former_key, URL).result(timeout=PATIENCE)


def _give_former_key(connection, url):
    for table in (pages, urls, events, source_table):
        change = update(table).where(table.c.url_key == url_key(url)).values(url_key=former_key(url))
        connection.execute(change)


def keys(store, table=pages):
    with store.reading() as connection:
        return connection.execute(select(table.c.url_key)).scalars().all()


def announced(store, now, url=URL):
    answer = SourceAnswer("harbour", FEED, "feed", 200, now)
    return store.run(sources.record_answer, answer, [Candidate(url, Discovery("feed", FEED))], now).result(
        timeout=PATIENCE
    )


def test_a_page_is_found_by_its_address(store, page, now):
    stored_before(store, page, now)
    with store.reading() as connection:
        told, past = reports.url_report(connection, URL), history(connection, URL)
        assert told is not None
        assert told.page is not None
        assert told.events
        assert past is not None
        assert forget.look(connection, url=URL).pages == 1
        assert reports.url_report(connection, "https://harbour.example/100%2541") is None


@pytest.mark.parametrize("how", ["visit", "failure", "announcement"])
def test_its_next_visit_gives_it_its_key_of_today(store, page, now, how):
    stored_before(store, page, now)
    later = now + timedelta(days=1)
    if how == "visit":
        (outcome,) = saved(store, page(URL, "one", fetched_at=later))
        assert outcome.kind == "unchanged"
    elif how == "failure":
        store.run(record_failure, URL, "harbour", Failure("fetch/timeout", "late"), None, later).result(PATIENCE)
    else:
        announced(store, later)
    assert keys(store) == [url_key(URL)]
    assert keys(store, urls) == [url_key(URL)]


def test_a_page_whose_address_leads_elsewhere_rests(store, page, now):
    stored_before(store, page, now)
    saved(store, page("https://harbour.example/100%25", "two", final_url="https://harbour.example/b"))
    saved(store, page(URL, "one", fetched_at=now + timedelta(days=1)))
    with store.reading() as connection:
        old = select(pages.c.state, pages.c.next_due).where(pages.c.url_key == former_key(URL))
        assert connection.execute(old).all() == [("fetched", None)]


def test_a_source_keeps_its_row(store, now):
    announced(store, now, "https://harbour.example/a")
    store.run(_give_former_key, FEED).result(timeout=PATIENCE)
    assert keys(store, source_table) == [former_key(FEED)]
    announced(store, now + timedelta(hours=1), "https://harbour.example/b")
    assert keys(store, source_table) == [url_key(FEED)]


def test_a_page_can_be_forgotten(store, page, now):
    stored_before(store, page, now)
    assert store.run(forget.forget_url, URL, now).result(timeout=PATIENCE).pages == 1
    assert keys(store) == []
    assert keys(store, events) == []


@pytest.mark.parametrize(
    ("barred", "url"),
    [
        ("https://harbour.example/%61", "https://harbour.example/%%36%31"),
        ("https://strasse.de/x", "https://straße.de/x"),
        ("https://strasse.de/x", "https://xn--strae-oqa.de/x"),
    ],
)
def test_what_was_blocked_by_its_former_key_stays_blocked(store, page, now, barred, url):
    store.run(blocklist.add, [blocklist.key_of_url(barred)], now).result(timeout=PATIENCE)
    (outcome,) = saved(store, page(url, "one"))
    assert outcome.kind == "failed"
    assert announced(store, now, url) == []
    with store.reading() as connection:
        told = reports.url_report(connection, url)
        assert told is not None
        assert told.blocked_since == now
    store.run(blocklist.lift, blocklist.keys_of_address(url)).result(timeout=PATIENCE)
    (outcome,) = saved(store, page(url, "one"))
    assert outcome.kind == "inserted"
