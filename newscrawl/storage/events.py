"""What happened to each address, for `newscrawl why`, which shows the newest `KEEP` events of an address. The upkeep of
the database removes older ones (crawling.upkeep.database_upkeep).

An item that the database refuses is a dead letter: an event with the item and the error, so that it is not lost and can
be inspected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from newscrawl.errors import InvalidUrl
from newscrawl.model import ProcessedPage
from newscrawl.model.identity import url_key
from newscrawl.storage.articles.rows import EVENT
from newscrawl.storage.engine.database import one_line
from newscrawl.storage.engine.sql import chunks, insert_all
from newscrawl.storage.records import Event
from newscrawl.storage.tables.operations import events

KEEP: Final = 20
OPERATOR: Final = "site:"
"""Begins the key of events that operators caused on the pages of `newscrawl web`. They belong to a site, or to the
whole fleet (`alarms.FLEET`) if they are about feeds of more than a site or new sites. No URL key begins so."""
DEAD_LETTER: Final = "stored/dead_letter"


def record_all(connection: Connection, new: Sequence[Event]) -> None:
    """Adds events in their order."""
    insert_all(connection, events, [EVENT.values(event) for event in new])


def record_act(connection: Connection, site: str, kind: str, who: str, did: str, now: datetime) -> None:
    """Records what an operator did with a site. `kind` is a slash-name, `did` the equal command."""
    record_all(connection, [Event(f"{OPERATOR}{site}", "", site, now, kind, f"{who}: {did}")])


def acts(connection: Connection, site: str) -> Sequence[Event]:
    """Returns what operators did with a site, as far as it is kept; the newest first."""
    return tuple(reversed(load_urls(connection, [f"{OPERATOR}{site}"])))


def record_dead_letter(connection: Connection, page: ProcessedPage, error: BaseException, now: datetime) -> str:
    """Stores the item (without a body) and the reason of the refusal; returns that reason.

    The row can be written whatever is wrong with the item: every value is cleaned and cut text, or a `repr`.
    """
    reason, url = f"{type(error).__name__}: {one_line(error)}", str(page.raw.url)
    try:
        key = url_key(url)
    except InvalidUrl:
        key = ""
    event = EVENT.values(Event(key, url, str(page.raw.site), now, DEAD_LETTER, reason))
    connection.execute(events.insert().values(**event, payload=_plain(page)))
    return reason


def _plain(value: Any) -> Any:
    """The value with dataclasses as mappings and bytes as their length; CleanJson converts the rest."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return value


def load_urls(connection: Connection, keys: Iterable[str]) -> list[Event]:
    """Returns the newest `KEEP` events of each of the URLs, oldest first."""
    rows: list[Row[Any]] = []
    for chunk in chunks(sorted(set(keys))):
        mine = select(events.c.id, *(events.c[name] for name in EVENT.columns), _rank())
        ranked = mine.where(events.c.url_key.in_(chunk)).subquery()
        rows += connection.execute(select(ranked).where(ranked.c.rank <= KEEP)).all()
    return [EVENT.read(row) for row in sorted(rows, key=lambda row: int(row.id))]


def surplus(connection: Connection, limit: int) -> Sequence[int]:
    """Returns the ids of at most `limit` events that `KEEP` newer ones of their address follow. Dead letters are no
    surplus: only their age ends them (newscrawl.storage.removal.retention)."""
    many = select(events.c.url_key).group_by(events.c.url_key).having(func.count() > KEEP)
    ranked = select(events.c.id, events.c.kind, _rank()).where(events.c.url_key.in_(many)).subquery()
    query = select(ranked.c.id).where(ranked.c.rank > KEEP, ranked.c.kind != DEAD_LETTER)
    return connection.execute(query.order_by(ranked.c.id).limit(limit)).scalars().all()


def _rank() -> Any:
    """The column `rank`: 1 for the newest event of an address, 2 for the one before."""
    return func.row_number().over(partition_by=events.c.url_key, order_by=events.c.id.desc()).label("rank")
