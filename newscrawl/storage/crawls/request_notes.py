"""The notes of the requests of all crawls of a process since the last write: host states and numbers of requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.storage.engine.clock import time_of
from newscrawl.storage.frontier import hosts, sites
from newscrawl.storage.monitoring import hours


@dataclass(frozen=True, slots=True)
class RequestNotes:
    """The new states of hosts; numbers of requests by site and by host; numbers of never-fetched addresses by the name
    of the crawl's lease.

    With `owner` the states are those of hosts whose grant this process keeps, and their times are the process's.
    """

    host_states: Iterable[hosts.HostRow] = ()
    of_sites: Mapping[str, int] = field(default_factory=dict)
    of_hosts: Mapping[str, int] = field(default_factory=dict)
    new_pages: Mapping[str, int] = field(default_factory=dict)
    owner: str | None = None


def write(connection: Connection, notes: RequestNotes, now: datetime) -> None:
    """Writes all notes. Rows are written in one order, so that two processes never wait for each other. `now` is the
    time of the process's clock."""
    states = sorted(notes.host_states, key=lambda row: row.key)
    hosts.lock(connection, [*notes.of_hosts, *(row.key for row in states)])
    if notes.owner is None:
        hosts.save_all(connection, states)
    elif states:
        hosts.save_granted(connection, notes.owner, states, time_of(connection) - now)
    hosts.count_all(connection, dict(sorted(notes.of_hosts.items())), now)
    for site, number in sorted(notes.of_sites.items()):
        sites.count_requests(connection, site, number, now)
    hours.count_requests(connection, notes.new_pages, now)
