"""Reports the machines that crawl, and the sites that each of their processes crawls."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from newscrawl.storage.engine.transactions import time_of
from newscrawl.storage.frontier import leases
from newscrawl.storage.machines import registered


@dataclass(frozen=True, slots=True)
class SiteProcess:
    """A process that crawls. `number` is its process id on the machine; `sites` are those under its lease now."""

    process: str
    number: str
    role: str
    version: str
    revision: str
    since: datetime
    last_seen: datetime
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CrawlingMachine:
    """A machine. It is `gone` if a process neither ended nor was seen lately, `idle` without processes, and `removed`
    if an operator declared it out of reach."""

    name: str
    state: Literal["crawling", "gone", "idle", "removed"]
    since: datetime
    last_seen: datetime
    removed_at: datetime | None
    removed_by: str | None
    processes: tuple[SiteProcess, ...] = ()


def crawling_machines(connection: Connection, now: datetime | None = None) -> list[CrawlingMachine]:
    """Returns all machines that crawled with the database, by name. `now` None is the database's clock."""
    now = time_of(connection, now)
    gone = registered.gone(connection, now)
    sites: defaultdict[str, list[str]] = defaultdict(list)
    for lease in leases.active(connection, now).values():
        if not lease.site.startswith(leases.SERVICE):
            sites[lease.owner].append(lease.site)
    processes: defaultdict[str, list[SiteProcess]] = defaultdict(list)
    for process in registered.seen_processes(connection):
        processes[process.machine].append(_process(process, sites[process.process]))
    return [
        CrawlingMachine(
            machine.name,
            _state(machine, machine.name in gone, bool(processes[machine.name])),
            machine.since,
            machine.last_seen,
            machine.removed_at,
            machine.removed_by,
            tuple(processes[machine.name]),
        )
        for machine in registered.known_machines(connection)
    ]


def _process(process: registered.SeenProcess, sites: list[str]) -> SiteProcess:
    _, _, rest = process.process.partition("/")
    return SiteProcess(
        process.process,
        rest.partition("/")[0],
        process.role,
        process.version,
        process.revision,
        process.since,
        process.last_seen,
        tuple(sorted(sites)),
    )


def _state(
    machine: registered.Machine, is_gone: bool, is_registered: bool
) -> Literal["crawling", "gone", "idle", "removed"]:
    if is_gone:
        return "gone"
    if is_registered:
        return "crawling"
    return "removed" if machine.removed_at is not None else "idle"
