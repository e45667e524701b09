"""What all tables share: the MetaData, the greatest lengths, and column types that can store any value and read it back
(aware times, text without NUL, JSON of limited size). docs/reference/tables.md explains each column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

from sqlalchemy import JSON, BigInteger, Column, DateTime, Dialect, Index, Integer, MetaData, String, Text, text
from sqlalchemy.types import TypeDecorator

URL_LIMIT: Final = 4_096
"""Characters of a URL; nearly twice the limit of newscrawl.model.identity."""
NAME_LIMIT: Final = 200
PATTERN_LIMIT: Final = 400
"""Characters of a URL pattern. newscrawl.model.identity.patterns makes none longer."""
LINE_LIMIT: Final = 2_000
"""Characters of a title, a reason, a description: a line or a short paragraph."""
SAMPLE_LIMIT: Final = 20_000
"""Characters of a sample as JSON: a site has at most 50 hints, and each has a label of its own in it."""
ENTRY_LIMIT: Final = 20_000
"""Characters of the text of an entry of a live report."""
TEXT_LIMIT: Final = 2_000_000
"""Characters of a text. No news article is this long (War and Peace has 3.2 million characters): a longer text is an
error or an attack."""

TRUNCATED: Final = " …[truncated]"
"""The end of a text that was cut."""

MAX_LIST: Final = 1_000
"""Items kept of a JSON list. A longer list in a page's metadata is not plausible."""

MAX_DEPTH: Final = 20


def clean_text(text: str, limit: int) -> str:
    """Returns the text without NUL, which PostgreSQL refuses, and without lone surrogates, which UTF-8 cannot encode;
    at most `limit` characters, with a cut marked by `TRUNCATED`."""
    text = text.replace("\0", "").encode("utf-8", "ignore").decode()
    return text if len(text) <= limit else text[: limit - len(TRUNCATED)] + TRUNCATED


def is_cut(text: str, limit: int) -> bool:
    """Returns whether a stored text was cut at this limit by `clean_text`."""
    return len(text) == limit and text.endswith(TRUNCATED)


def clean_json(value: Any, limit: int, depth: int = MAX_DEPTH) -> Any:
    """Returns a value that every database stores as JSON: strings cleaned and cut, lists cut, no NaN.

    A value of another type is replaced by its `repr`, so that a dead letter can always be written.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean_text(value, limit)
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)[:limit]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return value.isoformat()
    if depth and isinstance(value, Mapping):
        return {clean_text(str(k), limit): clean_json(v, limit, depth - 1) for k, v in list(value.items())[:MAX_LIST]}
    if depth and isinstance(value, list | tuple | set | frozenset):
        return [clean_json(item, limit, depth - 1) for item in list(value)[:MAX_LIST]]
    return clean_text(repr(value), limit)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC. Raises ValueError for a naive one, which is an error of the caller."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive datetime {value!r}: storage takes aware datetimes only")
        value = value.astimezone(UTC)
        # SQLite has no zones: its texts are UTC by convention, so they sort by time.
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class CleanText(TypeDecorator[str]):
    """Text of at most `limit` characters, see `clean_text`."""

    impl = Text
    cache_ok = True

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str):
            raise TypeError(f"expected text, got {type(value).__name__}")
        return clean_text(value, self.limit)


class Code(TypeDecorator[str]):
    """A short text made by newscrawl: a key, a hash, a state. It is never cut. Raises ValueError for a text that is too
    long: PostgreSQL refuses it anyway, SQLite would not."""

    impl = String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.limit = length

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is not None and len(value) > self.limit:
            raise ValueError(f"{value[:40]!r}... has {len(value)} characters, at most {self.limit} can be stored")
        return value


class CleanJson(TypeDecorator[Any]):
    """JSON whose strings are at most `limit` characters, see `clean_json`; None is SQL's NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return clean_json(value, self.limit)


KEY: Final = Code(URL_LIMIT)
"""The type of a URL key."""
LINE: Final = CleanText(LINE_LIMIT)
"""The type of a title, a reason, a description."""
NAME: Final = CleanText(NAME_LIMIT)
"""The type of a name, as that of a site."""
URL: Final = CleanText(URL_LIMIT)
"""The type of a URL."""
Id = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class PartialIndex(Index):
    """An index of the rows for which a condition holds. Its options load the dialects of both databases, so they are
    made on first use: only what creates or compares tables reads them."""

    def __init__(self, name: str, *columns: str, condition: str, unique: bool = False) -> None:
        super().__init__(name, *columns, unique=unique)
        self.condition = condition

    @cached_property
    def dialect_options(self) -> Any:
        options = super().dialect_options
        for database in ("sqlite", "postgresql"):
            options[database]["where"] = text(self.condition)
        return options


def id_column() -> Column[Any]:
    """A row's number, which the database gives."""
    return Column("id", Id, primary_key=True, autoincrement=True)
