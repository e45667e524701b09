"""Two machines that store at the same time: the second waits for the first and then sees what it has stored."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_POSTGRESQL
from lock_waits import waits_for_a_lock
from made_pages import made_page
from patience import PATIENCE
from sqlalchemy import select, text

from newscrawl.model.identity.signature import signature
from newscrawl.reports import articles as exported
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.feed import changes
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.articles import articles, pages, versions

pytestmark = ON_POSTGRESQL

STORY = " ".join(f"word{number}" for number in range(120))
THIRD = " ".join(f"third{number}" for number in range(120))
OTHER = " ".join(f"other{number}" for number in range(120))


@pytest.fixture
def machines(engine, database):
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


def at_once(engine, machines, *given):
    """The kinds of the outcomes of batches of two machines. Both wait for the lock at the same time."""
    with begin_write(engine):
        waiting = [saved(store, batch) for store, batch in zip(machines, given, strict=True)]
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


def test_near_duplicates_that_are_stored_at_once_become_one_story(engine, machines, page, now):
    ours = [
        a_page("https://harbour.example/a", f"{STORY} first"),
        a_page("https://harbour.example/x", OTHER),
    ]
    theirs = [
        a_page("https://valley.example/b", f"{STORY} second words", fetched_at=now + timedelta(seconds=1)),
        a_page("https://valley.example/c", f"{STORY} third and more words", fetched_at=now - timedelta(hours=1)),
    ]
    assert at_once(engine, machines, ours, theirs) == [["inserted"] * 2, ["inserted"] * 2]
    assert stories(engine) == [["a", "b", "c"]]


def test_a_text_that_two_machines_meet_at_once_is_one_article_of_two_pages(engine, machines, page):
    met = at_once(
        engine,
        machines,
        [a_page("https://harbour.example/a", STORY), a_page("https://harbour.example/x", THIRD)],
        [a_page("https://valley.example/b", OTHER), a_page("https://valley.example/c", STORY)],
    )
    assert sorted(kind for kinds in met for kind in kinds) == ["inserted"] * 3 + ["joined"]
    with begin_read(engine) as connection:
        texts = list(connection.execute(select(articles.c.text)).scalars())
        found = changes.read(connection, 0, 100)
    assert sorted(texts) == sorted([STORY, OTHER, THIRD])
    assert sum(change.reason == "joined" for change in found) == 1


def test_a_page_that_two_machines_meet_at_once_is_stored_once_with_both_texts(engine, machines, page, now):
    url = "https://harbour.example/a"
    at_once(
        engine,
        machines,
        [a_page(url, STORY)],
        [a_page(url, OTHER, fetched_at=now + timedelta(minutes=1))],
    )
    with begin_read(engine) as connection:
        assert len(connection.execute(select(pages)).all()) == 1
        assert len(connection.execute(select(versions)).all()) == 2
        (shown,) = exported(connection)
        last = {change.article_id: change.op for change in changes.read(connection, 0, 100)}
        texts = {row.id: row.text for row in connection.execute(select(articles.c.id, articles.c.text))}
    assert shown.text == OTHER
    ops = {texts[number]: op for number, op in last.items() if number > 0}
    assert ops.pop(STORY, "remove") == "remove", "never shown if the later text was stored first"
    assert ops == {OTHER: "upsert"}


def test_corrections_of_two_machines_are_versions_of_one_page(engine, machines, page, now):
    """Both correct a stored page. The second looks it up after the first is committed."""
    url = "https://harbour.example/a"
    (first,) = saved(machines[0], [a_page(url, STORY)])
    first.result(PATIENCE)
    corrected = [OTHER, f"{OTHER} and a correction"]
    met = at_once(
        engine,
        machines,
        *([a_page(url, words, fetched_at=now + timedelta(minutes=1))] for words in corrected),
    )
    assert met == [["new_version"], ["new_version"]]
    with begin_read(engine) as connection:
        row = connection.execute(select(pages.c.visits)).one()
        found = connection.execute(select(versions.c.article_id)).all()
        last = {change.article_id: change.op for change in changes.read(connection, 0, 100)}
    assert (row.visits, len(found)) == (3, 3)
    assert sorted(op for number, op in last.items() if number > 0) == ["remove", "remove", "upsert"]
