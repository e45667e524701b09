"""The stored edits that sources announce, and the visits that they bring forward."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from patience import PATIENCE
from source_items import record_answer, record_page_failure
from sqlalchemy import select

from newscrawl.crawling.scheduling.announced_edits import LEAST_A_DAY, earlier_visits
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.model.identity import url_key
from newscrawl.reports import url_report
from newscrawl.storage.articles.lookup import known_pages
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.frontier import sources
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.frontier import sightings as table

pytestmark = ON_SQLITE

SITE = "https://harbour.example"
SITEMAP = f"{SITE}/news.xml"
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def in_a_day(_first, _published, _change, now, _visits, _edits):
    return now + DAY


@pytest.fixture
def call(database):
    """Runs a function in the writer of a store whose pages are visited every day."""
    retry = RetryPolicy(attempts=3, first_pause=0.01)
    with open_store(database, upgrade=False, max_wait=0.01, next_due=in_a_day, retry=retry) as store:

        def run(function, *args, **kwargs):
            return store.run(function, *args, **kwargs).result(timeout=PATIENCE)

        run.save = lambda made: store.save(made).result(timeout=PATIENCE)
        yield run


@pytest.fixture
def read(call):
    """`read(now, {"a": (title, modified)})`: one reading of the sitemap; gives what is to be fetched now, and why."""

    def reading(now, entries, **changes):
        said = {"site": "harbour", "url": SITEMAP, "kind": "sitemap", "status": 200, "fetched_at": now} | changes
        named = [
            Candidate(f"{SITE}/{path}", Discovery(said["kind"], said["url"], title, when, when))
            for path, (title, when) in entries.items()
        ]
        due = call(record_answer, SourceAnswer(**said), named, now, bring_forward=earlier_visits)
        return {page.url.rpartition("/")[2]: page.announced for page in due}

    return reading


@pytest.fixture
def fetch(call, page):
    def fetched(path, now, text="the ferry", **changes):
        return call.save(page(f"{SITE}/{path}", f"{text} of {path}", fetched_at=now, **changes))

    return fetched


def listing(now, number=6):
    return {f"p{n}": (f"Title {n}", now - n * HOUR) for n in range(number)}


def next_due(call, path):
    return call(known_pages, [url_key(f"{SITE}/{path}")]).page_of(url_key(f"{SITE}/{path}")).next_due


def brought(call):
    """The sightings with a visit that was brought forward."""
    return call(lambda connection: connection.execute(select(table).where(table.c.announced.is_not(None))).all())


def test_an_announced_edit_is_due_at_once_until_its_page_was_visited(call, read, fetch, now):
    entries = listing(now)
    assert read(now, entries) == dict.fromkeys(entries)
    for path in entries:
        fetch(path, now)
    assert read(now + HOUR, entries) == {}
    later = now + 2 * HOUR
    entries |= {"p1": ("Title 1", later - MINUTE), "p2": ("Another", entries["p2"][1])}
    assert read(later, entries) == {"p1": "date", "p2": "title"}
    assert fetch("p1", later, "the sunken ferry").kind == "new_version"
    assert fetch("p2", later).kind == "unchanged"
    assert read(later + MINUTE, entries) == {}
    for path in ("p1", "p2"):
        told = call(url_report, f"{SITE}/{path}")
        assert told.page.brought_forward == []
        assert [event.kind for event in told.events].count("revisit/announced") == 1


def test_a_missing_entry_is_visited_unless_it_may_only_not_have_been_read(call, read, fetch, now):
    entries = listing(now)
    read(now, entries)
    for path in entries:
        fetch(path, now)
    shorter = {path: said for path, said in entries.items() if path != "p1"}
    assert read(now + HOUR, shorter, status=304) == {}
    assert read(now + HOUR, shorter, whole=False) == {}, "it may be in the part that was not read"
    assert read(now + 2 * HOUR, shorter) == {"p1": "withdrawn"}
    call(record_page_failure, f"{SITE}/p1", "harbour", Failure("http/404", "gone"), 404, now + 2 * HOUR)
    assert read(now + 3 * HOUR, shorter) == {}
    assert call(url_report, f"{SITE}/p1").page.brought_forward == []


def test_a_site_whose_sources_announce_without_end_is_visited_earlier_a_few_times_a_day(call, read, fetch, now):
    paths = {f"{SITE}/{name}.xml": [f"{name}{n}" for n in range(20)] for name in ("news", "more")}

    def fetch_all(at):
        for path in [*paths[f"{SITE}/news.xml"], *paths[f"{SITE}/more.xml"]]:
            fetch(path, at)

    def lies(later):
        """Each sitemap gives another third of its entries a new date at each reading."""
        named = {url: [path for n, path in enumerate(found) if n % 3 == later.hour % 3] for url, found in paths.items()}
        shown = [read(later, dict.fromkeys(found, ("Title", later)), url=url) for url, found in named.items()]
        return sum(signal is not None for found in shown for signal in found.values())

    for url, found in paths.items():
        read(now, dict.fromkeys(found, ("Title", now - HOUR)), url=url)
    fetch_all(now)
    assert sum(lies(now + step * HOUR) for step in range(1, 23)) == LEAST_A_DAY
    fetch_all(now + 23 * HOUR)
    assert lies(now + 24 * HOUR) == 0, "they were brought forward in the 24 hours that end with this one"
    assert lies(now + 25 * HOUR) == LEAST_A_DAY


def test_a_page_that_fails_keeps_its_own_schedule_and_says_nothing_of_the_source(call, read, fetch, now):
    read(now, listing(now))
    fetch("p1", now)
    later = now + HOUR
    assert read(later, listing(now) | {"p1": ("Title 1", later)})["p1"] == "date"
    call(record_page_failure, f"{SITE}/p1", "harbour", Failure("http/503", "down"), 503, later)
    retry = next_due(call, "p1")
    assert retry > later
    assert "p1" not in read(later + MINUTE, listing(now) | {"p1": ("Title 1", later + MINUTE)})
    assert next_due(call, "p1") == retry
    assert call(url_report, f"{SITE}/p1").page.brought_forward == []


def test_validators_that_hide_an_announced_edit_have_lied(call, read, fetch, now):
    read(now, listing(now), etag='"v1"', content_hash="a" * 32)
    fetch("p1", now)
    read(now + HOUR, listing(now) | {"p1": ("Title 1", now + HOUR)}, etag='"v1"', content_hash="b" * 32)
    (source,) = call(sources.load_site, "harbour")
    assert source.validator_mismatches == 1
