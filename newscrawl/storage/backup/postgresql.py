"""Copies of a PostgreSQL database with pg_dump, and a database from a copy with pg_restore."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, inspect

from newscrawl import failpoints
from newscrawl.errors import StorageError
from newscrawl.identity.masking import is_secret
from newscrawl.storage import migrations
from newscrawl.storage.backup.files import appearing
from newscrawl.storage.engine.database import explained, make_engine, make_reader, one_line, shown
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.feed import consumers

HEAD: Final = b"PGDMP"
"""The first bytes of a dump in pg_dump's custom format."""
INDEX_SCHEMA: Final = "newscrawl_search"
"""The schema of the search index (newscrawl.search.index.postgresql), whose tables are dumped with the others."""
_OBJECT: Final = re.compile(
    r"^\d+; \d+ \d+ ((?:MATERIALIZED )?VIEW|(?:FOREIGN )?TABLE|(?:EVENT )?TRIGGER|FUNCTION|PROCEDURE|AGGREGATE|RULE)"
    r" (?!DATA |ATTACH )(\S+) (\S+)",
    re.MULTILINE,
)
"""An entry for a table, a view or code in a dump's table of contents: kind, schema and name."""
PASSWORD: Final = "PGPASSWORD"  # noqa: S105  a name


def back_up(url: URL, target: Path) -> None:
    """Dumps the database to `target`. pg_dump reads one state of it, and no writer waits. Raises StorageError and
    OSError."""
    with appearing(target) as part:
        _run(url, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
        _run(None, "pg_restore", "--list", "--file=/dev/null", str(part))  # reads its table of contents


def restore(url: URL, file: Path) -> list[str]:
    """Restores a dump, with all consumers at the beginning of the feed, and returns their names. Raises StorageError,
    SchemaError and OSError.

    The positions of the consumers are restored in a second transaction, which sets them back. A kill between both
    leaves no consumer known, and an unknown consumer begins at the beginning, too.
    """
    _check_empty(url)
    revision = _checked_revision(file)
    contents = _run(None, "pg_restore", "--list", str(file))
    found = ((kind.lower(), name) for kind, schema, name in _OBJECT.findall(contents) if schema != INDEX_SCHEMA)
    migrations.refuse_unknown(found, revision, file)
    positions = _data_of(consumers.TABLE_NAME)
    with tempfile.NamedTemporaryFile("w", suffix=".list") as listed:
        listed.write("".join(f"{line}\n" for line in contents.splitlines() if not positions.search(line)))
        listed.flush()
        words = ("--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges")
        _run(url, "pg_restore", *words, f"--use-list={listed.name}", str(file))
    failpoints.hit(failpoints.COPY_RESTORED)
    with explained(url, "write to"), begin_write(make_engine(url, pooled=False, is_writer=True)) as connection:
        if positions.search(contents):
            _fill(connection, *_rows(file, consumers.TABLE_NAME))
        return consumers.restart_all(connection)


def _checked_revision(file: Path) -> str:
    """Returns a dump's revision. Raises SchemaError for a dump whose schema `migrations.check` would refuse, and
    StorageError for one of another program."""
    _, rows = _rows(file, migrations.VERSION_TABLE)
    if not rows.strip():
        raise StorageError(f"cannot restore from {file}: it has no table of newscrawl")
    migrations.refuse_unknown_revision(rows.strip(), f"copy {file}")
    return rows.strip()


def _data_of(table: str) -> re.Pattern[str]:
    """Matches the entry of a table's rows in a dump's table of contents."""
    return re.compile(rf"^\d+; \d+ \d+ TABLE DATA \S+ {re.escape(table)} .*$", re.MULTILINE)


def _rows(file: Path, table: str) -> tuple[str, str]:
    """Returns the COPY statement of a table in a dump, and its rows in COPY's text format. Both are empty if the dump
    has no such table."""
    script = _run(None, "pg_restore", "--data-only", f"--table={table}", "--file=-", str(file))
    statement, _, rest = script[script.find("\nCOPY ") + 1 :].partition(";\n") if "\nCOPY " in script else ("", "", "")
    return statement, rest[: rest.find("\\.\n")]


def _fill(connection: Connection, statement: str, rows: str) -> None:
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(rows)


def _check_empty(url: URL) -> None:
    with explained(url, "read"), begin_read(make_reader(url)) as connection:
        found = sorted(inspect(connection).get_table_names())
    if found:
        raise StorageError(
            f"cannot restore to {shown(url)}: the database is not empty ({found[0]} ...); create an empty one "
            "(createdb --owner=USER NAME), and set NEWSCRAWL_DATABASE_URL to it"
        )


def _run(url: URL | None, tool: str, *words: str) -> str:
    """Runs one of PostgreSQL's programs and returns what it printed. Raises StorageError with the last line of its
    errors if it fails, or if it is not installed."""
    program = shutil.which(tool)
    if program is None:
        raise StorageError(
            f"{tool} is not on the PATH: install PostgreSQL's client programs of the server's version (Debian: "
            "postgresql-client), or copy the database with the server's own means"
        )
    environment = {**os.environ, "LC_ALL": "C"}
    address = [] if url is None else [f"--dbname={_without_password(url, environment)}"]
    done = subprocess.run(  # noqa: S603  a program of the PATH, and no shell
        [program, *address, *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",  # in a damaged dump
        check=False,
    )
    if done.returncode:
        output = done.stderr.strip() or f"exit code {done.returncode}"
        raise StorageError(f"{tool} failed: {one_line(RuntimeError(output), url)}")
    return done.stdout


def _without_password(url: URL, environment: dict[str, str]) -> str:
    """Returns the address for libpq. Other users of the machine can see the arguments of a command, so the password
    goes to the environment."""
    secrets = [name for name in url.query if is_secret(name)]
    given = url.password or next((str(url.query[name]) for name in secrets if name == "password"), None)
    if given:
        environment[PASSWORD] = str(given)
    query = url.difference_update_query(secrets).query
    plain = URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
    return plain.render_as_string(hide_password=False)
