"""Upgrades the schema of a database to the one that this code needs (Alembic; the revisions are in `versions`).

In here: `versions` holds the revisions, `views.sql` the views, and `env` is what Alembic runs. Start with `env`.

The label of a revision is a word, and later revisions have later words of the alphabet. So a label that this newscrawl
does not know says whether the schema is newer, or from before the first release. A schema of before is not upgraded:
`newscrawl ingest` makes a new database from the archive.

Alembic is loaded only where a schema is not current: every command asks at its start whether it is, and loading takes
a quarter of a second.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError

from newscrawl.errors import DatabaseInUse, SchemaError
from newscrawl.storage import machines
from newscrawl.storage.engine.database import (
    LONG_ANSWER_S,
    check_folder,
    explained,
    make_engine,
    make_reader,
    parse_url,
    shown,
)
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.workers.processes.process_names import is_dead

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy.engine import ExceptionContext

HEAD: Final = "gale"
"""The label of the newest of `versions`."""
VERSION_TABLE: Final = "alembic_version"

SHOWN: Final = 5
"""Names that a message lists."""

_SQL_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {"now": "datetime('now')", "day_ago": "datetime('now', '-24 hours')", "day_of_hour": "date(hour)"},
    "postgresql": {
        "now": "now()",
        "day_ago": "now() - interval '24 hours'",
        "day_of_hour": "(hour AT TIME ZONE 'UTC')::date",
    },
}
"""What the words in braces in views.sql are on each database, besides `_STORY_PAGES`."""
_STORY_PAGES: Final = {
    "shown_pages": """SELECT coalesce(a.story_id, a.id) AS story_id, a.id AS article_id, p.id AS page_id, p.url, p.site,
        (SELECT min(o.seen_at) FROM versions o JOIN articles b ON b.id = o.article_id
         WHERE o.page_id = p.id AND +coalesce(b.story_id, b.id) = coalesce(a.story_id, a.id)) AS since,
        EXISTS (
            SELECT 1 FROM urls u JOIN pages q ON q.id = u.page_id JOIN articles b ON b.id = q.article_id
            WHERE u.url_key = p.claimed_canonical_key AND q.id <> p.id AND q.state <> 'gone'
            AND +coalesce(b.story_id, b.id) = coalesce(a.story_id, a.id)
            AND NOT EXISTS (SELECT 1 FROM urls c WHERE c.url_key = q.claimed_canonical_key AND c.page_id = p.id)
        ) AS defers,
        CASE WHEN d.republishes THEN 2 WHEN d.republishes IS NULL THEN 1 ELSE 0 END AS class,
        CASE WHEN v.published IS NULL THEN 0 ELSE 2 END + CASE WHEN v.authors IS NULL THEN 0 ELSE 1 END AS stated,
        v.title, v.authors, v.published, v.published_offset
    FROM articles a
    JOIN pages p ON p.article_id = a.id AND p.state <> 'gone'
    JOIN versions v ON v.page_id = p.id AND v.article_id = a.id
    LEFT JOIN sites d ON d.site = p.site""",
    "order_of_pages": "defers, class, since_of_site, page_of_site, stated DESC, since, page_id",
}
"""The pages that show texts of stories, and their order: that of the sites' first pages, and among pages of one site
first those that state date and author. A plus before a term keeps it out of indexes: a page has few versions, and leads
to one page, while a story may have a thousand texts."""

_UPGRADE_LOCK: Final = 0x6E657773637262
"""The PostgreSQL advisory lock that only upgrades take, after the lock of all writers ("newscrb" in ASCII)."""

UPGRADE_WAIT_MS: Final = 120_000
"""How long an upgrade of a SQLite file waits for another one. With a busy machine, that takes longer than the lock of a
batch, for which five seconds are enough."""


def current_revision(url: str) -> str | None:
    """Returns the revision of the database at `url`; None for an empty or missing one. Raises StorageError if it cannot
    be read."""
    parsed = parse_url(url)
    check_folder(parsed)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").exists():
        return None  # connecting would create the file
    with explained(parsed, "read"), begin_read(make_reader(parsed)) as connection:
        return revision_of(connection)


def check(connection: Connection, url: URL) -> bool:
    """Returns whether the schema is the one that this code needs; False for one that can be upgraded, and for an empty
    database.

    Raises SchemaError for a newer schema, for one from before the first release, and for a database that contains
    tables of another program.
    """
    revision = revision_of(connection)
    if revision == HEAD:
        return True
    if revision is None:
        foreign = sorted(inspect(connection).get_table_names())
        if foreign:
            raise SchemaError(
                f"database {shown(url)} holds tables of something else ({foreign[0]} ...): choose another database"
            )
        return False
    if revision in revisions():
        return False
    what = f"database {shown(url)} has schema {revision}"
    if revision > HEAD:
        raise SchemaError(f"{what}, newer than this newscrawl's {HEAD}: upgrade newscrawl")
    raise SchemaError(
        f"{what}, from before the first release, and is not upgraded: set NEWSCRAWL_DATABASE_URL to a new database, "
        "copy what is blocked with `newscrawl forget --carry-over DATABASE`, then run `newscrawl ingest` with the "
        "archive; the positions of consumers, alarms, statistics, pages in review, pauses, standing searches and feed "
        "addresses stay behind"
    )


def views(dialect: str) -> list[str]:
    """Returns the statements of views.sql for a database, each of which makes a view, or an index that
    only a view needs."""
    written = Path(__file__).with_name("views.sql").read_text("utf-8")
    written = "".join(line for line in written.splitlines(keepends=True) if not line.startswith("--"))
    for word, sql in {**_SQL_WORDS[dialect], **_STORY_PAGES}.items():
        written = written.replace(f"{{{word}}}", sql)
    return [statement for part in written.split(";") if (statement := part.strip())]


def upgrade(url: str) -> None:
    """Upgrades the schema to `HEAD` in one transaction. If several processes call this at the same time, one upgrades
    and the others wait for it.

    Raises SchemaError for a schema that `check` refuses, DatabaseInUse while a process of an older newscrawl crawls
    with the database, StorageError if the database refuses a statement.
    """
    parsed = parse_url(url)
    check_folder(parsed)
    # Without foreign keys: rebuilding a SQLite table drops it, which would delete or refuse what refers to it.
    engine = make_engine(parsed, foreign_keys=False, pooled=False, answer_within=LONG_ANSWER_S)
    if engine.dialect.name == "sqlite":
        wait = f"PRAGMA busy_timeout={UPGRADE_WAIT_MS}"
        event.listen(engine, "connect", lambda connection, _record: connection.execute(wait))
    with explained(parsed, "upgrade"), _ends_at_first_error(engine), begin_write(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        if not check(connection, parsed):
            _refuse_living(connection, parsed)
            _quiet()
            from alembic import command

            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, HEAD)
            _refuse_dangling(connection, parsed)


def refuse_unknown(objects: Iterable[tuple[str, str]], revision: str, copy: Path) -> None:
    """Raises SchemaError if one of a copy's `objects` ("table", "articles") is no table or view of its revision. The
    schema has no triggers, and a trigger or view of somebody else would run with the rights of the crawls."""
    unknown = sorted(" ".join(found) for found in set(objects) - _objects_of(revision))
    if unknown:
        more = f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
        raise SchemaError(
            f"cannot restore from {copy}: it has {', '.join(unknown[:SHOWN])}{more}, which newscrawl's schema does not "
            "have: restore an earlier copy; if they are yours, drop them before the back-up"
        )


def _objects_of(revision: str) -> frozenset[tuple[str, str]]:
    """Returns the kinds and names of a revision's tables and views, Alembic's table included. The revisions make them
    in memory: nothing else has the names of earlier ones."""
    _quiet()
    from alembic import command

    config = _config()
    with create_engine("sqlite://").begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        rows = connection.exec_driver_sql("SELECT type, name FROM sqlite_schema").all()
    return frozenset((str(kind), str(name)) for kind, name in rows)


class _RefusedStatement(Exception):
    """A statement that the database refused. It is not a SQLAlchemyError, so no library catches it."""

    def __init__(self, error: DBAPIError) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def _ends_at_first_error(engine: Engine) -> Iterator[None]:
    """Ends the upgrade at the first statement that the database refuses.

    SQLAlchemy's reflection catches some errors and sends another query. SQLite may have rolled back the transaction by
    then, and the rest of the upgrade would run outside of it.
    """

    def end(context: ExceptionContext) -> None:
        if isinstance(context.sqlalchemy_exception, DBAPIError):
            raise _RefusedStatement(context.sqlalchemy_exception)

    event.listen(engine, "handle_error", end)
    try:
        yield
    except _RefusedStatement as refused:
        raise refused.error from refused


def _refuse_living(connection: Connection, url: URL) -> None:
    """Raises DatabaseInUse if a process that needs the present schema crawls with the database."""
    living = machines.living_of_other_revisions(connection, HEAD, is_dead)
    if living:
        first = living[0]
        raise DatabaseInUse(
            f"database {shown(url)} is not upgraded to schema {HEAD}: newscrawl {first.version} (schema "
            f"{first.revision}) crawls with it on {first.machine} ({first.role}, {first.process}); stop it, then "
            "upgrade"
        )


def _refuse_dangling(connection: Connection, url: URL) -> None:
    if connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise SchemaError(f"database {shown(url)} has rows that refer to nothing: restore it from a copy, then upgrade")


def revision_of(connection: Connection) -> str | None:
    """Returns the revision of a database; None without newscrawl's tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one_or_none()  # noqa: S608


def _quiet() -> None:
    """Keeps Alembic's warnings and drops its other log lines, which do not help an operator. Alembic writes some of
    them while it is imported."""
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def revisions() -> tuple[str, ...]:
    """Returns all revisions, the newest first. Raises SchemaError if the installation has none.

    Alembic executes every module of `versions` to list them. They stay the same while a process runs.
    """
    _quiet()
    from alembic.script import ScriptDirectory

    found = tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())
    if not found:
        raise SchemaError("this newscrawl was installed without its database revisions: install it again")
    return found
