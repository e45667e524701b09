"""The upgrade to a made-up second revision (second/), with rows in the tables; databases that are not upgraded."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import schema
import sqlalchemy as sa
from alembic.config import Config
from patience import PATIENCE
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable
from stored_rows import metadata

from newscrawl import reports
from newscrawl.errors import DatabaseInUse, SchemaError, StorageError
from newscrawl.storage import machines, migrations
from newscrawl.storage.backup import restore
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.reader import open_reader
from newscrawl.storage.removal import blocklist
from newscrawl.storage.store import open_store

FIRST, SECOND = migrations.HEAD, "zebra"
FOLDER = Path(__file__).with_name("second")
SITE = "https://harbour.example"
OLD = CrawlingProcess("anna/17/boot.1", "anna", "run", "0.1.0", FIRST)
LOST = sa.text("INSERT INTO urls (url_key, url, page_id) VALUES ('lost', 'lost', 4711)")

Rows = Callable[[str], "list[tuple[Any, ...]]"]


@pytest.fixture
def filled(database: str, page: Any, now: Any) -> str:
    """A database of the first revision with three pages, two of which show one text."""
    with open_store(database, upgrade=False) as store:
        for name, text in (("a", "one"), ("b", "two"), ("c", "one")):
            store.save(page(f"{SITE}/{name}", text)).result(timeout=PATIENCE)
        store.run(blocklist.add, [blocklist.key_of_site("meadow")], now).result(timeout=PATIENCE)
    return database


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This newscrawl needs the second revision. Fixtures that come before it make the first one."""
    schema.with_tables()
    made = migrations._config

    def config() -> Config:
        found = made()
        own = Path(migrations.__file__).with_name("versions")
        found.set_main_option("version_locations", f"{own}:{FOLDER}")
        return found

    monkeypatch.setattr(migrations, "_config", config)
    monkeypatch.setattr(migrations, "HEAD", SECOND)
    migrations.revisions.cache_clear()
    yield
    migrations.revisions.cache_clear()


@pytest.fixture
def rows(filled: str) -> Rows:
    def read(query: str) -> list[tuple[Any, ...]]:
        with begin_read(make_engine(parse_url(filled), pooled=False)) as connection:
            return [tuple(row) for row in connection.execute(sa.text(query))]

    return read


def label(url: str, word: str) -> None:
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :word"), {"word": word})


def test_an_upgrade_keeps_all_rows(filled: str, rows: Rows, newer: None) -> None:
    kept = ("SELECT count(*) FROM pages", "SELECT * FROM versions ORDER BY id", "SELECT * FROM current_articles")
    before = [rows(query) for query in kept]
    texts = rows("SELECT id, text FROM articles ORDER BY id")
    migrations.upgrade(filled)
    assert migrations.current_revision(filled) == SECOND
    assert [rows(query) for query in kept] == before
    assert rows("SELECT id, characters FROM articles ORDER BY id") == [(number, len(text)) for number, text in texts]
    assert rows('SELECT key, "by" FROM blocklist') == [("site:meadow", "nobody")]
    assert rows("SELECT url FROM made_up ORDER BY url") == [(f"{SITE}/{name}",) for name in "abc"]
    assert rows("SELECT site, day, kind FROM site_failures") == []


def test_what_is_stored_afterwards_refers_to_what_was_there(filled: str, rows: Rows, page: Any, newer: None) -> None:
    migrations.upgrade(filled)
    with open_store(filled, upgrade=False) as store:
        store.save(page(f"{SITE}/d", "two")).result(timeout=PATIENCE)
    assert rows("SELECT count(DISTINCT article_id), count(*) FROM pages") == [(2, 4)]
    with pytest.raises(sa.exc.IntegrityError), begin_write(make_engine(parse_url(filled), pooled=False)) as connection:
        connection.execute(LOST)


def test_several_upgrades_at_once_are_one(filled: str, rows: Rows, newer: None) -> None:
    errors: list[StorageError] = []

    def upgrade() -> None:
        try:
            migrations.upgrade(filled)
        except StorageError as error:
            errors.append(error)

    threads = [threading.Thread(target=upgrade) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    assert errors == []
    assert rows("SELECT count(*) FROM made_up") == [(3,)]


def test_a_database_that_an_older_newscrawl_crawls_with_is_not_upgraded(filled: str, newer: None) -> None:
    with open_store_of_before(filled) as store:
        store.run(machines.register, OLD).result(timeout=PATIENCE)
        with pytest.raises(DatabaseInUse, match=rf"\(schema {FIRST}\) crawls with it on anna \(run, anna/17/boot"):
            migrations.upgrade(filled)
        assert migrations.current_revision(filled) == FIRST
        store.run(machines.end, OLD).result(timeout=PATIENCE)
    migrations.upgrade(filled)
    assert migrations.current_revision(filled) == SECOND


def open_store_of_before(url: str) -> Any:
    """The store of a process that needs the first revision, as it was when it started."""
    patch = pytest.MonkeyPatch()
    with patch.context() as before:
        before.setattr(migrations, "HEAD", FIRST)
        return open_store(url, upgrade=False)


def test_an_upgrade_ends_at_an_error_that_a_library_would_pass_over(filled: str, rows: Rows, newer: None) -> None:
    """SQLAlchemy's reflection sends another query after an error. SQLite may have rolled the transaction back then."""

    def refuse(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> tuple[str, Any]:
        is_wanted = "INSERT INTO made_up" in statement or "made_up" in str(parameters)
        return ("SELECT 1 FROM no_such_table" if is_wanted else statement), parameters

    sa.event.listen(sa.Engine, "before_cursor_execute", refuse, retval=True)
    try:
        with pytest.raises(StorageError, match="cannot upgrade database"):
            migrations.upgrade(filled)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", refuse)
    assert migrations.current_revision(filled) == FIRST
    with pytest.raises(sa.exc.DBAPIError):
        rows("SELECT characters FROM articles")
    migrations.upgrade(filled)
    assert rows("SELECT count(*) FROM made_up") == [(3,)]


@pytest.mark.usefixtures("newer")
def test_a_sqlite_file_with_rows_that_refer_to_nothing_stays_as_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    with open_store_of_before(url):
        pass
    engine = make_engine(parse_url(url), pooled=False, foreign_keys=False)
    with begin_write(engine) as connection:
        connection.execute(LOST)
    label(url, FIRST)
    with pytest.raises(SchemaError, match="rows that refer to nothing: restore it from a copy"):
        migrations.upgrade(url)
    assert migrations.current_revision(url) == FIRST


def test_a_copy_from_before_the_first_release_is_not_restored(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path}/news.db", tmp_path / "copy.db"
    with open_store(url, upgrade=False):
        pass
    label(url, "0041")
    with closing(sqlite3.connect(tmp_path / "news.db")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    shutil.copy(tmp_path / "news.db", copy)
    with pytest.raises(SchemaError, match=r"copy\.db has schema 0041, from before the first release"):
        restore(f"sqlite:///{tmp_path}/fresh.db", copy)
    assert not (tmp_path / "fresh.db").exists()


@pytest.mark.usefixtures("newer")
def test_a_copy_of_an_older_newscrawl_is_restored_and_then_upgraded(tmp_path: Path, page: Any) -> None:
    url, copy, fresh = f"sqlite:///{tmp_path}/news.db", tmp_path / "copy.db", f"sqlite:///{tmp_path}/fresh.db"
    with open_store_of_before(url) as store:
        store.save(page(f"{SITE}/a", "one")).result(timeout=PATIENCE)
    with closing(sqlite3.connect(tmp_path / "news.db")) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))
    assert restore(fresh, copy) == []
    assert migrations.current_revision(fresh) == FIRST
    migrations.upgrade(fresh)
    with open_reader(fresh) as reading:
        assert [article.url for article in reports.articles(reading)] == [f"{SITE}/a"]


LABEL, SCHEMA = "gale", "ecbe7872957136e6"
"""The label, and a hash of the schema that it stands for."""


def test_another_schema_has_another_label() -> None:
    """If this fails, the tables or views were changed: give `r0001_tables.revision`, `migrations.HEAD` and LABEL the
    next word of the alphabet (fjord, gale, hill ...), and SCHEMA the hash. A database with the former label is then
    refused with one line, and not used with tables that it does not have."""
    statements = [*migrations.views("sqlite"), *migrations.views("postgresql")]
    for dialect in (sqlite.dialect(), postgresql.dialect()):
        for table in sorted(metadata.tables.values(), key=lambda table: table.name):
            statements.append(str(CreateTable(table).compile(dialect=dialect)))
            indexes = sorted(table.indexes, key=lambda index: str(index.name))
            statements.extend(str(CreateIndex(index).compile(dialect=dialect)) for index in indexes)
    found = hashlib.sha256("\n".join(" ".join(statement.split()) for statement in statements).encode()).hexdigest()
    assert (migrations.HEAD, found[:16]) == (LABEL, SCHEMA)
