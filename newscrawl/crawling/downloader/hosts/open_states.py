"""Opens the stored host states for a process, by the kind of its database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from newscrawl.crawling.downloader.hosts.grants import GrantTiming, HostGrants
from newscrawl.crawling.downloader.hosts.sqlite_states import SqliteHostStates
from newscrawl.crawling.downloader.hosts.states import HostStates
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.processes.process_names import this_process
from newscrawl.storage import Store
from newscrawl.storage.engine.process_locks import ProcessRegistration

CLOCK_MARGIN = 5.0
"""Seconds by which a grant lasts longer than its requests, because a time-out may be noticed late."""


def open_host_states(
    store: Store,
    host_writer: HostStateWriter,
    living: ProcessRegistration | None,
    now: Callable[[], datetime],
    *,
    lease: float,
    request: float,
) -> HostStates:
    """Returns the host states of the database. With PostgreSQL, which several machines may use, each request needs a
    grant of its host. A SQLite database is used by one machine, where `living` knows the other processes.

    `now` is the clock of the host throttle. `lease` is for how long the process keeps a grant without a renewal, and
    `request` how long a request may last, in seconds.
    """
    host_writer.now = now
    if not store.is_on_server:
        return SqliteHostStates(store, host_writer, living)
    timing = GrantTiming(kept=lease, request=request + CLOCK_MARGIN)
    return HostGrants(store, store.notes, host_writer, this_process(), timing)
