"""Only storage and reports use the database: other packages name its functions and pass its connections on.

mypy does the rest: it compares the arguments of every call of `run` with the parameters of the function that runs.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
INSIDE = ("newscrawl/storage", "newscrawl/reports", "newscrawl/testing")
"""Storage, reports, and the databases of users' tests."""
INDEXES = ("newscrawl/publishing/search/postgresql.py", "newscrawl/publishing/search/sqlite.py")
"""Full-text indexes: tables, connections, transactions of their own, behind newscrawl.publishing.search.index.Index."""
SQL = re.compile(
    r"\.(?:execute|executemany|exec_driver_sql|scalars?|begin_nested|commit|rollback)\("
    r"|^\s*(?:import|from) (?:sqlalchemy|alembic|psycopg|sqlite3)\b",
    re.MULTILINE,
)
"""What speaks SQL: a method of a connection, or its driver."""


def speakers() -> set[str]:
    """The modules that speak SQL, by their paths."""
    paths = [path for room in ("newscrawl", "pipelines", "settings", "spiders") for path in (ROOT / room).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix() for path in paths if SQL.search(path.read_text(encoding="utf-8"))}


def test_nothing_outside_storage_speaks_sql() -> None:
    found = speakers()
    assert "newscrawl/storage/articles/apply.py" in found
    assert {path for path in found if not path.startswith(INSIDE)} == {*INDEXES}


@pytest.mark.parametrize(
    "source",
    [
        "from sqlalchemy import select",
        "def look() -> None:\n    import sqlite3",
        "with store.reading() as view:\n    view.execute('SELECT 1')",
        "store.run(lambda connection: connection.execute('SELECT 1'))",
        "def look(c: Connection) -> None:\n    c.commit()",
    ],
)
def test_what_speaks_sql_is_found(source: str) -> None:
    assert SQL.search(source)
