"""A stored time in the future must not freeze a page: it counts as unknown, and the next credible reading replaces
it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from newscrawl.cli.why import _lines
from newscrawl.identity import url_key
from newscrawl.model import Failure
from newscrawl.scheduling.revisit import next_due
from newscrawl.storage import open_store, reports
from newscrawl.storage.articles import credible_times
from newscrawl.storage.articles.lookup import known_pages
from newscrawl.storage.captures.ingests import InputProgress
from newscrawl.storage.frontier import pages as page_rows
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.storage.tables.frontier import sources

URL = "https://harbour.example/a"
OTHER = "https://harbour.example/b"
HOUR = timedelta(hours=1)
AGE = timedelta(days=73 * 365)


@pytest.fixture
def store(database):
    with open_store(database, upgrade=False, max_wait=0.01, next_due=next_due) as opened:
        yield opened


@pytest.fixture
def save(store):
    def saved(*batch):
        futures = [store.save(one) for one in batch]
        store.flush()
        return [future.result(10) for future in futures]

    return saved


def row(store, url=URL):
    with store.reading() as connection:
        return connection.execute(select(pages).where(pages.c.url == url)).one()


def exported(store):
    with store.reading() as connection:
        return [(one.title, one.text.split(".")[0]) for one in reports.articles(connection)]


def suspect_the_clock(store, now):
    alarm = Alarm("*", alarms.CLOCK, "critical", now, now, "the clock is wrong", {})
    return store.run(alarms.begin, alarm).result()


def test_a_text_read_after_one_of_the_future_takes_the_page(store, save, page, now):
    save(page(URL, "old", fetched_at=now + AGE))
    [outcome] = save(page(URL, "new", fetched_at=now))
    assert outcome.kind == "new_version"
    assert exported(store) == [("About new", "new")]
    found = row(store)
    assert found.last_fetched == now
    assert found.next_due == now + timedelta(minutes=30)


def test_the_same_text_read_again_gives_page_version_and_article_a_credible_time(store, save, page, now):
    save(page(URL, "one", fetched_at=now + AGE))
    [outcome] = save(page(URL, "one", title="Another title", fetched_at=now))
    assert outcome.kind in {"unchanged", "new_version"}
    assert exported(store)[0][0] == "Another title"
    with store.reading() as connection:
        version = connection.execute(select(versions)).one()
        seen = connection.execute(select(articles.c.first_seen)).scalar_one()
    assert (version.seen_at, version.last_seen, seen) == (now, now, now)
    assert row(store).last_fetched == now


def test_a_confirmed_page_is_visited_by_its_own_past(store, save, page, now):
    save(page(URL, "one", fetched_at=now + AGE))
    confirmed = page(URL, "x", fetched_at=now, status=304)
    [outcome] = save(replace(confirmed, article=None))
    assert outcome.reason == "not modified"
    assert row(store).last_fetched == now
    [outcome] = save(page(URL, "older", fetched_at=now - HOUR))
    assert "older than what the page shows" in outcome.reason


def test_a_failure_after_a_visit_of_the_future_counts(store, save, page, now):
    save(page(URL, "one", fetched_at=now + AGE))
    save(page(URL, failure=Failure("http/500", "no"), status=500, fetched_at=now))
    found = row(store)
    assert (found.failures, found.failure_kind, found.last_fetched) == (1, "http/500", now)


def test_a_future_change_of_a_page_does_not_have_it_visited_for_ever(store, save, page, now):
    save(page(URL, "one", fetched_at=now - 20 * 24 * HOUR))
    save(page(URL, "two", fetched_at=now + AGE))
    assert row(store).last_change is not None
    save(page(URL, "two", fetched_at=now))
    assert row(store).next_due is None


def test_an_older_capture_does_not_rewrite_what_counts_as_unknown(store, save, page, now):
    """A page with a credible text whose last visit alone lies in the future."""
    save(page(URL, "one", fetched_at=now))
    change = update(pages).values(last_fetched=now + AGE)
    store.run(lambda connection: connection.execute(change)).result()
    [outcome] = save(page(URL, "older", fetched_at=now - HOUR))
    assert "older than what the page shows" in outcome.reason
    assert row(store).last_fetched == now + AGE


def test_while_the_clock_is_suspected_stored_times_count(store, save, page, now):
    save(page(URL, "old", fetched_at=now + AGE))
    suspect_the_clock(store, now)
    [outcome] = save(page(URL, "new", fetched_at=now))
    assert "older than what the page shows" in outcome.reason
    with store.reading() as connection:
        assert credible_times.pages_of_the_future(connection, now) == {}
    assert store.run(credible_times.visit_again, now).result() == 0


def test_pages_of_the_future_are_counted_and_planned_for_a_visit(store, save, page, now):
    save(page(URL, "one", fetched_at=now + AGE), page(OTHER, "two", fetched_at=now))
    with store.reading() as connection:
        assert credible_times.pages_of_the_future(connection, now) == {"harbour": 1}
        assert page_rows.due(connection, "harbour", now, 10) == []
        named = known_pages(connection, map(url_key, [URL, OTHER]))
    assert {one.url: page_rows.is_due(one, now) for one in named.pages.values()} == {URL: True, OTHER: False}
    assert store.run(credible_times.visit_again, now).result() == 1
    with store.reading() as connection:
        assert [one.url for one in page_rows.due(connection, "harbour", now, 10)] == [URL]
    assert store.run(credible_times.visit_again, now).result() == 0
    save(page(URL, "one", fetched_at=now))
    with store.reading() as connection:
        assert credible_times.pages_of_the_future(connection, now) == {}


def test_a_source_that_was_read_in_the_future_is_read_now(store, now):
    values = {"site": "harbour", "url_key": "harbour.example/feed", "url": "https://harbour.example/feed"}
    values |= dict.fromkeys(("failures", "answers", "named", "new", "unusable"), 0)
    values |= {"kind": "feed", "last_fetched": now + AGE, "next_due": now + AGE + HOUR}
    store.run(lambda connection: connection.execute(sources.insert().values(**values)) and None).result()
    assert store.run(credible_times.visit_again, now).result() == 1
    with store.reading() as connection:
        assert connection.execute(select(sources.c.next_due)).scalar_one() == now


def ingested(store, now, *batch):
    return store.save_part(batch, InputProgress("key", 0, 1, 0), now).result()


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


def test_why_tells_of_unknown_ages_and_of_times_of_the_future(store, save, page, now):
    ingested(store, now, undated(page(URL, "from a file", fetched_at=now)))
    save(page(OTHER, "ahead", fetched_at=now + AGE))
    with store.reading() as connection:
        told = ["\n".join(_lines(reports.url_report(connection, url))) for url in (URL, OTHER)]
    assert "read from a file of unknown age" in told[0]
    assert "in the future: it counts as unknown" in told[1]
