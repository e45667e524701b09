"""`newscrawl.batch.extract_span`: extracts a part of a WARC file into a table, without a database.

The part is read and extracted by the worker of `newscrawl ingest` and `newscrawl reextract` (newscrawl.ingest.worker),
with the same limits. So the results are the same, and a page that hangs or kills its worker costs only itself.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from newscrawl.archive.stores.object_address import is_object_store
from newscrawl.archive.warc import RecordPosition, is_gzip
from newscrawl.article import ArticleOptions
from newscrawl.batch.span_table import arrow, bad_row, page_row, table
from newscrawl.errors import ArchiveError, UsageError, os_reason
from newscrawl.ingest.inputs import InputSpan
from newscrawl.ingest.pages import Clock, PageFilter
from newscrawl.ingest.worker import Plan, SpanJob, open_input
from newscrawl.ingest.worker_pool import WorkerPool
from newscrawl.processes import MIN_MEMORY_MB

if TYPE_CHECKING:
    import pyarrow as pa

logger = logging.getLogger(__name__)

BATCH: Final = 50
"""Pages that a worker sends together. If it is killed, those that it has not sent are extracted again."""


@dataclass(frozen=True, slots=True)
class SpanOptions:
    """Everything that decides the result of a span, besides the bytes of the file and the version of newscrawl.

    Records dated after `as_of` (aware) are refused, and so are dates of a page after the time of its fetch. `article`
    says how pages become articles, `of_sites` the same for sites that differ, by name. `wanted` selects pages and names
    their sites. A page may take `timeout` seconds, its worker `memory_mb` MB, and its body `max_body` bytes.
    """

    as_of: datetime
    article: ArticleOptions = field(default_factory=ArticleOptions)
    of_sites: Mapping[str, ArticleOptions] = field(default_factory=dict)
    wanted: PageFilter = field(default_factory=PageFilter)
    timeout: float = 20.0
    memory_mb: int = 2048
    max_body: int = 10 << 20

    def check(self) -> None:
        """Raises ValueError for impossible values, and the errors of ArticleOptions.resolve."""
        if self.as_of.tzinfo is None:
            raise ValueError(f"as_of={self.as_of} has no time zone: give an aware time")
        if self.timeout <= 0 or self.memory_mb < MIN_MEMORY_MB or self.max_body < 1:
            raise ValueError(
                f"timeout={self.timeout}, memory_mb={self.memory_mb}, max_body={self.max_body}: give more than 0 "
                f"seconds, {MIN_MEMORY_MB} MB or more, and 1 byte or more"
            )
        for options in (self.article, *self.of_sites.values()):
            options.resolve()

    @property
    def plan(self) -> Plan:
        """The part of the options that the worker needs."""
        clock = Clock(self.as_of.astimezone(UTC))
        memory = self.memory_mb << 20
        return Plan(self.article, self.wanted, BATCH, self.max_body, memory, clock, of_sites=self.of_sites)


def extract_span(url: str | os.PathLike[str], offset: int, length: int, options: SpanOptions) -> pa.Table:
    """Extracts the pages whose records begin at byte `offset` of a WARC file or later, and before `offset + length`, in
    a process of its own. Returns one row for each page, and for each record that should have given one
    (`span_table.MEANINGS` has the columns).

    `url` is a path, or the address of an object (s3://BUCKET/KEY, with the extra `s3`). Spans that follow each other
    give each record once; only the `reason` of one that cannot be read may depend on how the file is divided. A file
    that is not compressed must be divided at its records, because a page may contain what looks like one. Nothing but
    the file is read and nothing is written, so the same call gives the same rows.

    Raises UsageError for a file that cannot be read, ArchiveError for an object store that does not answer, ValueError
    for an impossible span or option, and WorkerDied if no process can be kept running.
    """
    arrow()
    options.check()
    file = os.fspath(url)
    span = _span(file, offset, length)
    rows: list[dict[str, Any]] = []
    if span.start.offset < span.stop:
        with WorkerPool(options.plan, 1, options.timeout) as workers:
            workers.give(SpanJob(span))
            while workers.busy():
                for _, batch in workers.answers():
                    if batch.error is not None:
                        raise ArchiveError(batch.error)
                    for defect in batch.defects:
                        logger.error("%s", defect)
                    rows += [page_row(file, *found) for found in zip(batch.places, batch.pages, strict=True)]
                    rows += [bad_row(file, record) for record in batch.bad]
    return table(rows)


def _span(file: str, offset: int, length: int) -> InputSpan:
    if offset < 0 or length < 0:
        raise ValueError(f"offset={offset}, length={length}: give 0 or more")
    if "://" in file and not is_object_store(file):
        raise UsageError(f"cannot read {file}: give a path or s3://BUCKET/KEY")
    try:
        with open_input(file) as opened:
            size = opened.seek(0, os.SEEK_END)
            is_compressed = is_gzip(opened)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {os_reason(error)}") from error
    stop = min(size, offset + length)
    return InputSpan(file, "warc", file, offset, RecordPosition(offset), stop, offset == 0 or not is_compressed)
