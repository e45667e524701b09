"""Extraction of many pages by programs, in worker processes with limits, without a database.

In here: `many` has `extract_many`, which gives a result for each page, in order; `page_input` reads a page from bytes,
text or a file; `worker` is the process that extracts; `spans` has `extract_span`, which gives a table of a part of a
WARC file; `span_table` is its schema; `digest` is the digest of what decides its rows. Not in here: ingest, which
stores the pages of archives (`newscrawl.ingest`), and the worker that reads spans (`newscrawl.ingest.worker`). Start
with `many`.

Only `newscrawl.cli` and the package `newscrawl` itself import this package.
"""

from __future__ import annotations

from newscrawl.batch.digest import digest_of
from newscrawl.batch.many import PageResult, extract_many
from newscrawl.batch.spans import SpanOptions, extract_span

__all__ = ["PageResult", "SpanOptions", "digest_of", "extract_many", "extract_span"]
