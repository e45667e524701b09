"""Extraction of many pages by programs, in worker processes with limits, without a database.

In here: `many` has `extract_many`, which gives a result for each page, in order; `page_input` reads a page from bytes,
text or a file; `worker` is the process that extracts. Not in here: ingest, which stores the pages of archives
(`newscrawl.ingest`). Start with `many`.

Only `newscrawl.cli` and the package `newscrawl` itself import this package.
"""

from __future__ import annotations

from newscrawl.batch.many import PageResult, extract_many

__all__ = ["PageResult", "extract_many"]
