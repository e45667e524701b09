"""The stored edits that sources announce, and the visits that they bring forward."""

from __future__ import annotations

from datetime import timedelta

import pytest
from patience import PATIENCE
from source_items import record_answer, record_page_failure
from sqlalchemy import select

from newscrawl.identity import url_key
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.scheduling.announced_edits import DEFAULT, LIMITED_AT_ONCE, earlier_visits, read_trust
from newscrawl.storage.articles.lookup import known_pages
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.frontier import sources
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal.forget import forget_site, forget_url
from newscrawl.storage.reports import url_report
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.frontier import sightings as table

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


def trust_of(call, signal="date"):
    (source,) = call(sources.load_site, "harbour")
    return read_trust(source.announcement_trust)[signal]


def next_due(call, path):
    return call(known_pages, [url_key(f"{SITE}/{path}")]).page_of(url_key(f"{SITE}/{path}")).next_due


def brought(call):
    """The sightings with a visit that was brought forward and is not counted yet."""
    return call(lambda connection: connection.execute(select(table).where(table.c.due.is_not(None))).all())


def seen_of(call, path):
    (seen,) = call(lambda connection: connection.execute(select(table).where(table.c.url_key == url_key(path))).all())
    return seen


def test_an_announced_edit_is_due_at_once_and_what_its_visit_finds_teaches_trust(call, read, fetch, now):
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
    assert (trust_of(call).edited, trust_of(call).unchanged) == (1, 0)
    assert (trust_of(call, "title").edited, trust_of(call, "title").unchanged) == (0, 1)
    assert brought(call) == []


def test_the_story_of_a_page_says_why_its_visit_was_brought_forward(call, read, fetch, now):
    read(now, listing(now))
    fetch("p1", now)
    edited = listing(now) | {"p1": ("Title 1", now + 5 * MINUTE)}
    read(now + 6 * MINUTE, edited)
    told = call(url_report, f"{SITE}/p1")
    (brought,) = told.page.brought_forward
    assert (brought.reason, brought.source) == ("the sitemap gives a newer lastmod", SITEMAP)
    assert brought.next_due == told.page.page.next_due == now + DEFAULT.gap, (
        "not before the least time since the last fetch"
    )
    assert [event.reason for event in told.events if event.kind == "revisit/announced"] == [
        f"the sitemap gives a newer lastmod: {SITEMAP}"
    ]


def test_a_missing_entry_is_visited_and_its_404_says_that_the_source_was_right(call, read, fetch, now):
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
    assert trust_of(call, "withdrawn").edited == 1


def test_a_reading_that_announces_more_than_is_allowed_leaves_the_rest_for_the_next(call, read, fetch, now):
    entries = listing(now, 20)
    read(now, entries)
    for path in entries:
        fetch(path, now)
    later = now + HOUR
    entries |= {f"p{n}": (f"Title {n}", later) for n in range(5)}
    first = read(later, entries)
    assert len(first) == LIMITED_AT_ONCE
    for path in first:
        fetch(path, later, "the sunken ferry")
    second = read(later + MINUTE, entries)
    assert set(first) | set(second) == {f"p{n}" for n in range(5)}


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
    assert trust_of(call).unchanged == 0


def test_a_page_fetched_before_the_announcement_does_not_answer_it(call, read, fetch, now):
    read(now, listing(now))
    fetch("p1", now)
    later = now + HOUR
    edited = listing(now) | {"p1": ("Title 1", later)}
    assert read(later, edited)["p1"] == "date"
    fetch("p1", later - MINUTE)  # was under way, and its next visit is tomorrow
    assert next_due(call, "p1") == later - MINUTE + DAY
    assert "p1" not in read(later + MINUTE, edited), "too soon after the last fetch"
    assert next_due(call, "p1") == later - MINUTE + DEFAULT.gap
    assert trust_of(call).unchanged == 0


def test_validators_that_hide_an_announced_edit_have_lied(call, read, fetch, now):
    read(now, listing(now), etag='"v1"', content_hash="a" * 32)
    fetch("p1", now)
    read(now + HOUR, listing(now) | {"p1": ("Title 1", now + HOUR)}, etag='"v1"', content_hash="b" * 32)
    (source,) = call(sources.load_site, "harbour")
    assert source.validator_mismatches == 1


def test_links_of_a_section_page_announce_nothing_and_their_words_are_not_followed(call, read, fetch, now):
    section = {"kind": "section", "url": f"{SITE}/"}
    read(now, listing(now), **section)
    fetch("p1", now)
    later = now + HOUR
    assert "p1" not in read(later, listing(now) | {"p1": ("Another", later)}, **section)
    seen = seen_of(call, f"{SITE}/p1")
    assert (seen.title, seen.at) == ("Title 1", now)


def test_a_source_keeps_what_it_said_first_beside_what_it_said_last(call, read, now):
    read(now, listing(now))
    read(now + HOUR, listing(now) | {"p1": ("Another", now)})
    seen = seen_of(call, f"{SITE}/p1")
    assert (seen.title, seen.at, seen.published) == ("Title 1", now, now - HOUR)
    assert (seen.latest_title, seen.latest_date, seen.listed) == ("Another", now, True)


def test_sitemaps_of_an_index_share_its_trust(call, read, fetch, now):
    index = f"{SITE}/sitemap.xml"
    read(now, {}, url=index)
    for day in ("monday", "tuesday"):
        read(now, {f"{day}-{n}": ("Title", now - HOUR) for n in range(5)}, url=f"{SITE}/{day}.xml", parent=index)
        for n in range(5):
            fetch(f"{day}-{n}", now)
    lies = 0
    for step in range(1, 6):
        later = now + step * HOUR
        for day in ("monday", "tuesday"):
            entries = {f"{day}-{n}": ("Title", later) for n in range(5)}
            visited = read(later, entries, url=f"{SITE}/{day}.xml", parent=index)
            lies += len(visited)
            for path in visited:
                fetch(path, later)
    assert lies == LIMITED_AT_ONCE, "the limit is one for all of them"
    rows = {row.url: row.announcement_trust for row in call(sources.load_site, "harbour")}
    assert read_trust(rows[index])["date"].in_row == LIMITED_AT_ONCE
    assert rows[f"{SITE}/monday.xml"] is None


def test_a_page_and_a_source_with_an_announced_visit_can_be_forgotten(call, read, fetch, now):
    read(now, listing(now))
    for path in ("p1", "p2"):
        fetch(path, now)
    announced = {path: (f"Title {path[1]}", now + HOUR) for path in ("p1", "p2")}
    read(now + HOUR, listing(now) | announced)
    assert call(forget_url, f"{SITE}/p1", now).pages == 1
    assert len(brought(call)) == 1
    call(forget_site, "harbour", now)
    assert brought(call) == []
