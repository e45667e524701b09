"""The work of a worker process: reads its part of the input, extracts, and returns finished pages in batches.

Passing pages to workers one by one would cost half as much time as their extraction. Workers that read the input avoid
this, and return a tenth of the bytes. A worker marks each record before it reads it. If it hangs or dies there, the
rest of the span is given out again, and that record is read but not extracted; after a second death it is not read
either.

The digests that a WARC record states of its block and of its payload are checked (ISO 28500, 5.8 and 5.9).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from newscrawl.archive.ingest.inputs import InputSpan
from newscrawl.archive.ingest.pages import (
    BROKEN,
    LOST,
    MISMATCH,
    TRUNCATED,
    UNDATED,
    UNREADABLE,
    UNWANTED,
    PageFilter,
    Skipped,
    page_of_archived,
    page_of_file,
    page_of_record,
)
from newscrawl.archive.read import payloads
from newscrawl.archive.warc import BrokenRecord, Record, RecordPosition, records
from newscrawl.archive.web_files import PUBLIC, open_input
from newscrawl.errors import ArchiveError, UsageError
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.model import AFTER_DOWNLOAD, Failure, ProcessedPage, RawPage
from newscrawl.model.address_policy import AddressPolicy
from newscrawl.workers.extraction_worker import Work, mark, process_page

BATCH_SECONDS: Final = 1.0
"""Seconds after which a batch is sent, full or not. The work of an unsent batch is lost if the process is killed."""
_RECORD_OVERHEAD: Final = 1 << 16
"""Bytes of HTTP headers that a block may have besides its body."""


BAD: Final = frozenset({BROKEN, TRUNCATED, UNREADABLE})
"""Counters of WARC records and files that should have given a page."""
KILLED: Final = "reading it killed a worker"


@dataclass(frozen=True, slots=True)
class SpanJob:
    """A span to process, of at most `limit` pages. `skipped` are records that killed a worker, each with its failure:
    they are read and not extracted. `unreadable` are records whose reading killed a worker."""

    span: InputSpan
    skipped: Mapping[RecordPosition, Failure] = field(default_factory=dict)
    unreadable: frozenset[RecordPosition] = frozenset()
    limit: int | None = None

    def after(self, batch: Batch) -> SpanJob:
        """Returns what is left to do after a batch."""
        span, reached = self.span, batch.reached
        left = None if self.limit is None else self.limit - len(batch.pages)
        return replace(self, span=replace(span, start=reached, known=span.known or reached != span.start), limit=left)

    def without(self, place: RecordPosition, failure: Failure) -> SpanJob:
        """Returns the job without the record that killed a worker by `failure`."""
        if place in self.skipped:
            return replace(self, unreadable=self.unreadable | {place})
        return replace(self, skipped={**self.skipped, place: failure})


@dataclass(frozen=True, slots=True)
class Batch:
    """Finished pages, skipped records and defects, and how far the span is done with them."""

    pages: tuple[ProcessedPage, ...]
    skipped: Mapping[str, int]
    reached: RecordPosition
    finished: bool
    defects: tuple[str, ...] = ()
    noted: Mapping[str, int] = field(default_factory=dict)
    """Counts of anomalies in the batch's pages, by counter."""
    places: tuple[RecordPosition, ...] = ()
    """Where each of the pages is."""
    bad: tuple[tuple[RecordPosition, Skipped], ...] = ()
    """The skipped records that should have given a page, with their places."""
    error: str | None = None
    """Why the input cannot be read any further: a server does not answer. It is the last batch then."""


@dataclass(frozen=True)
class Settings:
    """The settings of an ingest, and of all its jobs. `timeout` is in seconds for one page, `memory` and `max_body` are
    in bytes. `of_sites` are the options of sites that differ from the default. `now` is the begin of the ingest.

    `work` is the function that processes a page; it must be a module-level function. `addresses` are the network
    addresses of files on web servers.
    """

    options: ArticleOptions
    wanted: PageFilter = field(default_factory=PageFilter)
    workers: int = 1
    batch_size: int = 50
    timeout: float = 20.0
    memory: int = 2048 << 20
    max_body: int = 10 << 20
    limit: int | None = None
    work: Work = make_article
    of_sites: Mapping[str, ArticleOptions] = field(default_factory=dict)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    addresses: AddressPolicy = PUBLIC

    def options_of(self, site: str | None) -> ArticleOptions:
        """Returns the options for a page of the site."""
        return self.of_sites.get(site or "", self.options)


def work(settings: Settings, job: SpanJob) -> Generator[Batch]:
    """Yields the job's pages in batches; the last one is marked as finished. A job whose input cannot be read ends with
    a batch that contains the error. It runs in a worker."""
    try:
        yield from _batches(job, settings)
    except (ArchiveError, UsageError) as error:
        mark(None)
        yield Batch((), {}, job.span.start, True, error=str(error))


def _batches(job: SpanJob, settings: Settings) -> Iterator[Batch]:
    gathered = _Gathered(settings.batch_size)
    done = 0
    reached = job.span.start
    for item, place, reached in _items(job, settings, gathered.noted):
        finished = item if isinstance(item, Skipped) else _finished(item, settings, gathered.defects)
        if isinstance(finished, ProcessedPage) and isinstance(item, RawPage) and job.span.kind == "folder":
            finished = _credibly_dated(finished, item, settings, gathered.defects)
        if isinstance(finished, Skipped):
            gathered.skipped[finished.kind] += 1
            if finished.kind in BAD:
                gathered.bad.append((place, finished))
        else:
            gathered.pages.append(finished)
            gathered.places.append(place)
            gathered.noted[UNDATED] += finished.raw.undated
            done += 1
        is_enough = job.limit is not None and done >= job.limit
        if is_enough or gathered.is_full():
            mark(None)
            yield gathered.taken(reached, finished=is_enough)
        if is_enough:
            return
    mark(None)
    yield gathered.taken(max(reached, RecordPosition(job.span.stop)), finished=True)


class _Gathered:
    """The batch that is being filled."""

    def __init__(self, size: int) -> None:
        self.pages: list[ProcessedPage] = []
        self.skipped: Counter[str] = Counter()
        self.defects: list[str] = []
        self.noted: Counter[str] = Counter()
        self.places: list[RecordPosition] = []
        self.bad: list[tuple[RecordPosition, Skipped]] = []
        self._size = size
        self._began = time.monotonic()

    def is_full(self) -> bool:
        waiting = self.pages or self.skipped
        return len(self.pages) >= self._size or bool(waiting and time.monotonic() - self._began > BATCH_SECONDS)

    def taken(self, reached: RecordPosition, *, finished: bool) -> Batch:
        """Returns the batch and begins the next."""
        noted = {kind: number for kind, number in self.noted.items() if number}
        where, bad = tuple(self.places), tuple(self.bad)
        batch = Batch(tuple(self.pages), dict(self.skipped), reached, finished, tuple(self.defects), noted, where, bad)
        for gathered in (self.pages, self.skipped, self.defects, self.noted, self.places, self.bad):
            gathered.clear()
        self._began = time.monotonic()
        return batch


def _items(
    job: SpanJob, settings: Settings, noted: Counter[str]
) -> Iterator[tuple[RawPage | ProcessedPage | Skipped, RecordPosition, RecordPosition]]:
    """Yields pages and skipped records, each with its place and the one after it."""
    for item, place, following in _read(job, settings, noted):
        failure = job.skipped.get(place)
        if failure is not None and isinstance(item, RawPage):
            yield ProcessedPage(replace(item, body=None), failure=failure), place, following
        else:
            yield item, place, following


def _read(
    job: SpanJob, settings: Settings, noted: Counter[str]
) -> Iterator[tuple[RawPage | ProcessedPage | Skipped, RecordPosition, RecordPosition]]:
    """Reads the records of the span and marks each of them before."""
    span = job.span
    if span.kind != "warc":
        for number in range(span.start.offset, span.stop):
            place = RecordPosition(number)
            mark(place)
            yield _page_at(place, job, settings), place, RecordPosition(number + 1)
        return
    at: RecordPosition | None = None

    @contextmanager
    def fetching() -> Iterator[None]:
        """A range of a remote file is fetched. That takes no time of a record, and has limits of its own."""
        mark(None)
        yield
        mark(at)

    def entering(place: RecordPosition) -> None:
        nonlocal at
        at = place
        mark(place)
        if place in job.unreadable:
            raise BrokenRecord(KILLED)

    with open_input(span.path, settings.addresses, fetching) as file:
        max_block = settings.max_body + _RECORD_OVERHEAD
        for record in records(file, span.start, span.stop, max_block=max_block, known=span.known, entering=entering):
            item = page_of_record(record, settings.wanted, settings.max_body, settings.now)
            if isinstance(record, Record) and record.block is not None and not isinstance(item, Skipped):
                noted[MISMATCH] += not is_intact(record.headers, record.block)
            yield item, record.place, record.following


def _page_at(place: RecordPosition, job: SpanJob, settings: Settings) -> RawPage | ProcessedPage | Skipped:
    """Returns the page of a file of a folder, or of a capture of newscrawl's own archive."""
    span, number = job.span, place.offset - job.span.origin
    if span.kind == "folder":
        if place in job.unreadable:
            return Skipped(UNREADABLE, KILLED)
        return page_of_file(span.files[number], settings.wanted, settings.max_body, settings.now)
    return Skipped(LOST) if place in job.unreadable else page_of_archived(span.archived[number], settings.max_body)


def _credibly_dated(
    page: ProcessedPage, raw: RawPage, settings: Settings, defects: list[str]
) -> ProcessedPage | Skipped:
    """The page of a file, without the file's time if the page states a later date.

    Dates after the time of the fetch are refused, so a wrong file time would refuse all dates of the page.
    """
    article = page.article
    if raw.undated or article is None:
        return page
    if not any(date.reason == AFTER_DOWNLOAD for date in article.metadata.refused_dates):
        return page
    undated = replace(raw, fetched_at=settings.now, undated=True)
    again = _finished(undated, settings, defects)
    if again.article is None:
        return page
    stated = (again.article.metadata.published, again.article.metadata.modified)
    if not any(date is not None and date.when > raw.fetched_at for date in stated):
        return page
    return again if settings.wanted.bounds(None) else Skipped(UNWANTED)


def _finished(item: RawPage | ProcessedPage, settings: Settings, defects: list[str]) -> ProcessedPage:
    """Extracts the page and computes its identity, as a crawl's pipelines do. An error affects only this page."""
    if isinstance(item, ProcessedPage):
        return item
    page, defect = process_page(settings.work, item, settings.options_of(item.site), settings.memory)
    if defect:
        defects.append(f"extraction of {item.final_url} failed\n{defect}")
    return page


BLOCK: Final = "warc-block-digest"
PAYLOAD: Final = "warc-payload-digest"
ALGORITHMS: Final[Mapping[str, str]] = {
    "md5": "md5",
    "sha1": "sha1",
    "sha-1": "sha1",
    "sha256": "sha256",
    "sha-256": "sha256",
    "sha512": "sha512",
    "sha-512": "sha512",
}
"""Names of algorithms as archivers write them, and Python's names. A digest by another algorithm is not checked."""


def is_intact(headers: Mapping[str, str], block: bytes) -> bool:
    """Returns whether the block has the digest that its record states. `headers` has lower-case names.

    The block's digest decides if there is one, since the block includes the payload. Archivers state the digest of the
    payload as it was sent, without its chunks, or decoded: any of the three is accepted. A record without a digest that
    can be checked counts as intact.
    """
    stated = _stated(headers.get(BLOCK, ""))
    if stated is not None:
        return _digest(stated[0], block) == stated[1]
    stated = _stated(headers.get(PAYLOAD, ""))
    if stated is None:
        return True
    return any(_digest(stated[0], payload) == stated[1] for payload in payloads(block))


def _stated(text: str) -> tuple[str, bytes] | None:
    """The algorithm and the digest; None if they cannot be checked."""
    label, colon, value = text.strip().partition(":")
    algorithm = ALGORITHMS.get(label.strip().lower())
    if not colon or algorithm is None:
        return None
    size = hashlib.new(algorithm, usedforsecurity=False).digest_size
    return next(((algorithm, digest) for digest in _decoded(value.strip()) if len(digest) == size), None)


def _decoded(value: str) -> Iterator[bytes]:
    """The value decoded as hexadecimal digits, as base32 and as base64. The results differ in length."""
    padded = value.upper().rstrip("=")
    for decode, text in (
        (bytes.fromhex, value),
        (base64.b32decode, padded + "=" * (-len(padded) % 8)),
        (base64.b64decode, value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4)),
    ):
        try:
            yield decode(text)
        except (ValueError, binascii.Error):
            continue


def _digest(algorithm: str, data: bytes) -> bytes:
    return hashlib.new(algorithm, data, usedforsecurity=False).digest()
