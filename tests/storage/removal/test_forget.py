"""A forgotten page leaves no rows, and a blocked one is not stored again, also in a new database that takes over what
a former one blocks and has in its register."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from patience import PATIENCE
from source_items import record_answer
from sqlalchemy import select
from stored_rows import metadata

from newscrawl.errors import MissingDatabase, StorageError
from newscrawl.model import Candidate, Discovery
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.feed import changes
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import blocklist, forget, register
from newscrawl.storage.removal.register import ForgetCause, ForgottenEntry
from newscrawl.storage.store import open_store

URL = "https://harbour.example/a"
FEED = "https://harbour.example/feed.xml"


NUMBERS = ("page_samples", "site_hours", "sites")
"""Tables with numbers of sites, which name no page."""


def rows(store, but=("changes", "blocked", "forgotten", "sources", "alembic_version", *NUMBERS)):
    with store.reading() as connection:
        found = {table.name: connection.execute(select(table)).all() for table in metadata.sorted_tables}
    found["sites"] = [row for row in found["sites"] if row.site != FLEET]
    return {name: kept for name, kept in found.items() if kept and name not in but}


def announce(store, now, url=URL):
    answer = SourceAnswer("harbour", FEED, "feed", 200, now)
    return store.run(record_answer, answer, [Candidate(url, Discovery("feed", FEED))], now).result(timeout=PATIENCE)


def test_a_forgotten_page_leaves_nothing_but_a_removal(save, store, page, now):
    announce(store, now)
    first, second, _ = [
        *save(page(URL, "one")),
        *save(page(URL, "two", fetched_at=now + timedelta(hours=1))),
        *save(page(URL, "two", title="Other", fetched_at=now + timedelta(hours=2))),
    ]
    cause = ForgetCause("ann", "asked by mail")
    found = store.run(forget.forget_url, f"{URL}#top", now, cause=cause).result(timeout=PATIENCE)
    assert (found.pages, found.articles, found.kept) == (1, 2, 0)
    assert rows(store) == {}
    with store.reading() as connection:
        removed = [change.article_id for change in changes.read(connection, 0, 99) if change.op == "remove"]
        (entry,) = register.latest(connection, 9)
    assert set(removed) == {first.article_id, second.article_id}
    assert entry == ForgottenEntry(now, "page", "harbour", 1, 2, on_blocklist=False, who="ann", reason="asked by mail")


def test_what_is_blocked_is_neither_asked_for_nor_stored(save, store, page, now):
    save(page(URL, "one"))
    store.run(forget.forget_url, URL, now, block=True).result(timeout=PATIENCE)
    assert announce(store, now) == []
    blocked, other = save(page(URL, "one"), page("https://harbour.example/b", "two"))
    assert (blocked.kind, blocked.article_id) == ("failed", None)
    assert other.kind == "inserted"
    store.run(forget.forget_site, "harbour", now, block=True).result(timeout=PATIENCE)
    assert announce(store, now, "https://harbour.example/new") == []
    assert save(page("https://harbour.example/c", "three"))[0].kind == "failed"


ADDRESS = blocklist.key_of_url("https://harbour.example/a")
SITE = blocklist.key_of_site("meadow")


@pytest.fixture
def former(database: str, now: Any) -> str:
    """A database of schema 0041 that blocks an address and a site, and has forgotten both."""
    with open_store(database, upgrade=False) as store:
        store.run(blocklist.add, [ADDRESS], now).result(timeout=PATIENCE)
        store.run(blocklist.add, [SITE], now + timedelta(days=1)).result(timeout=PATIENCE)
        for entry in entries(now):
            store.run(register.record, entry).result(timeout=PATIENCE)
    execute(database, "UPDATE alembic_version SET version_num = '0041'")
    return database


def entries(now: Any) -> list[ForgottenEntry]:
    page = ForgottenEntry(now, "page", "harbour", 1, 1, on_blocklist=True, who="olga", reason="the author asked")
    return [
        page,
        ForgottenEntry(now + timedelta(days=1), "site", "meadow", 0, 0, on_blocklist=True, who=None, reason=""),
    ]


def execute(url: str, statement: str) -> None:
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        connection.execute(sa.text(statement))


def test_blocks_keep_their_times_and_entries_come_once(former: str, tmp_path: Path, now: Any) -> None:
    with open_store(f"sqlite:///{tmp_path}/new.db", upgrade=True) as store:
        found = register.read_former(former)
        store.run(blocklist.add, [ADDRESS], now - timedelta(days=9)).result(timeout=PATIENCE)
        for _ in range(2):
            store.run(register.carry_over, found).result(timeout=PATIENCE)
        with store.reading() as connection:
            blocked = blocklist.everything(connection)
            forgotten = register.latest(connection, 9)
    assert blocked == [(SITE, now + timedelta(days=1)), (ADDRESS, now - timedelta(days=9))]
    assert list(forgotten) == entries(now)[::-1]
    assert found.unconfirmed == []


def test_what_is_no_database_of_newscrawl_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabase):
        register.read_former(f"sqlite:///{tmp_path}/none.db")
    execute(f"sqlite:///{tmp_path}/photos.db", "CREATE TABLE photos (name TEXT)")
    with pytest.raises(StorageError, match=r"photos\.db has no tables of newscrawl"):
        register.read_former(f"sqlite:///{tmp_path}/photos.db")
