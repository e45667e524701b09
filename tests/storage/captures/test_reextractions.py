"""Another extraction of stored captures is no visit: it changes texts and their history, and nothing else of a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from effort import examples
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from memory_database import empty_tables
from patience import PATIENCE
from sqlalchemy import Connection, select
from stored_rows import assert_totals_are_true

from newscrawl.model import Capture, Failure, ProcessedPage, Spot
from newscrawl.storage.articles.deciding.known import Occasion
from newscrawl.storage.captures import locations, reextractions
from newscrawl.storage.engine.batch import store_pages
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.feed import changes
from newscrawl.storage.tables.articles import articles, captures, headlines, pages, versions
from newscrawl.storage.tables.operations import events

URL = "https://harbour.example/a"
OTHER = "https://harbour.example/b"
HOUR = timedelta(hours=1)
LATER = timedelta(days=30)
TEXTS = ["one", "two", "three"]
SHOP = Failure("verdict/product", "9 prices")


def hourly(_first: datetime, _published: object, _change: object, now: datetime, visits: int, _edits: int) -> datetime:
    return now + visits * HOUR


class Archive:
    """A database whose pages come with captures."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self.connection, self.now = connection, now
        self._file = locations.add_file(connection, "one.warc.gz", now)
        self._offset = 0

    def captured(self, page: ProcessedPage) -> ProcessedPage:
        self._offset += 10
        spot = Spot(self._file, self._offset, 9)
        return replace(page, raw=replace(page.raw, capture=Capture("response", spot, spot, f"digest{self._offset}")))

    def crawl(self, *given: ProcessedPage) -> None:
        for page in given:
            store_pages(self.connection, [self.captured(page)], Occasion("crawled", hourly, page.raw.fetched_at))

    def again(self, extracted, size: int = 100) -> list[str]:
        """Stores what `extracted` makes of each capture, in order; the kinds of the outcomes."""
        kept = locations.part(self.connection, locations.Selection(), locations.BEGIN, 100)
        made = [replace(page, raw=replace(page.raw, capture=one.capture)) for one in kept if (page := extracted(one))]
        kinds = []
        for batch in chunks(made, size):
            now = self.now + LATER
            kinds += reextractions.save(self.connection, batch, Occasion("reextracted", hourly, now))
        return [one.kind for one in kinds]

    def rows(self, table, *leaves_out: str) -> list[dict]:
        return [
            {name: value for name, value in row._mapping.items() if name not in leaves_out}
            for row in self.connection.execute(select(table).order_by(*table.primary_key.columns))
        ]


@contextmanager
def opened(now: datetime) -> Iterator[Archive]:
    with empty_tables() as connection:
        yield Archive(connection, now)


@pytest.fixture
def archive(now):
    with opened(now) as made:
        yield made


def told(archive) -> list[str]:
    return [row["kind"] for row in archive.rows(events)]


def test_what_the_database_refuses_changes_nothing_and_the_others_are_stored(store, page, now):
    file = store.run(locations.add_file, "one.warc.gz", now).result(PATIENCE)
    addresses = [f"https://harbour.example/{number}" for number in range(5)]

    def captured(number, made):
        spot = Spot(file, 10 * number, 9)
        return replace(made, raw=replace(made.raw, capture=Capture("response", spot, spot, f"digest{number}")))

    def rows(query):
        with store.reading() as connection:
            return connection.execute(query).all()

    for number, url in enumerate(addresses, 1):
        store.save(captured(number, page(url, f"text {number}"))).result(PATIENCE)
    of_page = (
        select(pages).where(pages.c.url == addresses[2]),
        select(versions).join(pages).where(pages.c.url == addresses[2]),
        select(captures).where(captures.c.url == addresses[2]),
    )
    before = [rows(query) for query in of_page]
    assert all(before)
    with store.reading() as connection:
        kept = locations.part(connection, locations.Selection(), locations.BEGIN, 100)
    again = [page(one.url, f"new {one.id}", **({"content_hash": None} if one.id == 3 else {})) for one in kept]
    again = [replace(made, raw=replace(made.raw, capture=one.capture)) for made, one in zip(again, kept, strict=True)]
    outcomes = store.save_again(again, now + LATER).result(PATIENCE)
    assert [one.kind for one in outcomes] == ["inserted", "inserted", "dead_letter", "inserted", "inserted"]
    assert [rows(query) for query in of_page] == before
    told = rows(select(events.c.kind).where(events.c.url == addresses[2]).order_by(events.c.id))
    assert [one.kind for one in told] == ["stored/inserted", "stored/dead_letter"]


def stored(archive, read_again, size):
    """What another extraction in batches of `size` leaves behind, which is rolled back."""
    with archive.connection.begin_nested() as stored_again:
        kinds = archive.again(read_again, size)
        keys = {row["id"]: row["text"] for row in archive.rows(articles)}
        of = {"article": lambda row: keys.get(row["article_id"])}
        left = [
            ["inserted" if kind == "joined" else kind for kind in kinds],  # a replaced text stays until the batch ends
            {
                (of["article"](row), row["label_key"], row["seen_at"], row["last_seen"])
                for row in archive.rows(headlines)
            },
            [of["article"](row) for row in archive.rows(pages)],
            [(of["article"](row), row["fetched_at"]) for row in archive.rows(captures)],
            {
                (of["article"](row), row["seen_at"], row["last_seen"], row["change_class"])
                for row in archive.rows(versions)
            },
        ]
        stored_again.rollback()
    return left


@settings(
    max_examples=examples(25),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.sampled_from([*TEXTS, None]), min_size=1, max_size=6),
    st.lists(st.sampled_from([*TEXTS, "four", "shop"]), min_size=1, max_size=6),
    st.sampled_from([2, 100]),
)
@example(["one", "three", "one", "three"], ["three", "four", "three"], 2)
@example(["one", "three", "one", "three"], ["three", "four", "three"], 100)
def test_how_captures_are_cut_into_batches_does_not_matter(page, now, visits, extracted, size):
    def read_again(one):
        text = extracted[one.id % len(extracted)]
        failure = SHOP if text == "shop" else None
        return page(URL, None if failure else text, failure=failure, fetched_at=one.fetched_at)

    with opened(now) as archive:
        for hour, text in enumerate(visits):
            archive.crawl(page(URL, text, fetched_at=now + hour * HOUR))
        assert stored(archive, read_again, size) == stored(archive, read_again, 1)


def test_a_page_shows_its_version_before_a_withdrawn_one(archive, page, now):
    archive.crawl(page(URL, "one"), page(URL, "two", fetched_at=now + HOUR))
    seq = changes.newest(archive.connection)
    shop = lambda one: page(URL, failure=SHOP, fetched_at=one.fetched_at) if one.fetched_at > now else None  # noqa: E731
    assert archive.again(shop) == ["withdrawn"]
    (shown,), (left,) = archive.rows(pages), archive.rows(articles)
    assert left["text"].startswith("one")
    assert (shown["state"], shown["article_id"]) == ("fetched", left["id"])
    told = [(one.op, one.reason, one.article_id == left["id"]) for one in changes.read(archive.connection, seq, 9)]
    assert ("upsert", "re-extracted", True) in told
    assert ("remove", "re-extracted", False) in told
    assert_totals_are_true(archive.connection)


def test_a_text_that_another_page_or_capture_has_stays(archive, page, now):
    archive.crawl(page(URL, "one"), page(OTHER, "one"), page(URL, "one", fetched_at=now + HOUR))
    seq = changes.newest(archive.connection)
    newest = lambda one: page(URL, failure=SHOP, fetched_at=one.fetched_at) if one.fetched_at > now else None  # noqa: E731
    assert archive.again(newest) == ["withdrawn"]
    assert all(row["article_id"] for row in archive.rows(pages)), "an earlier capture still has the text"
    own = lambda one: page(URL, failure=SHOP, fetched_at=one.fetched_at) if one.url == URL else None  # noqa: E731
    assert archive.again(own) == ["withdrawn"]
    assert {row["url"]: row["article_id"] is not None for row in archive.rows(pages)} == {URL: False, OTHER: True}
    assert all(one.op == "upsert" for one in changes.read(archive.connection, seq, 9))
    assert_totals_are_true(archive.connection)


def test_a_text_that_cannot_be_extracted_withdraws_nothing_and_a_second_run_changes_nothing(archive, page):
    archive.crawl(page(URL, "one"), page(OTHER, "two"))
    empty = Failure("extraction/empty", "no extractor found text")
    assert archive.again(lambda one: page(one.url, failure=empty if one.url == URL else SHOP)) == ["withdrawn"]
    tables = (pages, versions, captures, articles, events)
    before = [archive.rows(table) for table in tables]
    assert archive.again(lambda one: page(one.url, failure=empty if one.url == URL else SHOP)) == []
    assert [archive.rows(table) for table in tables] == before
