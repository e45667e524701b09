"""Patterns of addresses without articles are given up, tried once a day, and used again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from kinds_of_databases import ON_SQLITE
from made_pages import made_page
from source_items import record_answer, record_page_failure
from sqlalchemy import select

from newscrawl.crawling.scheduling.rejected_patterns import FREE
from newscrawl.model import Candidate, Discovery, Failure, ProcessedPage
from newscrawl.storage.frontier import pages, patterns
from newscrawl.storage.frontier.patterns import Visit, after
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store
from newscrawl.storage.tables.frontier import url_patterns

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
FEED = "https://a.example/feed"


@pytest.fixture(name="store")
def _store(database: str) -> Iterator[Store]:
    with open_store(database, upgrade=False) as store:
        yield store


def named(store: Store, paths: list[str], now: datetime = NOW) -> list[str]:
    """What is to be fetched after a source has named these addresses."""
    found = [Candidate(f"https://a.example{path}", Discovery("feed", FEED)) for path in paths]
    answer = SourceAnswer("a", FEED, "feed", 200, now, None, None)
    return [page.url.removeprefix("https://a.example") for page in store.run(_answered, answer, found, now).result()]


def _answered(connection: Any, answer: SourceAnswer, found: list[Candidate], now: datetime) -> Any:
    return record_answer(connection, answer, found, now)


@pytest.fixture(autouse=True)
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "ENOUGH", 5)


def visited(store: Store, path: str, number: int, *, is_fruitful: bool = False) -> None:
    store.run(_recorded, [Visit("a", f"https://a.example{path}{n}", is_fruitful) for n in range(number)]).result()


def _recorded(connection: Any, visits: list[Visit]) -> None:
    patterns.record(connection, patterns.load(connection, visits), visits, NOW)


def names(store: Store) -> list[str]:
    with store.reading() as connection:
        return [one.pattern for one in patterns.given_up(connection)]


def waiting(store: Store, now: datetime = NOW) -> list[str]:
    with store.reading() as connection:
        return [page.url for page in pages.due(connection, "a", now, 100)]


def test_enough_fruitless_addresses_give_a_pattern_up_and_one_a_day_is_tried(store: Store) -> None:
    assert len(named(store, ["/day/1", "/day/2", "/story"])) == 3
    visited(store, "/day/", 4)
    assert names(store) == []
    visited(store, "/day/", 1)
    assert names(store) == ["a.example/day/#"]
    assert waiting(store) == ["https://a.example/story"], "what was announced is not fetched"
    assert named(store, ["/day/1", "/day/3", "/day/4", "/other"]) == ["/other"], "the first day is used up"
    tomorrow = NOW + timedelta(days=1)
    assert named(store, ["/day/5", "/day/6"], tomorrow) == ["/day/5"]
    assert named(store, ["/day/6", "/day/7"], tomorrow + timedelta(hours=1)) == []


def test_a_new_article_takes_a_pattern_up_again_with_its_pages(store: Store) -> None:
    named(store, ["/day/1", "/day/2"])
    visited(store, "/day/", 5)
    assert waiting(store) == []
    visited(store, "/day/", 1, is_fruitful=True)
    assert names(store) == []
    assert len(waiting(store)) == 2
    assert named(store, ["/day/8"]) == ["/day/8"]


def test_fruitless_addresses_count_in_a_row() -> None:
    assert after(3, [False, False]) == 5
    assert after(3, [False, True, False]) == 1
    assert after(3, [True]) == 0


def test_pages_that_are_gone_count_and_a_server_in_trouble_does_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "ENOUGH", 2)
    named(store, [f"/day/{n}" for n in range(6)] + [f"/hour/{n}" for n in range(6)])
    for n in range(2):
        for path, status in ((f"/day/{n}", 404), (f"/hour/{n}", 503)):
            url, failure = f"https://a.example{path}", Failure("http/error", "x")
            store.run(record_page_failure, url, "a", failure, status, NOW).result()
    assert names(store) == ["a.example/day/#"]


def test_a_site_has_a_bounded_number_of_patterns(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MAX_PATTERNS", 3)
    visited(store, "/day/", 5)
    for word in ("a", "b", "c", "d"):
        visited(store, f"/{word}/", 1)
    with store.reading() as connection:
        rows = connection.execute(select(url_patterns.c.pattern)).scalars().all()
    assert len(rows) == 3
    assert "a.example/day/#" in rows


def test_what_an_announced_page_brought_is_counted_when_it_is_stored(store: Store) -> None:
    named(store, ["/day/1", "/day/2", "/day/3"])
    store.save(read("/day/1")).result()
    store.save(read("/day/1")).result()  # a visit counts for nothing
    store.save(read("/unannounced/1")).result()
    assert counted(store) == {"a.example/day/#": 1}
    assert store.save(read("/day/2", "The ferry to the islands sails again. " * 60)).result().kind == "inserted"
    assert counted(store) == {}
    assert store.save(read("/day/3", "The ferry to the islands sails again. " * 60)).result().kind == "joined"
    assert counted(store) == {"a.example/day/#": 1}, "a text that is known is not new"


def counted(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {row.pattern: row.visits_without_article for row in connection.execute(select(url_patterns))}


def read(path: str, text: str | None = None) -> ProcessedPage:
    """A page as it comes from the pipelines, without a text or with one."""
    empty = Failure("extraction/empty", "none")
    return made_page(f"https://a.example{path}", text, fetched_at=NOW, site="a", failure=empty)


def kinds(store: Store) -> list[tuple[str, str, int]]:
    with store.reading() as connection:
        return [(one.pattern, one.kind, one.visits) for one in patterns.load_kinds(connection)]


def seen(store: Store, path: str, failures: list[str | None], *, is_fruitful: bool = False) -> None:
    visits = [Visit("a", f"https://a.example{path}{n}-x", is_fruitful, kind) for n, kind in enumerate(failures)]
    store.run(_recorded, visits).result()


@ON_SQLITE
def test_a_directory_whose_pages_are_of_one_kind_is_asked_for_less_and_less(store: Store) -> None:
    goods = [f"/shop/thing-{n:03}-{word}" for n in range(50) for word in ("red", "blue")]
    seen(store, "/shop/", ["verdict/product"] * FREE)
    assert kinds(store) == []
    assert len(named(store, goods[:20])) == 20, "ten pages of a kind are no reason yet"
    seen(store, "/shop/", ["verdict/product"] * 3 * FREE)
    assert kinds(store) == [("a.example/shop/##", "verdict/product", 4 * FREE)]
    quarter = len(named(store, goods[20:], NOW))
    assert 8 <= quarter <= 32, "about a quarter of 80"
    tomorrow = named(store, goods[20:], NOW + timedelta(days=1))
    assert tomorrow, "others get their turn on another day"
    seen(store, "/shop/", ["verdict/product"] * 400 * FREE)
    assert len(named(store, [f"/shop/other-{n}" for n in range(80)])) <= 4


@ON_SQLITE
@pytest.mark.parametrize("last", [None, "verdict/listing", "verdict/consent", "extraction/empty"])
def test_another_result_ends_the_row_of_a_kind(store: Store, last: str | None) -> None:
    seen(store, "/shop/", ["verdict/product"] * 4 * FREE)
    seen(store, "/shop/", [last], is_fruitful=last is None)
    assert kinds(store) == []
    assert len(named(store, [f"/shop/b-{n}" for n in range(20)])) == 20
