"""Transactions of crawls on two machines: one after the other, whatever they write. The second one sees what the first
has stored."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta

import pytest
from kinds_of_databases import ON_POSTGRESQL
from made_pages import made_page
from patience import PATIENCE
from source_items import record_answer
from sqlalchemy import Engine, func, select, text
from stored_rows import assert_totals_are_true

from newscrawl.errors import LeaseLost
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.model.identity.signature import signature
from newscrawl.reports import articles as exported
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import leases, pages
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.articles import articles, versions
from newscrawl.storage.tables.articles import pages as page_table
from newscrawl.storage.tables.frontier import site_hours
from newscrawl.storage.tables.operations import events

pytestmark = ON_POSTGRESQL

SITES = ("harbour", "valley")
GONE = Failure("http/404", "gone")
MINUTES = timedelta(minutes=5)


@pytest.fixture
def machines(engine, database):
    """Two stores."""
    stores = [open_store(database, upgrade=False, max_wait=0.01) for _ in range(2)]
    yield stores
    for store in stores:
        store.close()


def waits_for_a_lock(engine: Engine, sessions: int = 1) -> bool:
    """Returns whether so many sessions wait for an advisory lock, after waiting for that."""
    ends = time.monotonic() + PATIENCE
    waiting = text(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
        " WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()"
    )
    while time.monotonic() < ends:
        with begin_read(engine) as connection:
            if connection.execute(waiting).scalar_one() >= sessions:
                return True
        time.sleep(0.01)
    return False


def answer_of(site, addresses, now):
    feed = f"https://{site}.example/feed"
    named = [Candidate(address, Discovery("feed", feed)) for address in addresses]
    return record_answer, SourceAnswer(site, feed, "feed", 200, now), named, now


def addresses_of(numbers):
    return [f"https://shared.example/{number}" for number in numbers]


def test_numbers_stay_those_of_the_rows_while_two_machines_write_the_same_pages(machines, engine, page, now):
    """Both name the same addresses, fetch some of them, and find others gone."""

    def work(store, site, step):
        waiting: list[Future] = []
        for number in range(12):
            mine = addresses_of(range(number * 2, number * 2 + 6))
            waiting.append(store.run(*answer_of(site, mine[::step], now)))
            text = f"Report {number // 2}"
            for address in mine[:2]:
                at = now + timedelta(seconds=number)
                waiting.append(store.save(page(address, text, site=site, fetched_at=at)))
            failed = [FailedRequest.of(one, site, GONE, 404, now + timedelta(minutes=1)) for one in mine[2:4]]
            waiting.append(store.run(pages.record_failures, failed))
        return [one.result(PATIENCE) for one in waiting]

    with ThreadPoolExecutor(2) as pool:
        running = [
            pool.submit(work, store, site, step) for store, site, step in zip(machines, SITES, (1, -1), strict=True)
        ]
        for one in running:
            one.result(PATIENCE)
    with begin_read(engine) as connection:
        assert_totals_are_true(connection)
        found = connection.execute(
            select(func.sum(site_hours.c.number)).where(site_hours.c.kind == "found")
        ).scalar_one()
        named = connection.execute(select(func.count()).where(events.c.kind == "found")).scalar_one()
        assert found == named > 0
        for kind in ("fetched", "gone"):
            counted = select(func.sum(site_hours.c.number)).where(site_hours.c.kind == kind)
            assert connection.execute(counted).scalar_one() == 2 * 12 * 2
        stored = connection.execute(select(func.count()).select_from(page_table)).scalar_one()
        assert stored == len({page.url for page in connection.execute(select(page_table.c.url))})


def test_a_new_owner_of_a_site_waits_for_what_the_former_one_writes(machines, engine, now):
    lease = machines[0].run(leases.take, "harbour", "anna", None, MINUTES, lambda _: False).result(PATIENCE)
    with begin_write(engine) as connection:
        assert not leases.lost(connection, [lease])
        taking = machines[1].run(leases.take, "harbour", "bert", None, MINUTES, lambda _: True)
        assert waits_for_a_lock(engine)
        other = machines[1].notes.run(leases.renew, lease, None, MINUTES)
        assert other.result(PATIENCE) is not None, "a renewal waits for nothing"
        assert not taking.done()
    assert taking.result(PATIENCE).token == lease.token + 1
    with pytest.raises(LeaseLost):
        machines[0].run(leases.fenced, lease, *answer_of("harbour", addresses_of(range(3)), now)).result(PATIENCE)


STORY = " ".join(f"word{number}" for number in range(120))
THIRD = " ".join(f"third{number}" for number in range(120))
OTHER = " ".join(f"other{number}" for number in range(120))


@pytest.fixture
def patient_machines(engine, database):
    """Two stores."""
    stores = [open_store(database, upgrade=False, max_wait=PATIENCE) for _ in range(2)]
    yield stores
    for store in stores:
        store.close()


def a_page(url, words, **changes):
    return made_page(url, words, signature=signature(words), **changes)


def saved(store, batch):
    """The pages in one batch, which may not be committed yet."""
    futures = [store.save(one) for one in batch]
    store.flush()
    return futures


def at_once(engine, patient_machines, *given):
    """The kinds of the outcomes of batches of two patient_machines. Both wait for the lock at the same time."""
    with begin_write(engine):
        waiting = [saved(store, batch) for store, batch in zip(patient_machines, given, strict=True)]
        assert waits_for_a_lock(engine, len(given))
    return [[future.result(PATIENCE).kind for future in futures] for futures in waiting]


def stories(engine):
    """The stored stories, as sets of addresses."""
    with begin_read(engine) as connection:
        rows = connection.execute(text("SELECT story_id, url FROM current_articles")).all()
    found: dict[int, set[str]] = {}
    for story, url in rows:
        found.setdefault(story, set()).add(url.rpartition("/")[2])
    return sorted(sorted(urls) for urls in found.values() if len(urls) > 1)


def test_near_duplicates_that_are_stored_at_once_become_one_story(engine, patient_machines, page, now):
    ours = [
        a_page("https://harbour.example/a", f"{STORY} first"),
        a_page("https://harbour.example/x", OTHER),
    ]
    theirs = [
        a_page("https://valley.example/b", f"{STORY} second words", fetched_at=now + timedelta(seconds=1)),
        a_page("https://valley.example/c", f"{STORY} third and more words", fetched_at=now - timedelta(hours=1)),
    ]
    assert at_once(engine, patient_machines, ours, theirs) == [["inserted"] * 2, ["inserted"] * 2]
    assert stories(engine) == [["a", "b", "c"]]


def test_a_text_that_two_machines_meet_at_once_is_one_article_of_two_pages(engine, patient_machines, page):
    met = at_once(
        engine,
        patient_machines,
        [a_page("https://harbour.example/a", STORY), a_page("https://harbour.example/x", THIRD)],
        [a_page("https://valley.example/b", OTHER), a_page("https://valley.example/c", STORY)],
    )
    assert sorted(kind for kinds in met for kind in kinds) == ["inserted"] * 3 + ["joined"]
    with begin_read(engine) as connection:
        texts = list(connection.execute(select(articles.c.text)).scalars())
        found = changes.read(connection, 0, 100)
    assert sorted(texts) == sorted([STORY, OTHER, THIRD])
    assert sum(change.reason == "joined" for change in found) == 1


def test_a_page_that_two_machines_meet_at_once_is_stored_once_with_both_texts(engine, patient_machines, page, now):
    url = "https://harbour.example/a"
    at_once(
        engine,
        patient_machines,
        [a_page(url, STORY)],
        [a_page(url, OTHER, fetched_at=now + timedelta(minutes=1))],
    )
    with begin_read(engine) as connection:
        assert len(connection.execute(select(page_table)).all()) == 1
        assert len(connection.execute(select(versions)).all()) == 2
        (shown,) = exported(connection)
        last = {change.article_id: change.op for change in changes.read(connection, 0, 100)}
        texts = {row.id: row.text for row in connection.execute(select(articles.c.id, articles.c.text))}
    assert shown.text == OTHER
    ops = {texts[number]: op for number, op in last.items() if number > 0}
    assert ops.pop(STORY, "remove") == "remove", "never shown if the later text was stored first"
    assert ops == {OTHER: "upsert"}


def test_corrections_of_two_machines_are_versions_of_one_page(engine, patient_machines, page, now):
    """Both correct a stored page. The second looks it up after the first is committed."""
    url = "https://harbour.example/a"
    (first,) = saved(patient_machines[0], [a_page(url, STORY)])
    first.result(PATIENCE)
    corrected = [OTHER, f"{OTHER} and a correction"]
    met = at_once(
        engine,
        patient_machines,
        *([a_page(url, words, fetched_at=now + timedelta(minutes=1))] for words in corrected),
    )
    assert met == [["new_version"], ["new_version"]]
    with begin_read(engine) as connection:
        row = connection.execute(select(page_table.c.visits)).one()
        found = connection.execute(select(versions.c.article_id)).all()
        last = {change.article_id: change.op for change in changes.read(connection, 0, 100)}
    assert (row.visits, len(found)) == (3, 3)
    assert sorted(op for number, op in last.items() if number > 0) == ["remove", "remove", "upsert"]
