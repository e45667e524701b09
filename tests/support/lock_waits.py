"""Whether a transaction on PostgreSQL waits for another."""

from __future__ import annotations

import time

from patience import PATIENCE
from sqlalchemy import Engine, text

from newscrawl.storage.engine.transactions import begin_read


def waits_for_a_lock(engine: Engine, sessions: int = 1) -> bool:
    """Returns whether so many sessions wait for an advisory lock, after waiting for that."""
    ends = time.monotonic() + PATIENCE
    waiting = text(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
        " WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()"
    )
    while time.monotonic() < ends:
        with begin_read(engine) as connection:
            if connection.execute(waiting).scalar_one() >= sessions:
                return True
        time.sleep(0.01)
    return False
