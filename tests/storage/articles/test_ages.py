"""Pages that were read long before they are stored, or at an unknown time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from sqlalchemy import select

from newscrawl import reports
from newscrawl.cli.why import _lines
from newscrawl.crawling.scheduling.revisit import next_due
from newscrawl.storage.captures.ingests import InputProgress
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.articles import pages

pytestmark = ON_SQLITE

URL = "https://harbour.example/a"
OTHER = "https://harbour.example/b"
HOUR = timedelta(hours=1)


@pytest.fixture
def store(database):
    with open_store(database, upgrade=False, max_wait=0.01, next_due=next_due) as opened:
        yield opened


def row(store, url=URL):
    with store.reading() as connection:
        return connection.execute(select(pages).where(pages.c.url == url)).one()


def exported(store):
    with store.reading() as connection:
        return [(one.title, one.text.split(".")[0]) for one in reports.articles(connection)]


def ingested(store, now, *batch):
    return store.save_parts(batch, [InputProgress("key", 0, 1, 0)], now).result()


@pytest.mark.parametrize("days", [10, 3000])
def test_no_visit_of_an_ingested_page_is_planned_in_the_past(store, page, now, days):
    then = now - timedelta(days=days)
    ingested(store, now, page(URL, "one", fetched_at=then), page(OTHER, fetched_at=then))
    assert row(store).next_due == (now + timedelta(days=3) if days == 10 else None)
    assert row(store, OTHER).next_due == now


def test_what_was_overdue_before_an_older_capture_came_stays_so(store, save, page, now):
    save(page(URL, "one", fetched_at=now))
    due = row(store).next_due
    ingested(store, now + 5 * HOUR, page(URL, "older", fetched_at=now - HOUR))
    assert row(store).next_due == due < now + 5 * HOUR


def undated(made):
    return replace(made, raw=replace(made.raw, undated=True))


def test_a_file_of_unknown_age_never_replaces_what_was_fetched(store, save, page, now):
    save(page(URL, "fetched", fetched_at=now))
    before = row(store)
    [other, same, failed] = ingested(
        store,
        now + HOUR,
        undated(page(URL, "from a file", fetched_at=now + HOUR)),
        undated(page(URL, "fetched", fetched_at=now + HOUR)),
        undated(page(URL, fetched_at=now + HOUR)),
    )
    assert (other.kind, same.kind, failed.kind) == ("new_version", "unchanged", "failed")
    assert "unknown age" in other.reason
    assert exported(store) == [("About fetched", "fetched")]
    after = row(store)
    assert (after.last_fetched, after.next_due, after.failures) == (before.last_fetched, before.next_due, 0)


def test_anything_of_known_age_replaces_a_file_of_unknown_age(store, save, page, now):
    ingested(store, now, undated(page(URL, "from a file", fetched_at=now)))
    assert (row(store).last_fetched, row(store).state) == (None, "fetched")
    ingested(store, now, page(URL, "captured long ago", fetched_at=now - 400 * 24 * HOUR))
    assert exported(store) == [("About captured long ago", "captured long ago")]


def test_a_whole_text_of_unknown_age_completes_part_of_one(store, save, page, now):
    save(page(URL, "More soon.", verdict="short", fetched_at=now))
    ingested(store, now + HOUR, undated(page(URL, "whole", fetched_at=now + HOUR)))
    assert exported(store) == [("About whole", "whole")]
    assert row(store).last_fetched == now


def test_why_tells_of_unknown_ages(store, save, page, now):
    ingested(store, now, undated(page(URL, "from a file", fetched_at=now)))
    with store.reading() as connection:
        told = "\n".join(_lines(reports.url_report(connection, URL)))
    assert "read from a file of unknown age" in told
