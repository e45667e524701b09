"""The begin and the end of a site's crawl within a fleet, each as one transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from newscrawl.model import SourceType
from newscrawl.storage.frontier import leases, sites, sources
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.records import PlanSource

UNREAD: Final = "source/not_read"
"""Failure of a source that is due and that a whole crawl did not read: it is no longer declared, or was a front
page."""


def begin(
    connection: Connection,
    site: str,
    owner: str,
    began: datetime,
    now: datetime | None,
    duration: timedelta,
    is_dead: Callable[[str], bool],
) -> Lease:
    """Takes the site's lease, as leases.take does, and notes that its crawl began. Raises SiteLeased."""
    lease = leases.take(connection, site, owner, now, duration, is_dead)
    sites.note_start(connection, site, began)
    return lease


def end(connection: Connection, site: str, home: str, began: datetime, now: datetime, plan: PlanSource | None) -> None:
    """Notes that a crawl ended. `plan` is given after a whole crawl."""
    sites.note_finish(connection, site, now)
    if plan is not None:
        leave_unread(connection, site, home, began, now, plan)


def leave_unread(
    connection: Connection, site: str, home: str, began: datetime, now: datetime, plan: PlanSource
) -> None:
    """Plans the sources that a whole crawl did not read. A source that was due before the crawl and still is will never
    be read and would keep the site due endlessly. It is recorded as failed, tried less and less often, and retired. A
    site with no planned source left gets its front page `home` as one."""
    for row in sources.due(connection, began, site=site):
        sources.record_failure(connection, site, row.url, row.kind, UNREAD, None, now, plan=plan, was_sent=False)
    if not any(row.next_due is not None for row in sources.load_site(connection, site)):
        kind: SourceType = "start"
        sources.record_failure(connection, site, home, kind, UNREAD, None, now, plan=plan, was_sent=False)
