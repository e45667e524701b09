"""Ends the sessions of stopped processes that hold locks for which others wait (PostgreSQL).

The server ends a session by itself that is idle within a transaction (database._WRITER_LIMITS). But while it waits for
the rest of a pipeline, as psycopg's executemany is one, no time-out of the server runs, except `transaction_timeout`
since version 17, whether it counts the session as active or, after a message that only asks for the results, as idle
within its transaction. If a process is stopped or cut off at that moment, its locks would last until it goes on, dies,
or TCP gives up after two hours. So whoever waited in vain for a lock ends such sessions.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

logger = logging.getLogger(__name__)

STOPPED_AFTER: Final = timedelta(seconds=60)
"""How long a session has waited for its process: as long as the server lets one be idle within a transaction."""

_LOCK_NOT_AVAILABLE: Final = "55P03"

_END: Final = text("""
SELECT coalesce(host(client_addr), 'this machine'), clock_timestamp() - state_change, pg_terminate_backend(pid)
FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
  AND application_name = current_setting('application_name')
  AND wait_event_type = 'Client' AND xact_start IS NOT NULL
  AND state_change < clock_timestamp() - CAST(:stopped_after AS interval)
  AND EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid AND granted
              AND (locktype = 'advisory' OR mode = 'RowExclusiveLock'))
""")
"""`state_change` is the time of the session's latest message. A session that only reads, such as an export that waits
for its consumer, has none of these locks. A role may always end its own sessions."""


def is_lock_timeout(error: BaseException) -> bool:
    """Returns whether a statement waited for a lock until the server's limit."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == _LOCK_NOT_AVAILABLE


def end_stopped(engine: Engine, stopped_after: timedelta = STOPPED_AFTER) -> int:
    """Ends the sessions of newscrawl that have waited for so long for the rest of a pipeline, each with a line in the
    log. Returns their number; 0 if the server cannot be asked, because the caller tries again anyway."""
    try:
        with engine.begin() as connection:
            ended = connection.execute(_END, {"stopped_after": stopped_after}).all()
    except DBAPIError as error:
        logger.debug("the sessions of stopped processes are not known: %s", error)
        return 0
    for address, silent, _ in ended:
        logger.warning(
            "ended a database session from %s: its process stopped within a transaction %.0f s ago, and its locks kept "
            "others waiting",
            address,
            silent.total_seconds(),
        )
    return len(ended)
