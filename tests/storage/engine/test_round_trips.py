"""How often a batch waits for a PostgreSQL server: at a distance of 20 ms each wait takes 20 ms."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from databases import counted
from kinds_of_databases import ON_POSTGRESQL
from made_pages import made_page
from patience import PATIENCE
from source_items import as_planned, hourly

from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.model.identity.signature import signature
from newscrawl.storage.frontier import leases
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.source_state import Reading, SourceFailure
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store

pytestmark = ON_POSTGRESQL

SITE = "https://harbour.example/"
SIZE = 50
MAX_ROUND_TRIPS = {
    "unannounced": 17,
    "announced": 19,
    "unchanged": 15,
    "other texts": 22,
    "copies": 17,
    "near-duplicates": 19,
    "a bad page": 196,
}
"""Of a batch of 50 pages."""


def words(chance, number=80):
    return " ".join(f"w{chance.randrange(50_000)}" for _ in range(number))


def pages_of(page, numbers, chance, texts=None, **changes):
    """Pages with texts that share no shingle, or with those given."""
    for place, number in enumerate(numbers):
        text = texts[place] if texts else words(chance)
        yield made_page(f"{SITE}{number}", text, signature=signature(text), **changes)


@pytest.fixture
def store(database):
    with open_store(database, upgrade=False, batch_size=10 * SIZE, max_wait=PATIENCE) as store:
        yield store


def test_a_batch_waits_for_the_server_a_few_times(store, page, now):
    with counted(store._engine) as trips:
        lease = store.run(leases.acquire, "harbour", "anna", None, timedelta(minutes=5)).result(PATIENCE)

        def stored(batch):
            before = trips.number
            saved = [store.save(one, lease) for one in batch]
            store.flush()
            kinds = Counter(future.result(PATIENCE).kind for future in saved)
            found.append((trips.number - before, kinds))

        chance, found = random.Random(1), []
        stored(list(pages_of(page, [9_999], chance)))  # what a connection does once
        found.clear()
        made = list(pages_of(page, range(SIZE), chance))
        stored(made)
        announce(store, now, range(SIZE, 2 * SIZE))
        announced = list(pages_of(page, range(SIZE, 2 * SIZE), chance))
        stored(announced)
        stored([replace(one, raw=replace(one.raw, fetched_at=now + timedelta(hours=1))) for one in made])
        stored(list(pages_of(page, range(SIZE), chance, fetched_at=now + timedelta(hours=2))))
        texts = [one.article.text for one in made]
        stored(list(pages_of(page, range(200, 200 + SIZE), chance, texts, fetched_at=now + timedelta(hours=3))))
        near = [f"{one.article.text} and four more words" for one in announced]  # half of them come before those stored
        stored(list(pages_of(page, range(400, 400 + SIZE), chance, near, fetched_at=announced[0].raw.fetched_at)))
        bad = list(pages_of(page, range(300, 300 + SIZE), chance))
        bad[23] = replace(bad[23], article=replace(bad[23].article, signature=OUT_OF_RANGE))
        stored(bad)
    kinds = [dict(kinds) for _, kinds in found]
    whole = [{kind: SIZE} for kind in ("inserted", "inserted", "unchanged", "new_version", "joined", "inserted")]
    assert kinds == [*whole, {"inserted": SIZE - 1, "dead_letter": 1}]
    numbers = dict(zip(MAX_ROUND_TRIPS, [number for number, _ in found], strict=True))
    more = {name: number for name, number in numbers.items() if number > MAX_ROUND_TRIPS[name]}
    assert not more, str(numbers)


OUT_OF_RANGE = replace(signature(words(random.Random(0))), sketch=(2**70,))
"""What only the database refuses."""


def announce(store, now, numbers):
    feed = f"{SITE}feed"
    listed = [Candidate(f"{SITE}{number}", Discovery("feed", feed, None, None)) for number in numbers]
    store.record(Reading(SourceAnswer("harbour", feed, "feed", 200, now), listed, now, hourly, as_planned)).result(
        PATIENCE
    )


@pytest.mark.parametrize("number", [1, 40])
def test_what_happens_to_sources_waits_a_few_times_whatever_its_number(store, now, number):
    with counted(store._engine) as trips:
        lease = store.run(leases.acquire, "harbour", "anna", None, timedelta(minutes=5)).result(PATIENCE)

        def stored(items):
            begun, goes_on = threading.Event(), threading.Event()
            waiting = store.run(lambda _connection: (begun.set(), goes_on.wait(PATIENCE)))
            futures = [store.record(item, lease) for item in items]
            begun.wait(PATIENCE)
            before = trips.number
            goes_on.set()
            waiting.result(PATIENCE)
            results = [future.result(PATIENCE) for future in futures]
            found.append(trips.number - before - OF_NOTHING)
            return results

        def answers(first, **changes):
            for source in range(number):
                feed = f"{SITE}feed/{source}"
                urls = [f"{SITE}{source}/{entry}" for entry in range(first, first + 30)]
                listed = [Candidate(url, Discovery("feed", feed, "title", now, now)) for url in urls]
                told = {"site": "harbour", "url": feed, "kind": "feed", "status": 200, "fetched_at": now} | changes
                yield Reading(SourceAnswer(**told), listed if told["status"] == 200 else [], now, hourly, as_planned)

        found = []
        stored(
            [SourceFailure("harbour", f"{SITE}x", "feed", "http/404", 404, now, hourly)]
        )  # what a connection does once
        found.clear()
        assert {len(due) for due in stored(answers(0))} == {30}
        assert {len(due) for due in stored(answers(5))} == {30}
        stored(answers(5, status=304))
        stored([replace_failed(one, "http/404") for one in answers(5)])
        stored([replace_failed(one, "http/503") for one in answers(5)])
        gone = [FailedRequest.of(f"{SITE}{n}/9", "harbour", Failure("http/404", ""), 404, now) for n in range(number)]
        stored(gone)
    numbers = dict(zip(MAX_FOR_SOURCES, found, strict=True))
    assert all(most >= numbers[name] for name, most in MAX_FOR_SOURCES.items()), str(numbers)


def replace_failed(reading, reason):
    return SourceFailure("harbour", reading.url, "feed", reason, int(reason[-3:]), reading.now, hourly)


OF_NOTHING = 1
"""Round trips of the transaction that keeps the writer busy meanwhile: its end."""
MAX_FOR_SOURCES = {
    "new": 18,
    "read again": 17,
    "304": 6,
    "failed": 8,
    "no answer": 11,
    "failed requests": 12,
}
