"""What is remembered of each host between runs: its pace, its refusals, its robots.txt."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, datetime

from sqlalchemy import Connection, select

from newscrawl.storage.schema import hosts
from newscrawl.storage.upsert import upsert


@dataclass(frozen=True, slots=True)
class HostRow:
    """`key` is scheme://host:port, or `domain:` and a registrable domain for its pace. `delay` is in seconds;
    `not_before` ends a pause the host asked for."""

    key: str
    last_request_at: datetime | None = None
    delay: float | None = None
    not_before: datetime | None = None
    failures: int = 0
    robots_body: bytes | None = None
    robots_status: int | None = None
    robots_fetched_at: datetime | None = None
    day: date | None = None
    requests_today: int = 0


def load(connection: Connection, key: str) -> HostRow | None:
    """The host's row, None for a host never asked."""
    row = connection.execute(select(hosts).where(hosts.c.key == key)).one_or_none()
    return HostRow(**row._asdict()) if row is not None else None


def save(connection: Connection, host: HostRow) -> None:
    """Writes the host's row over whatever was there."""
    upsert(connection, hosts, ["key"], [asdict(host)])
