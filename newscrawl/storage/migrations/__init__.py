"""Bringing a database's schema to the one this code was written for (Alembic; the revisions are in `versions`)."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, inspect, text

from newscrawl.errors import SchemaError
from newscrawl.storage.database import (
    begin_read,
    begin_write,
    check_folder,
    explained,
    make_engine,
    make_reader,
    parse_url,
    shown,
)

_UPGRADE_LOCK: Final = 0x6E657773637262
"""Not the writers' lock: a crawl under way must not make an upgrade wait without a word for longer than one batch."""


def head() -> str:
    """The revision this code was written for."""
    revision = _scripts().get_current_head()
    if revision is None:
        raise SchemaError("this newscrawl was installed without its database revisions: install it again")
    return revision


def current_revision(url: str) -> str | None:
    """The database's revision, None for an empty one. Raises StorageError when it cannot be read."""
    parsed = parse_url(url)
    check_folder(parsed)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").exists():
        return None  # connecting would create the file
    with explained(parsed, "read"), begin_read(make_reader(parsed)) as connection:
        return _revision(connection)


def check(connection: Connection, url: URL) -> bool:
    """Whether the schema is the one this code was written for; False for an older or empty one.

    Raises SchemaError for a newer one and for a database that holds something else.
    """
    revision = _revision(connection)
    if revision == head():
        return True
    if revision is None:
        foreign = sorted(inspect(connection).get_table_names())
        if foreign:
            raise SchemaError(
                f"database {shown(url)} holds tables of something else ({foreign[0]} ...): choose another database"
            )
        return False
    if revision not in {script.revision for script in _scripts().walk_revisions()}:
        raise SchemaError(
            f"database {shown(url)} has schema {revision}, newer than this newscrawl's {head()}: upgrade newscrawl"
        )
    return False


def upgrade(url: str) -> None:
    """Brings the schema to `head()` in one transaction; several processes may try at once, one does it.

    Raises SchemaError for a newer or a foreign schema, StorageError when the database refuses.
    """
    parsed = parse_url(url)
    check_folder(parsed)
    # Without foreign keys: rebuilding a SQLite table drops it, which would delete or refuse what refers to it.
    engine = make_engine(parsed, foreign_keys=False, pooled=False)
    with explained(parsed, "upgrade"), begin_write(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        if not check(connection, parsed):
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            _refuse_dangling(connection, parsed)


def _refuse_dangling(connection: Connection, url: URL) -> None:
    if connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise SchemaError(f"database {shown(url)} has rows that refer to nothing: restore it from a copy, then upgrade")


def _revision(connection: Connection) -> str | None:
    _quiet()
    return MigrationContext.configure(connection).get_current_revision()


def _quiet() -> None:
    """Two lines at every start that tell an operator nothing; its warnings stay."""
    logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)


def _config() -> Config:
    _quiet()
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
