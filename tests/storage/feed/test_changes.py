"""The change feed: every visible change is a row, written in the transaction that makes it."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_database import empty_tables
from patience import PATIENCE
from sqlalchemy import text

from newscrawl import reports
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.feed.changes import Cause
from newscrawl.storage.records import no_further_visit
from newscrawl.storage.store import open_store

CRAWLED = Occasion("crawled", no_further_visit)
URL = "https://harbour.example/a"
OTHER = "https://harbour.example/b"


def feed(store, after=0):
    with store.reading() as connection:
        found = changes.read(connection, after, 1_000)
        return [(change.op, change.article_id) for change in found if change.op != "merge"]


def removed(connection, causes, now):
    changes.append_rows(connection, changes.seen(connection, causes, now))


def test_a_compacted_feed_still_ends_in_the_same_state(store, now):
    for reason in ("new", "headline"):
        store.run(changes.append, [1, 2], now, reason).result(timeout=PATIENCE)
    store.run(removed, {1: Cause("gone"), 2: Cause("gone")}, now).result(timeout=PATIENCE)
    store.run(changes.append, [2], now, "new").result(timeout=PATIENCE)
    with store.reading() as connection:
        assert changes.superseded(connection, 2, 99) == []
        assert changes.superseded(connection, 3, 99) == [1]
        assert changes.superseded(connection, 99, 2) == [1, 2]
        needless = changes.superseded(connection, 99, 99)
    assert store.run(changes.drop, needless).result(timeout=PATIENCE) == 5
    assert feed(store) == [("remove", 1), ("upsert", 2)]


def test_a_removal_is_sent_again_where_the_receiver_knows_a_later_change(store, now):
    for reason in ("new", "headline"):
        store.run(changes.append, [1], now, reason).result(timeout=PATIENCE)
    store.run(consumers.give, "paper", [1]).result(timeout=PATIENCE)
    for seq, left in ((1, {1}), (2, set())):
        reached = consumers.Cursor("paper", seq, None, now, "language=de")
        store.run(consumers.confirm, reached, frozenset({1}), {}, frozenset({1})).result(timeout=PATIENCE)
        assert store.run(consumers.given, "paper", [1]).result(timeout=PATIENCE) == left


STEPS = st.lists(
    st.tuples(
        st.sampled_from([URL, OTHER, "https://harbour.example/c"]),
        st.sampled_from([None, URL, OTHER]),
        st.sampled_from(["one", "two", "short", "failed", "gone"]),
        st.sampled_from(["First", "Second"]),
        st.integers(-3, 3),
    ),
    max_size=14,
)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, st.sampled_from([1, 3, 50]))
def test_who_follows_the_feed_has_what_the_tables_have(page, now, steps, size):
    """An index that looks again at the articles the feed names, and at no others, is right after every batch."""
    with empty_tables() as connection:
        index, seq = {}, 0
        for batch in chunks(made(page, now, steps), size):
            save_batch(connection, [Incoming.of(one) for one in batch], CRAWLED)
            read = changes.read(connection, seq, 1_000)
            seq = read[-1].seq if read else seq
            named = {change.article_id for change in read}
            index = {number: document for number, document in index.items() if number not in named}
            index |= reports.documents(connection, named)
            everything = {article.id for article in reports.articles(connection)}
            assert index == reports.documents(connection, everything)
            removed = {change.article_id for change in last_of_each(read) if change.op == "remove"}
            assert not removed & set(index)


def last_of_each(read):
    return {change.article_id: change for change in read}.values()


def made(page, now, steps):
    for number, (asked, final, words, title, shift) in enumerate(steps):
        where = {"final_url": final or asked, "fetched_at": now + timedelta(hours=number + shift)}
        if words in {"failed", "gone"}:
            yield page(asked, status=404 if words == "gone" else 500, **where)
        elif words == "short":
            yield page(asked, "More soon.", verdict="short", title=title, **where)
        else:
            yield page(asked, words, title=title, **where)


@pytest.mark.postgresql
def test_two_writers_and_a_reader_skip_no_row(empty_postgresql, now):
    """Rows become visible in the order of their numbers, although both transactions are open at once."""
    open_store(empty_postgresql, upgrade=True).close()
    engine = make_engine(parse_url(empty_postgresql))
    done = threading.Event()
    writers = [threading.Thread(target=write, args=(engine, base, now)) for base in (0, 1_000_000)]
    seen: list[int] = []

    def follow():
        while True:
            ended = done.is_set()
            with begin_read(engine) as connection:
                read = changes.read(connection, seen[-1] if seen else 0, 7)
            seen.extend(change.seq for change in read)
            if ended and not read:
                return

    reader = threading.Thread(target=follow)
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    with begin_read(engine) as connection:
        every = [change.seq for change in changes.read(connection, 0, 100_000)]
    engine.dispose()
    assert seen == every
    assert len(every) == 2 * 150 * 3


def write(engine, base, now):
    for number in range(150):
        with begin_write(engine) as connection:
            changes.append(connection, [base + number * 10 + n for n in range(2)], now, "metadata")
            connection.execute(text("SELECT pg_sleep(0.001)"))
            changes.append(connection, [base + number * 10 + 9], now, "metadata")
