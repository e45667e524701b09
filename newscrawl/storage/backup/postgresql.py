"""Copies of a PostgreSQL database with pg_dump, and a database from a copy with pg_restore."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sqlalchemy import URL, inspect

from newscrawl.errors import StorageError
from newscrawl.identity.masking import is_secret
from newscrawl.storage import migrations
from newscrawl.storage.backup.files import appearing
from newscrawl.storage.engine.database import explained, make_reader, one_line, shown
from newscrawl.storage.engine.transactions import begin_read

HEAD: Final = b"PGDMP"
"""The first bytes of a dump in pg_dump's custom format."""
PASSWORD: Final = "PGPASSWORD"  # noqa: S105  a name


def back_up(url: URL, target: Path) -> None:
    """Dumps the database to `target`. pg_dump reads one state of it, and no writer waits. Raises StorageError and
    OSError."""
    with appearing(target) as part:
        _run(url, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
        _run(None, "pg_restore", "--list", "--file=/dev/null", str(part))  # reads its table of contents


def restore(url: URL, file: Path) -> None:
    """Restores a dump in one transaction. Raises StorageError, SchemaError and OSError."""
    _check_empty(url)
    words = ("--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", str(file))
    _run(url, "pg_restore", *words)
    with explained(url, "read"), begin_read(make_reader(url)) as connection:
        migrations.check(connection, url)


def _check_empty(url: URL) -> None:
    with explained(url, "read"), begin_read(make_reader(url)) as connection:
        found = sorted(inspect(connection).get_table_names())
    if found:
        raise StorageError(
            f"cannot restore to {shown(url)}: the database is not empty ({found[0]} ...); create an empty one "
            "(createdb --owner=USER NAME), and set NEWSCRAWL_DATABASE_URL to it"
        )


def _run(url: URL | None, tool: str, *words: str) -> None:
    """Runs one of PostgreSQL's programs. Raises StorageError with the last line of its output if it fails, or if it is
    not installed."""
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
        check=False,
    )
    if done.returncode:
        output = done.stderr.strip() or f"exit code {done.returncode}"
        raise StorageError(f"{tool} failed: {one_line(RuntimeError(output), url)}")


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
