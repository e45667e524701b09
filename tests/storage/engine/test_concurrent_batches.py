"""Two batches of different machines at the same time: each has written its texts, and neither is committed."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from lock_waits import waits_for_a_lock
from patience import PATIENCE
from sqlalchemy import select, text

from newscrawl.identity import content_hash, identity_key
from newscrawl.identity.signature import signature
from newscrawl.storage.articles.writing import text_rows
from newscrawl.storage.engine import batch as batches
from newscrawl.storage.engine.batch import BatchWriter
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.retry import ONCE
from newscrawl.storage.engine.transactions import begin_batch, begin_read, begin_write, take_order
from newscrawl.storage.feed import changes
from newscrawl.storage.records import never
from newscrawl.storage.reports import articles as exported
from newscrawl.storage.tables.articles import articles, pages, versions

STORY = " ".join(f"word{number}" for number in range(120))
THIRD = " ".join(f"third{number}" for number in range(120))
OTHER = " ".join(f"other{number}" for number in range(120))


@pytest.fixture
def machines(database):
    """Two writers with connections of their own."""
    if not database.startswith("postgresql"):
        pytest.skip("SQLite has one writer")
    engines = [make_engine(parse_url(database), is_writer=True) for _ in range(2)]
    yield [BatchWriter(engine, never, ONCE) for engine in engines]
    for engine in engines:
        engine.dispose()


@pytest.fixture
def meeting(monkeypatch, request):
    """Both batches wait for each other after their texts are written, or before ("before"), the first time."""
    barrier, met = threading.Barrier(2, timeout=PATIENCE), threading.local()
    moment = getattr(request, "param", "after")

    def meet():
        if not getattr(met, "once", False):
            met.once = True
            barrier.wait()

    def write(connection, part, write=text_rows.write_articles):
        if moment == "before":
            meet()
        written = write(connection, part)
        meet()
        return written

    monkeypatch.setattr(text_rows, "write_articles", write)


def a_page(page, url, words, **changes):
    made = page(url, "x", **changes)
    own = {"content_hash": content_hash(words), "identity_key": identity_key(words, url, 120)}
    return replace(made, article=replace(made.article, text=words, signature=signature(words), **own))


def at_once(machines, *given):
    """The kinds of the outcomes of batches that the machines store at once."""
    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(writer.commit, batch) for writer, batch in zip(machines, given, strict=True)]
        return [[outcome.kind for outcome in one.result(PATIENCE)] for one in running]


def stories(engine):
    """The stored stories, as sets of addresses."""
    with begin_read(engine) as connection:
        rows = connection.execute(text("SELECT story_id, url FROM current_articles")).all()
    found: dict[int, set[str]] = {}
    for story, url in rows:
        found.setdefault(story, set()).add(url.rpartition("/")[2])
    return sorted(sorted(urls) for urls in found.values() if len(urls) > 1)


@pytest.mark.usefixtures("meeting")
def test_near_duplicates_that_are_stored_at_once_become_one_story(machines, page, now):
    ours = [
        a_page(page, "https://harbour.example/a", f"{STORY} first"),
        a_page(page, "https://harbour.example/x", OTHER),
    ]
    theirs = [
        a_page(page, "https://valley.example/b", f"{STORY} second words", fetched_at=now + timedelta(seconds=1)),
        a_page(page, "https://valley.example/c", f"{STORY} third and more words", fetched_at=now - timedelta(hours=1)),
    ]
    assert at_once(machines, ours, theirs) == [["inserted"] * 2, ["inserted"] * 2]
    assert stories(machines[0].engine) == [["a", "b", "c"]]


@pytest.mark.usefixtures("meeting")
@pytest.mark.parametrize("meeting", ["before"], indirect=True)
def test_a_text_that_two_machines_meet_at_once_is_one_article_of_two_pages(machines, page):
    met = at_once(
        machines,
        [a_page(page, "https://harbour.example/a", STORY), a_page(page, "https://harbour.example/x", THIRD)],
        [a_page(page, "https://valley.example/b", OTHER), a_page(page, "https://valley.example/c", STORY)],
    )
    assert sorted(kind for kinds in met for kind in kinds) == ["inserted"] * 3 + ["joined"]
    with begin_read(machines[0].engine) as connection:
        texts = list(connection.execute(select(articles.c.text)).scalars())
        found = changes.read(connection, 0, 100)
    assert sorted(texts) == sorted([STORY, OTHER, THIRD])
    assert sum(change.reason == "joined" for change in found) == 1


@pytest.mark.usefixtures("meeting")
def test_a_page_that_two_machines_meet_at_once_is_stored_once_with_both_texts(machines, page, now):
    url = "https://harbour.example/a"
    at_once(
        machines,
        [a_page(page, url, STORY)],
        [a_page(page, url, OTHER, fetched_at=now + timedelta(minutes=1))],
    )
    with begin_read(machines[0].engine) as connection:
        assert len(connection.execute(select(pages)).all()) == 1
        assert len(connection.execute(select(versions)).all()) == 2
        (shown,) = exported(connection)
        last = {change.article_id: change.op for change in changes.read(connection, 0, 100)}
        texts = {row.id: row.text for row in connection.execute(select(articles.c.id, articles.c.text))}
    assert shown.text == OTHER
    ops = {texts[number]: op for number, op in last.items() if number > 0}
    assert ops.pop(STORY, "remove") == "remove", "never shown if the later text was stored first"
    assert ops == {OTHER: "upsert"}


def test_a_page_of_one_machine_waits_for_its_batch_at_the_other(machines, page, now, monkeypatch):
    """Both correct a stored page. The second looks it up after the first is committed."""
    url = "https://harbour.example/a"
    machines[0].commit([a_page(page, url, STORY)])
    locked, go_on = threading.Event(), threading.Event()

    def save(connection, *given, save=batches.save_batch, **options):
        if not locked.is_set():
            locked.set()
            go_on.wait(PATIENCE)
        return save(connection, *given, **options)

    monkeypatch.setattr(batches, "save_batch", save)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(machines[0].commit, [a_page(page, url, OTHER, fetched_at=now + timedelta(minutes=1))])
        assert locked.wait(PATIENCE)
        corrected = f"{OTHER} and a correction"
        second = pool.submit(machines[1].commit, [a_page(page, url, corrected, fetched_at=now + timedelta(minutes=2))])
        go_on.set()
        kinds = [one.result(PATIENCE)[0].kind for one in (first, second)]
    assert kinds == ["new_version", "new_version"]
    with begin_read(machines[0].engine) as connection:
        row = connection.execute(select(pages.c.edits, pages.c.visits)).one()
        last = {change.article_id: change.op for change in changes.read(connection, 0, 100)}
    assert (row.edits, row.visits) == (2, 3)
    assert sorted(op for number, op in last.items() if number > 0) == ["remove", "remove", "upsert"]


@pytest.mark.usefixtures("meeting")
@pytest.mark.parametrize("meeting", ["before"], indirect=True)
@pytest.mark.parametrize("table", ["articles", "pages"])
def test_batches_of_the_same_pages_in_opposite_order_do_not_wait_for_each_other(machines, page, table):
    """Each would hold what the other waits for next, until the server looks for that after a second."""
    engine = machines[0].engine
    with begin_write(engine) as connection:  # so slow that the two batches are in the middle at the same time
        body = "BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END"
        connection.execute(text(f"CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"))
        connection.execute(text(f"CREATE TRIGGER slow BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION slow()"))
    words = [[f"{OTHER} {number} {name}" for number in range(6)] for name in ("ours", "theirs")]
    if table == "articles":
        words[1] = words[0]
    ours, theirs = (
        [a_page(page, f"https://harbour.example/{number}", one) for number, one in enumerate(of_one)]
        for of_one in words
    )
    at_once(machines, ours, theirs[::-1])
    with begin_read(engine) as connection:
        assert len(connection.execute(select(pages)).all()) == 6
        found = text("SELECT pg_stat_get_db_deadlocks(oid) FROM pg_database WHERE datname = current_database()")
        assert connection.execute(found).scalar_one() == 0


def test_a_batch_without_changes_does_not_wait_for_the_order_of_others(machines, page, now):
    url = "https://harbour.example/a"
    machines[0].commit([a_page(page, url, STORY)])
    with ThreadPoolExecutor(1) as pool:
        with begin_batch(machines[1].engine, take_order):
            (same,) = machines[0].commit([a_page(page, url, STORY, fetched_at=now + timedelta(hours=1))])
            assert same.kind == "unchanged"
            new = pool.submit(machines[0].commit, [a_page(page, "https://harbour.example/b", OTHER)])
            assert waits_for_a_lock(machines[1].engine)
            assert not new.done()
        assert new.result(PATIENCE)[0].kind == "inserted"


def test_a_transaction_of_another_kind_waits_for_batches(machines):
    def write():
        with begin_write(machines[0].engine):
            return "alone"

    with ThreadPoolExecutor(1) as pool:
        with begin_batch(machines[1].engine, lambda _sent: None):
            writing = pool.submit(write)
            assert waits_for_a_lock(machines[1].engine)
            assert not writing.done()
        assert writing.result(PATIENCE) == "alone"
