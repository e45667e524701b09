"""The benchmark of distance stores as many batches as it counts, through a proxy with a delay."""

from __future__ import annotations

import queue
import threading
import time

from databases import DatabaseProxy, socket_of, with_schema
from sqlalchemy import func, select

from benchmarks.machines.distance import LISTED, NEW, SIZE, WAITING, Written, write
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.tables.articles import articles, pages, versions


def test_writers_store_batches_over_a_distance(empty_postgresql: str, postgresql: str) -> None:
    database = with_schema(empty_postgresql)
    proxy = DatabaseProxy(socket_of(postgresql))
    try:
        proxy.distance = 0.01
        url = f"postgresql://postgres@127.0.0.1:{proxy.port}/{parse_url(database).database}?sslmode=disable"
        began, counts = time.monotonic(), []
        for kind in ("new", "unchanged"):
            done: queue.Queue[Written] = queue.Queue()
            write(url, kind, kind, 0.2, 1.0, threading.Barrier(1), done)
            counts.append(done.get_nowait().pages)
        assert time.monotonic() - began > 10 * 0.01, "each batch waits several times"
    finally:
        proxy.close()
    engine = make_engine(parse_url(database), pooled=False)
    with begin_read(engine) as connection:
        stored = connection.execute(select(func.count()).select_from(articles)).scalar_one()
        assert connection.execute(select(func.count()).select_from(versions)).scalar_one() == stored
    assert stored > 2 * WAITING


def test_answers_of_sources_are_stored_beside_the_pages(empty_postgresql: str) -> None:
    database = with_schema(empty_postgresql)
    done: queue.Queue[Written] = queue.Queue()
    write(database, "harbour", "answers", 1.0, 0.1, threading.Barrier(1), done)
    written = done.get_nowait()
    counted, answers = written.pages, len(written.waits)
    engine = make_engine(parse_url(database), pooled=False)
    with begin_read(engine) as connection:
        texts = connection.execute(select(func.count()).select_from(articles)).scalar_one()
        found = connection.execute(select(func.count()).where(pages.c.state == "found")).scalar_one()
    assert texts > SIZE
    assert texts >= SIZE + counted
    assert answers > 0
    assert written.late <= answers
    assert found == int(1.0 / 0.1) * LISTED + answers * NEW, "each answer once"
