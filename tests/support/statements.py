"""SQL statements that SQLAlchemy compiled for one SQLite database are used for every other one of this process.

An engine has a cache of its own, and a test a database of its own. Compiling the same statements again took two thirds
of the CPU of a test that stores a few pages. Engines of SQLite differ by their file only.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite as Dialect
from sqlalchemy.util import LRUCache

STATEMENTS: Final = 5_000
"""So many are kept: more than all tests compile."""
OWN: Final = "newscrawl_own_cache"

_compiled: Final[LRUCache[Any, Any]] = LRUCache(STATEMENTS)


def install() -> None:
    """Every SQLite engine of this process, and of what it forks, uses the one cache. Its keys hold the dialect."""
    Dialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    Dialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
    Engine._compiled_cache = property(_cache, lambda engine, cache: vars(engine).update({OWN: cache}))  # type: ignore[assignment]


def _cache(engine: Engine) -> Any:
    return _compiled if type(engine.dialect) is Dialect else vars(engine)[OWN]
