"""The decisions of operators about sites, made with `newscrawl pause`, `resume`, `priority` and `budget`.

The table has few rows. Every process that crawls reads all of them every few seconds.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, select

from newscrawl.scheduling.site_control import SiteControl
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.tables.controls import site_controls

_COLUMNS = tuple(site_controls.c[field.name] for field in fields(SiteControl))


def load(connection: Connection, site: str | None = None) -> dict[str, SiteControl]:
    """Returns the controls of all sites, or of the one named, by site."""
    query = select(*_COLUMNS) if site is None else select(*_COLUMNS).where(site_controls.c.site == site)
    return {row.site: SiteControl(**row._asdict()) for row in connection.execute(query)}


def load_site(connection: Connection, site: str) -> SiteControl | None:
    """Returns the controls of one site, None without any."""
    return load(connection, site).get(site)


def paused_sites(now: datetime) -> Select[tuple[str]]:
    """Returns the query of the names of all sites that are paused at this time, as SiteControl.is_paused decides."""
    until = site_controls.c.paused_until
    return select(site_controls.c.site).where(site_controls.c.paused, until.is_(None) | (until > now))


def pause(connection: Connection, site: str, until: datetime | None, now: datetime) -> None:
    """Pauses the site until this time, or until it is resumed if that is None."""
    _change(connection, site, now, paused=True, paused_until=until)


def resume(connection: Connection, site: str, now: datetime) -> bool:
    """Ends the pause of a site. Returns whether it was paused."""
    known = load_site(connection, site)
    _change(connection, site, now, paused=False, paused_until=None)
    return known is not None and known.is_paused(now)


def set_priority(connection: Connection, site: str, priority: float | None, now: datetime) -> None:
    """Sets the priority of a site; None removes it."""
    _change(connection, site, now, priority=priority)


def set_daily_requests(connection: Connection, site: str, daily_requests: str | None, now: datetime) -> None:
    """Sets the requests a day of a site; None removes them, so that the declaration's number holds."""
    _change(connection, site, now, daily_requests=daily_requests)


def forget(connection: Connection, site: str) -> None:
    """Removes the controls of a site."""
    connection.execute(delete(site_controls).where(site_controls.c.site == site))


def _change(connection: Connection, site: str, now: datetime, **values: Any) -> None:
    """Writes the values. A row in which all values are NULL is removed."""
    row = {"site": site, "paused": False, **values, "changed": now}
    upsert(connection, site_controls, ["site"], [row], values | {"changed": now})
    control = load_site(connection, site)
    if control is not None and control.is_empty(now):
        forget(connection, site)
