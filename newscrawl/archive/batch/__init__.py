"""Extraction of many pages in worker processes with limits, by programs, and by `newscrawl batch`.

In here:

    many              `extract_many`: a result for each page (bytes, text or a file), in order
    spans             `extract_span`: a table of a part of a WARC file
    span_table        the schema of that table
    digest            the digest of all that decides its rows
    planning          divides files into spans
    parts             writes the table of a span as a Parquet file, a part
    manifest          the state of every span
    run               makes all parts of a batch, with the processes of this machine
    cluster           makes them on other machines
    load              stores the rows of parts in the database
    part_names        tells parts from archives by their names

Not in here: ingest, which stores the pages of archives (`newscrawl.archive.ingest`), the worker that reads spans
(`newscrawl.archive.ingest.worker`), and the places where parts are kept (`newscrawl.archive.places`). Start with `many`
or `run`.

Only `newscrawl.cli`, `newscrawl.archive.reextract` and the doors for users (`newscrawl`, `newscrawl.batch`) import this
package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.archive.batch.digest import digest_of
    from newscrawl.archive.batch.spans import SpanOptions, extract_span

__all__ = ["SpanOptions", "digest_of", "extract_span"]

__getattr__ = loaded_when_used(__name__, {"SpanOptions": "spans", "digest_of": "digest", "extract_span": "spans"})
