"""How far each archive has been ingested. This is written in the transaction that stores the pages, so that a kill
neither loses a page nor stores one twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, select

from newscrawl.storage.engine.sql import RowMapping, rows_among, upsert
from newscrawl.storage.tables.operations import ingests


@dataclass(frozen=True, slots=True)
class InputProgress:
    """Progress in an input: the part from byte `span_start` to record `record_number` of the gzip member at
    `member_offset` is done.

    `broken` counts records of the part that could not be read completely. `file_mtime_ns` is the modification time of
    the file in nanoseconds since 1970, None for an input that is no file.
    """

    input_key: str
    span_start: int
    member_offset: int
    record_number: int
    broken: int = 0
    file_mtime_ns: int | None = None


MARK: Final = RowMapping(InputProgress)


def mark(connection: Connection, marks: Sequence[InputProgress], now: datetime) -> None:
    """Stores the progress of inputs, of which each has one mark."""
    rows = [MARK.values(one) | {"updated": now} for one in marks]
    upsert(connection, ingests, ["input_key", "span_start"], rows)


def done(connection: Connection, key: str) -> Mapping[int, InputProgress]:
    """Returns the progress of an input, by the start of the span."""
    rows = connection.execute(select(ingests).where(ingests.c.input_key == key))
    return {row.span_start: MARK.read(row) for row in rows}


def done_of(connection: Connection, keys: Sequence[str]) -> Mapping[str, InputProgress]:
    """Returns the progress of inputs that have one span, by key. Inputs without progress are left out."""
    query = select(ingests).where(ingests.c.span_start == 0)
    return {row.input_key: MARK.read(row) for row in rows_among(connection, query, ingests.c.input_key, keys)}


def forget(connection: Connection, key: str) -> None:
    """Removes the progress of an input, so that it is ingested again."""
    connection.execute(delete(ingests).where(ingests.c.input_key == key))
