"""The screen of what is due next, who crawls what until when, and which hosts rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from newscrawl.reports import fleet, work_queue
from newscrawl.reports.fleet import Work
from newscrawl.reports.work_queue import DueLine, LeaseLine, RestingHost
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, NoParameters, Screen


@dataclass(frozen=True, slots=True)
class QueueScreen:
    """The work that is due first, at most 100 of each kind, without paused sites."""

    work: Work
    sources: Sequence[DueLine]
    pages: Sequence[DueLine]
    leases: Sequence[LeaseLine]
    hosts: Sequence[RestingHost]


def load(connection: Connection, _query: NoParameters, context: Context) -> QueueScreen:
    """Returns what is due."""
    return QueueScreen(
        fleet.work(connection, context.now),
        tuple(work_queue.due_sources(connection, context.now)),
        tuple(work_queue.due_pages(connection, context.now)),
        tuple(work_queue.lease_lines(connection, context.now)),
        tuple(work_queue.resting_hosts(connection, context.now)),
    )


SCREEN = Screen("queue", "/queue", "Queue", NoParameters, QueueScreen, load)
