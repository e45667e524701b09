"""What happens to sources and pages in one batch leaves what it leaves one after the other, also where an item depends
on an earlier one of the batch."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import pytest
from patience import PATIENCE
from sqlalchemy import Connection, Table, select

from newscrawl.crawling.scheduling.announced_edits import earlier_visits
from newscrawl.crawling.scheduling.sources import plan
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.model.identity import url_key
from newscrawl.storage.frontier import patterns
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.source_state import Reading, Recovery, SourceFailure, SourceItem
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import blocklist
from newscrawl.storage.store import Store, open_store
from newscrawl.storage.tables.articles import pages, urls
from newscrawl.storage.tables.changes import changes
from newscrawl.storage.tables.frontier import sightings, site_hours, sources, url_patterns
from newscrawl.storage.tables.operations import events

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
ROOT = "https://harbour.example"
INDEX = f"{ROOT}/sitemap.xml"
FEEDS = tuple(f"{ROOT}/feed/{number}" for number in range(9))
CHILDREN = tuple(f"{ROOT}/map/{number}.xml" for number in range(3))
TABLES = (sources, pages, urls, sightings, url_patterns, site_hours, events, changes)
NUMBERS = {"id", "seq", "page_id", "article_id", "source_id", "story_id"}
"""Columns with numbers that the database gives; an upsert may use one up."""
TOO_COSTLY = "source/too_costly"

Item: TypeAlias = SourceItem | FailedRequest


def in_a_day(_first: Any, _published: Any, _change: Any, now: datetime, _visits: int, _edits: int) -> datetime:
    return now + timedelta(days=1)


@pytest.fixture
def stores(database: str, tmp_path: Any) -> Iterator[tuple[Store, Store]]:
    """One that gets items together, and one that gets them one after the other."""
    alone = f"sqlite:///{tmp_path / 'alone.db'}"
    with (
        open_store(database, upgrade=False, max_wait=0.01, next_due=in_a_day) as together,
        open_store(alone, upgrade=False, max_wait=0.01, next_due=in_a_day) as one_by_one,
    ):
        yield together, one_by_one


def check(stores: tuple[Store, Store], items: Sequence[Item]) -> list[Any]:
    """Stores the items together, and one by one; returns the addresses to fetch, which must be the same."""
    together, one_by_one = stores
    goes_on = threading.Event()
    waiting = together.run(lambda _connection: goes_on.wait(PATIENCE))
    futures = [together.record(item) for item in items]
    goes_on.set()
    waiting.result(PATIENCE)
    due = [future.result(PATIENCE) for future in futures]
    for kind in (SourceItem, FailedRequest):  # the order of the phases
        for place, item in enumerate(items):
            if isinstance(item, kind):
                assert one_by_one.record(item).result(PATIENCE) == due[place], item
    with together.reading() as left, one_by_one.reading() as right:
        for table in TABLES:
            assert rows_of(left, table) == rows_of(right, table), table.name
    return [[page.url.removeprefix(ROOT) for page in one] for one in due]


def both(stores: tuple[Store, Store], function: Any, *args: Any) -> None:
    for store in stores:
        store.run(function, *args).result(PATIENCE)


def rows_of(connection: Connection, table: Table) -> list[dict[str, Any]]:
    query = select(table)
    if table is sightings:
        query = query.add_columns(sources.c.url).join(sources)
    rows = [row._asdict() for row in connection.execute(query.order_by(*table.primary_key.columns))]
    found = [{name: value for name, value in row.items() if name not in NUMBERS} for row in rows]
    return found if table is events else sorted(found, key=repr)


def answer(
    url: str, named: Sequence[tuple[str, str, datetime | None]] = (), at: datetime = NOW, **changes: Any
) -> Reading:
    """An answer of a source of `harbour` that names pages: (path, title, date)."""
    told: dict[str, Any] = {"site": "harbour", "url": url, "kind": "feed", "status": 200, "fetched_at": at} | changes
    found = [Candidate(f"{ROOT}{path}", Discovery(told["kind"], url, title, when, when)) for path, title, when in named]
    return Reading(SourceAnswer(**told), found, at, plan, earlier_visits)


def failure(url: str, reason: str = "http/503", at: datetime = NOW, **changes: Any) -> SourceFailure:
    return SourceFailure("harbour", url, "feed", reason, 503, at, plan=plan, **changes)


def lost(path: str, status: int = 404, at: datetime = NOW) -> FailedRequest:
    return FailedRequest.of(f"{ROOT}{path}", "harbour", Failure(f"http/{status}", "x"), status, at)


def test_an_index_and_its_sitemaps(stores: tuple[Store, Store]) -> None:
    def readings(at: datetime, changed: int) -> list[Item]:
        sitemaps = [
            answer(
                url, [(f"/{n}/{number}", "t", at if number < changed else NOW) for number in range(5)], at, parent=INDEX
            )
            for n, url in enumerate(CHILDREN)
        ]
        return [answer(INDEX, [], at, kind="sitemap", is_settled=False), *sitemaps]

    check(stores, readings(NOW, 0))
    check(stores, [failure(INDEX, TOO_COSTLY), failure(CHILDREN[0], parent=INDEX)])
    items = readings(NOW + timedelta(hours=1), 1)
    check(stores, [*items, Recovery("harbour", INDEX, NOW + timedelta(hours=1), plan)])


def test_a_given_up_pattern_has_one_attempt_a_day(stores: tuple[Store, Store]) -> None:
    given_up = {"site": "harbour", "pattern": "harbour.example/day/#", "visits_without_article": 200}
    row = {**given_up, "last_visit": NOW, "given_up_at": NOW, "last_probe": None, "kind": None}
    both(stores, lambda connection: connection.execute(url_patterns.insert().values(row)))
    named = [(f"/day/{number}", "t", None) for number in range(3)]
    items = [answer(url, named[number:]) for number, url in enumerate(FEEDS[:3])]
    assert check(stores, items) == [["/day/0"], [], []]


def test_a_site_that_gives_no_answer_and_then_answers_again(stores: tuple[Store, Store]) -> None:
    check(stores, [answer(url) for url in FEEDS[:4]])
    later = NOW + timedelta(hours=5)
    check(stores, [failure(url, at=later) for url in FEEDS[:3]])
    check(stores, [failure(FEEDS[0], at=later), answer(FEEDS[1], at=later), failure(FEEDS[2], at=later)])


def test_a_page_of_generic_is_taken_over_and_a_blocked_one_is_not_found(stores: tuple[Store, Store]) -> None:
    both(stores, blocklist.add, [blocklist.key_of_url(url_key(f"{ROOT}/b")), blocklist.key_of_site("valley")], NOW)
    named = [("/a", "t", None), ("/b", "t", None)]
    sites = ("generic", "harbour", "valley", "generic")
    items = [answer(url, named, site=site) for url, site in zip(FEEDS, sites, strict=False)]
    assert check(stores, items) == [["/a"], ["/a"], [], ["/a"]]


def test_a_page_that_fails_twice_and_a_pattern_that_is_given_up(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "ENOUGH", 2)
    check(stores, [answer(FEEDS[0], [(f"/day/{number}", "t", None) for number in range(6)])])
    check(stores, [lost("/x", 503), lost("/x"), *(lost(f"/day/{number}") for number in range(5)), lost("/x", 503)])


@pytest.mark.parametrize("seed", range(2))
def test_any_items(stores: tuple[Store, Store], page: Any, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(patterns, "ENOUGH", 4)
    chance = random.Random(seed)
    at = NOW
    for _ in range(8):
        at += timedelta(minutes=chance.choice((1, 20, 50)))
        check(stores, [_any_item(chance, at) for _ in range(10)])
        for number in chance.sample(range(20), 3):
            text, when = f"text {number} {chance.randrange(2)}", at + timedelta(seconds=1)
            made = page(f"{ROOT}{_path(number)}", text, fetched_at=when)
            for store in stores:
                store.save(made).result(PATIENCE)


def _path(number: int) -> str:
    return f"/{'day' if number % 3 else 'news'}/{number}"


def _any_item(chance: random.Random, at: datetime) -> Item:
    kind = chance.choice(("feed", "child", "child", "section", "failure", "failure", "recovery", "page", "page"))
    site = chance.choice(("harbour", "harbour", "generic"))
    if kind == "page":
        return lost(_path(chance.randrange(24)), chance.choice((404, 404, 410, 503)), at)
    if kind == "recovery":
        return Recovery(site, INDEX, at, plan)
    url = chance.choice((*CHILDREN, INDEX) if kind == "child" else FEEDS[:3])
    parent = INDEX if url in CHILDREN else None
    if kind == "failure":
        reason = chance.choice(("http/503", "http/404", "fetch/timeout", TOO_COSTLY))
        return SourceFailure(site, chance.choice((url, INDEX)), "feed", reason, 503, at, plan=plan)
    dates = (None, at, at - timedelta(hours=1), NOW)
    named = [(_path(n), f"title {chance.randrange(3)}", chance.choice(dates)) for n in chance.sample(range(20), 9)]
    tags = {"etag": chance.choice((None, '"a"')), "content_hash": chance.choice("ab") * 32}
    is_section = {"kind": "section"} if kind == "section" else {}
    told = {**tags, **is_section, "status": chance.choice((200, 200, 304)), "whole": chance.random() < 0.8}
    return answer(url, named, at, site=site, parent=parent, is_settled=url != INDEX, **told)
