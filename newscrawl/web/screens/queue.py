"""The screen of what is due next, who crawls what until when, and which hosts rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from newscrawl.reports import fleet
from newscrawl.reports.fleet import Due, Work
from newscrawl.reports.sources import Host, resting_hosts
from newscrawl.reports.views import LEASE_SCREEN, RESTING_SCREEN
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, NoParameters, Screen


@dataclass(frozen=True, slots=True)
class QueueScreen:
    """The work that is due first, at most 100 of each kind, without paused sites."""

    work: Work
    sources: Sequence[Due]
    pages: Sequence[Due]
    leases: Sequence[Lease]
    hosts: Sequence[Host]


def load(connection: Connection, _query: NoParameters, context: Context) -> QueueScreen:
    """Returns what is due."""
    return QueueScreen(
        fleet.work(connection, context.now),
        fleet.due_sources(connection, context.now),
        fleet.due_pages(connection, context.now),
        fleet.leases_in_force(connection, context.now),
        resting_hosts(connection, context.now),
    )


VIEWS = {"leases": LEASE_SCREEN, "hosts": RESTING_SCREEN}
SCREEN = Screen("queue", "/queue", "Queue", NoParameters, QueueScreen, load, views=VIEWS)
