"""`newscrawl.archive.batch.extract_span`: extracts a part of a WARC file into a table, without a database.

The part is read and extracted by the worker of `newscrawl ingest` and `newscrawl reextract`
(newscrawl.archive.ingest.worker), with the same limits. So the results are the same, and a page that hangs or kills its
worker affects no other.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from newscrawl.archive.batch.span_table import arrow, bad_row, page_row, table
from newscrawl.archive.ingest.crew import LocalCrew
from newscrawl.archive.ingest.inputs import InputSpan
from newscrawl.archive.ingest.pages import PageFilter
from newscrawl.archive.ingest.worker import Batch, Settings, SpanJob
from newscrawl.archive.warc import RecordPosition, is_gzip
from newscrawl.archive.web_files import PUBLIC, is_remote, open_input, without_query
from newscrawl.errors import ArchiveError, UsageError, os_reason
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import ProcessedPage
from newscrawl.model.address_policy import AddressPolicy
from newscrawl.workers.processes import MIN_MEMORY_MB

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
    their sites. With `languages`, articles in other languages are left out; they are language tags, and "pt" includes
    "pt-BR". A page may take `timeout` seconds, its worker `memory_mb` MB, and its body `max_body` bytes.

    `addresses` decides no result: the network addresses to which a reader of an http(s) file may connect.
    """

    as_of: datetime
    article: ArticleOptions = field(default_factory=ArticleOptions)
    of_sites: Mapping[str, ArticleOptions] = field(default_factory=dict)
    wanted: PageFilter = field(default_factory=PageFilter)
    timeout: float = 20.0
    memory_mb: int = 2048
    max_body: int = 10 << 20
    languages: frozenset[str] = frozenset()
    addresses: AddressPolicy = PUBLIC

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

    def settings(self, workers: int = 1) -> Settings:
        """Returns the settings of so many workers."""
        return Settings(
            self.article,
            self.wanted,
            workers,
            BATCH,
            self.timeout,
            self.memory_mb << 20,
            self.max_body,
            of_sites=self.of_sites,
            now=self.as_of.astimezone(UTC),
            addresses=self.addresses,
        )

    @classmethod
    def of(cls, settings: Settings, as_of: datetime, **others: Any) -> SpanOptions:
        """Returns the options that give the rows of an ingest with these settings at the time `as_of`."""
        common = (settings.options, settings.of_sites, settings.wanted)
        return cls(as_of, *common, settings.timeout, settings.memory >> 20, settings.max_body, **others)

    def takes(self, page: ProcessedPage) -> bool:
        """Returns whether the page is in one of `languages`. Pages without an article are."""
        return is_in_languages(page, self.languages)


def is_in_languages(page: ProcessedPage, languages: frozenset[str]) -> bool:
    """Returns whether the page is in one of the languages. Every page is in those of an empty set, and a page without
    an article is in those of any."""
    if not languages or page.article is None:
        return True
    language = (page.article.metadata.language or "").lower()
    return any(language == tag or language.startswith(f"{tag}-") for tag in map(str.lower, languages))


def extract_span(
    url: str | os.PathLike[str], offset: int, length: int, options: SpanOptions, workers: LocalCrew | None = None
) -> pa.Table:
    """Extracts the pages whose records begin at byte `offset` of a WARC file or later, and before `offset + length`, in
    a process of its own. Returns one row for each page, and for each record that should have given one
    (`span_table.MEANINGS` has the columns).

    `url` is a path, the address of an object (s3://BUCKET/KEY, with the extra `s3`), or an http(s) address of a server
    that serves ranges. Spans that follow each other give each record once, and damaged bytes are one row in each span
    that may lack records because of them. A file that is not compressed must be divided at its records, because a page
    may contain what looks like one. Nothing but the file is read and nothing is written, so the same call gives the
    same rows.

    `workers` are idle processes with these options, for callers that extract many spans.

    Raises UsageError for a file that cannot be read, ArchiveError for a server that does not answer, ValueError for an
    impossible span or option, and WorkerDied if no process can be kept running.
    """
    arrow()
    options.check()
    file = os.fspath(url)
    span = _span(file, offset, length, options.addresses)
    gathered = SpanRows(shown(file))
    if span.start.offset < span.stop:
        own = LocalCrew(options.settings())
        with own if workers is None else nullcontext(workers) as crew:
            crew.give(SpanJob(span))
            while crew.is_busy():
                for _, batch in crew.done():
                    gathered.add(batch, options)
    return gathered.table()


def shown(file: str) -> str:
    """Returns a file as rows, manifests and messages name it: an address without its query, which may be a secret."""
    return without_query(file) if is_remote(file) else file


@dataclass(slots=True)
class SpanRows:
    """The rows of a span, while its batches arrive. `file` is the name of the file in the rows."""

    file: str
    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(self, batch: Batch, options: SpanOptions) -> None:
        """Adds a batch; logs the defects of newscrawl. Raises ArchiveError if the file could not be read further."""
        if batch.error is not None:
            raise ArchiveError(batch.error)
        for defect in batch.defects:
            logger.error("%s", defect)
        found = ((place, page) for place, page in zip(batch.places, batch.pages, strict=True) if options.takes(page))
        self.rows += [page_row(self.file, place, page) for place, page in found]
        self.rows += [bad_row(self.file, place, record) for place, record in batch.bad]

    def table(self) -> pa.Table:
        """Returns the rows as a table."""
        return table(self.rows)


def _span(file: str, offset: int, length: int, policy: AddressPolicy) -> InputSpan:
    if offset < 0 or length < 0:
        raise ValueError(f"offset={offset}, length={length}: give 0 or more")
    if "://" in file and not is_remote(file):
        raise UsageError(f"cannot read {file}: give a path, s3://BUCKET/KEY or an http(s) address")
    try:
        with open_input(file, policy) as opened:
            size = opened.seek(0, os.SEEK_END)
            is_compressed = is_gzip(opened)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {os_reason(error)}") from error
    return span_of(file, offset, min(size, offset + length), is_compressed=is_compressed)


def span_of(file: str, offset: int, stop: int, *, is_compressed: bool) -> InputSpan:
    """Returns a span of a WARC file, of the records that begin at byte `offset` or later and before `stop`."""
    return InputSpan(file, "warc", file, offset, RecordPosition(offset), stop, offset == 0 or not is_compressed)
