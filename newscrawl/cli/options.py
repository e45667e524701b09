"""What the same options mean in every command: a site, a time from and to."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from newscrawl.errors import UsageError

DATES: Final = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]
"""How days and times are written in options; they are UTC."""


def utc(date: datetime | None) -> datetime | None:
    """A date of an option as the aware time it means."""
    return date.replace(tzinfo=UTC) if date else None


def period(since: datetime | None, until: datetime | None) -> tuple[datetime | None, datetime | None]:
    """Both ends as aware times. Raises UsageError when nothing lies between them."""
    if since is not None and until is not None and since >= until:
        raise UsageError(f"nothing lies between --since {_short(since)} and --until {_short(until)}: give a later end")
    return utc(since), utc(until)


def check_site(site: str | None, stored: Collection[str], declared: Collection[str] = ()) -> None:
    """Raises UsageError for a site that nobody knows."""
    if site is not None and site not in stored and site not in declared:
        raise UsageError(f"no site {site!r} in the database: there are {', '.join(stored) or 'none yet'}")


def _short(moment: datetime) -> str:
    return moment.isoformat().removesuffix("T00:00:00")
