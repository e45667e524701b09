"""A new database takes over what a former one, whose schema is not upgraded, blocks and has in its register."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from patience import PATIENCE

from newscrawl.errors import MissingDatabase, StorageError
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.removal import blocklist, register
from newscrawl.storage.removal.register import ForgottenEntry
from newscrawl.storage.store import open_store

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
