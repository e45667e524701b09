"""However pages are divided into batches, the same rows are stored, and the invariants hold."""

from __future__ import annotations

from datetime import timedelta

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_database import empty_tables
from sqlalchemy import select

from newscrawl import reports
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.decide import decide
from newscrawl.storage.articles.deciding.known import Incoming, Known, Occasion
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.records import no_further_visit
from newscrawl.storage.tables.articles import articles, pages, urls, versions
from newscrawl.storage.tables.operations import events

CRAWLED = Occasion("crawled", no_further_visit)
URLS = [f"https://harbour.example/{name}" for name in "abcd"]
steps = st.lists(
    st.tuples(
        st.sampled_from(URLS),
        st.sampled_from(URLS),
        st.sampled_from(["one", "two", "three", "short", "empty", "failed"]),
        st.sampled_from(["harbour", "generic", "other"]),
    ),
    max_size=12,
)


def made(page, now, sequence):
    for number, (asked, final, text, site) in enumerate(sequence):
        where = {"final_url": final, "site": site, "fetched_at": now + timedelta(hours=number)}
        if text == "failed":
            yield page(asked, **where)
        elif text in {"short", "empty"}:
            yield page(asked, "More soon." if text == "short" else "", verdict=text, **where)
        else:
            yield page(asked, text, **where)


def stored(made_pages, size):
    """Everything the pages leave behind when they come in batches of `size`, without ids."""
    with empty_tables() as connection:
        outcomes = []
        for batch in chunks(made_pages, size):
            outcomes += save_batch(connection, [Incoming.of(one) for one in batch], CRAWLED)
        check(connection)
        keys = {row.id: row.url_key for row in connection.execute(select(pages))}
        return {
            "kinds": [(one.kind, one.reason) for one in outcomes],
            "articles": {
                (one.title, one.url, tuple(sorted(one.pages)), one.site) for one in reports.articles(connection)
            },
            "urls": {(row.url_key, keys[row.page_id]) for row in connection.execute(select(urls))},
            "states": {(row.url_key, row.state, row.failures, row.site) for row in connection.execute(select(pages))},
            "versions": {
                (keys[row.page_id], row.title, row.seen_at, row.last_seen)
                for row in connection.execute(select(versions))
            },
            "events": [
                (row.url_key, row.kind, row.reason, row.at)
                for row in connection.execute(select(events).order_by(events.c.url_key, events.c.id))
            ],
        }


def check(connection):
    """What must hold after every transaction."""
    numbers = set(connection.execute(select(pages.c.id)).scalars())
    own = {row.url_key: row.page_id for row in connection.execute(select(urls))}
    for page in connection.execute(select(pages)):
        assert own[page.url_key] == page.id, "a page is reached by its own address"
        if page.article_id is not None:
            shown = select(versions).where(versions.c.page_id == page.id, versions.c.article_id == page.article_id)
            assert connection.execute(shown).one(), "what a page shows is one of its versions"
    assert set(own.values()) <= numbers
    assert set(connection.execute(select(versions.c.page_id)).scalars()) <= numbers
    kept = set(connection.execute(select(versions.c.article_id)).scalars())
    assert kept == set(connection.execute(select(articles.c.id)).scalars()), "no article without a page that showed it"


@settings(max_examples=examples(50), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps, st.sampled_from([2, 3, 50]))
def test_what_is_stored_does_not_depend_on_how_pages_are_cut_into_batches(page, now, sequence, size):
    pages_made = list(made(page, now, sequence))
    assert stored(pages_made, size) == stored(pages_made, 1)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_a_replay_of_everything_stores_no_article_anew(page, now, sequence):
    pages_made = list(made(page, now, sequence))
    with empty_tables() as connection:
        save_batch(connection, [Incoming.of(one) for one in pages_made], CRAWLED)
        before = set(connection.execute(select(articles.c.identity_key)).scalars())
        outcomes = save_batch(connection, [Incoming.of(one) for one in pages_made], CRAWLED)
        assert set(connection.execute(select(articles.c.identity_key)).scalars()) >= before
        identities = {one.article.identity_key for one in pages_made if one.article}
        assert set(connection.execute(select(articles.c.identity_key)).scalars()) <= identities
        assert all(one.kind != "dead_letter" for one in outcomes)
        check(connection)


def test_an_article_without_hashes_is_refused(page, now):
    with pytest.raises(ValueError, match="fingerprint"):
        decide(Known(), Incoming.of(page("https://harbour.example/a", "one", content_hash=None)), CRAWLED)
