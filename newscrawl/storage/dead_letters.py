"""Items that the database refused, stored with their error so that they are not lost and can be inspected."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from newscrawl.model import ProcessedPage
from newscrawl.storage.engine.database import one_line
from newscrawl.storage.tables.operations import dead_letters


def keep(connection: Connection, page: ProcessedPage, error: BaseException, now: datetime) -> str:
    """Stores the item (without a body) and the reason of the refusal; returns that reason.

    The row can be written whatever is wrong with the item: every value is cleaned and cut text, or a `repr`.
    """
    reason = f"{type(error).__name__}: {one_line(error)}"
    connection.execute(
        dead_letters.insert().values(
            url=str(page.raw.url), site=str(page.raw.site), at=now, error=reason, payload=_plain(page)
        )
    )
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
