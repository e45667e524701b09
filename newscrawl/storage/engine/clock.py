"""The time by which processes on several machines agree: that of the database server. A process whose own clock is
wrong does not start."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, func, select

from newscrawl.errors import WrongClock
from newscrawl.storage.tables.frontier import site_hours
from newscrawl.storage.tables.operations import MACHINE, processes
from newscrawl.times import TOLERANCE


def time_of(connection: Connection, now: datetime | None = None) -> datetime:
    """Returns `now`, or the present time by the database's clock if it is None.

    A PostgreSQL server gives its own time, which does not depend on how long the transaction has waited. A SQLite file
    is used on one machine only, whose clock it is.
    """
    if now is not None:
        return now
    if connection.dialect.name != "postgresql":
        return datetime.now(UTC)
    stated: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return stated.astimezone(UTC)


def newest_time(connection: Connection) -> datetime | None:
    """Returns the newest of the times at which processes were seen and of the hours in which something was counted;
    None in a database that no crawl has used."""
    seen = select(func.max(processes.c.last_seen)).where(processes.c.role != MACHINE)
    queries = (seen, select(func.max(site_hours.c.hour)))
    return max(filter(None, (connection.execute(query).scalar_one() for query in queries)), default=None)


def compare_clocks(
    before: datetime, after: datetime, stated: datetime | None, newest: datetime | None
) -> tuple[str, str] | None:
    """Returns by how much this machine's clock is wrong and what to do, or None if it is right by all that is known.

    The database was asked between the two times `before` and `after` of this machine (aware). It gave `stated`, the
    time of its server. On SQLite that is None, and `newest` is its newest stored time.
    """
    own = f"this machine's clock shows {after:%Y-%m-%d %H:%M:%S} UTC"
    if stated is not None:
        if before - TOLERANCE <= stated <= after + TOLERANCE:
            return None
        return (
            f"{own}, the database's {stated:%Y-%m-%d %H:%M:%S}",
            "set both clocks by NTP (timedatectl set-ntp true)",
        )
    if newest is None or newest <= after + TOLERANCE:
        return None
    return (
        f"{own}, and the database has times up to {newest:%Y-%m-%d %H:%M:%S}",
        "set the clock by NTP (timedatectl set-ntp true), or if it is right run `newscrawl db prune`",
    )


def check_clock(connection: Connection) -> None:
    """Raises WrongClock if this machine's clock is more than `TOLERANCE` off the database's; on SQLite, if it is more
    than that behind the newest stored time."""
    is_server = connection.dialect.name == "postgresql"
    before = datetime.now(UTC)
    stated, newest = (time_of(connection), None) if is_server else (None, newest_time(connection))
    if wrong := compare_clocks(before, datetime.now(UTC), stated, newest):
        raise WrongClock(": ".join(wrong))
