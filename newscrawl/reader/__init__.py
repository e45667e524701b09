"""Reads a database for programs: articles, pages, their history, stories, and search, as frozen values.

In here: `reader` has `newscrawl.open`. Not in here: the queries (`newscrawl.reports`, `newscrawl.search`), SQL for
analysts (docs/how-to/sql.md). Start with `reader`.

Only the package `newscrawl` itself imports this package.
"""

from __future__ import annotations

from newscrawl.reader.reader import Reader, open  # noqa: A004  as gzip.open

__all__ = ["Reader", "open"]
