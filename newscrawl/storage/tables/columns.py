"""The common parts of all tables: the MetaData, types of columns, and the greatest lengths. docs/reference/tables.md
explains each column.

Transactions that write do so one after the other (engine.transactions.begin_write). Every rule that must always hold is
a unique key as well: one URL row and one page for each URL key, one article for each identity, one version for each
page and article.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    MetaData,
    text,
)

from newscrawl.storage.engine.types import CleanText, Code

URL_LIMIT: Final = 4_096
"""Characters of a URL; nearly twice the limit of newscrawl.identity."""
NAME_LIMIT: Final = 200
PATTERN_LIMIT: Final = 400
"""Characters of a URL pattern. newscrawl.identity.patterns makes none longer."""
LINE_LIMIT: Final = 2_000
"""Characters of a title, a reason, a description: a line or a short paragraph."""
SAMPLE_LIMIT: Final = 2_000
ENTRY_LIMIT: Final = 20_000
"""Characters of the text of an entry of a live report."""
TEXT_LIMIT: Final = 2_000_000
"""Characters of a text. No news article is this long (War and Peace has 3.2 million characters): a longer text is an
error or an attack."""

Id = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def key_type() -> Code:
    """The type of a URL key."""
    return Code(URL_LIMIT)


def line_type() -> CleanText:
    """The type of a title, a reason, a description."""
    return CleanText(LINE_LIMIT)


def name_type() -> CleanText:
    """The type of a name, as that of a site."""
    return CleanText(NAME_LIMIT)


def url_type() -> CleanText:
    """The type of a URL."""
    return CleanText(URL_LIMIT)


def condition_on(condition: str) -> dict[str, Any]:
    """The condition of a partial index, on both databases."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def id_column() -> Column[Any]:
    """A row's number, which the database gives."""
    return Column("id", Id, primary_key=True, autoincrement=True)
