"""What a worker process does: reads its own part of the input, extracts, and answers with finished pages in batches.

Pages sent to workers one by one cost as much as half of their extraction; workers that read for themselves cost
nothing, and the writer gets back a tenth of the bytes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from newscrawl.archive.digests import is_intact
from newscrawl.archive.warc import BrokenRecord, Record, RecordPosition, records
from newscrawl.article import ArticleOptions, make_article
from newscrawl.ingest.inputs import InputSpan
from newscrawl.ingest.pages import (
    MISMATCH,
    UNDATED,
    UNWANTED,
    Clock,
    PageFilter,
    Skipped,
    of_archived,
    of_file,
    of_record,
)
from newscrawl.metadata.dates.published import AFTER_DOWNLOAD
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.processes.forkserver import requests
from newscrawl.workers.page_task import Work, process_page

BATCH_SECONDS: Final = 1.0
"""A batch is sent after so long, full or not: what a kill costs is done again."""
_RECORD_OVERHEAD: Final = 1 << 16
"""Bytes of HTTP header that a block may have beyond its body."""


NOWHERE: Final = RecordPosition(0)


class Phase(IntEnum):
    """What the worker is at, told through shared memory: whoever finds it dead or hanging reads it there."""

    IDLE = 0
    READING = 1
    EXTRACTING = 2


@dataclass(frozen=True, slots=True)
class SpanJob:
    """A span to work on; at most `limit` pages are wanted. `poisoned` are the pages that a worker did not survive, with
    the failure they end in, `unreadable` the records that it did not even survive reading."""

    span: InputSpan
    poisoned: Mapping[RecordPosition, Failure] = field(default_factory=dict)
    unreadable: frozenset[RecordPosition] = frozenset()
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Finished pages, what else was met, and how far the span is done with them."""

    pages: tuple[ProcessedPage, ...]
    skipped: Mapping[str, int]
    reached: RecordPosition
    finished: bool
    defects: tuple[str, ...] = ()
    noted: Mapping[str, int] = field(default_factory=dict)
    """What was odd of pages that are among these."""


@dataclass(frozen=True)
class Plan:
    """What is the same for all jobs. `clock` says which times are believed."""

    options: ArticleOptions
    wanted: PageFilter
    batch_size: int
    max_body: int
    memory: int
    clock: Clock
    work: Work = make_article
    """What is done with a page (a module-level function)."""
    of_sites: Mapping[str, ArticleOptions] = field(default_factory=dict)
    """How pages of sites are extracted that have options of their own."""

    def options_of(self, site: str | None) -> ArticleOptions:
        """How a page of the site is extracted."""
        return self.of_sites.get(site or "", self.options)


class Shared:
    """Where a worker is: phase, begin (monotonic seconds), place. Written by one process, read when it is dead or
    has been there for long."""

    def __init__(self, cells: Any) -> None:
        self._cells = cells

    def enter(self, phase: Phase, place: RecordPosition = NOWHERE) -> None:
        """Say what begins now."""
        self._cells[2], self._cells[3] = place.offset, place.number
        self._cells[1] = time.monotonic()
        self._cells[0] = phase

    def look(self) -> tuple[Phase, float, RecordPosition]:
        """Phase, when it began, and where."""
        phase, began, offset, number = self._cells[:]
        return Phase(int(phase)), began, RecordPosition(int(offset), int(number))


def serve(pipe: Connection, plan: Plan, cells: Any) -> None:
    """Answer jobs with batches until the pipe is closed."""
    shared = Shared(cells)
    for job in requests(pipe):
        for batch in work(job, plan, shared):
            pipe.send(batch)


def work(job: SpanJob, plan: Plan, shared: Shared) -> Iterator[Batch]:
    """The job's pages in batches; the last one says that the job is finished."""
    gathered = _Gathered(plan.batch_size)
    done = 0
    reached = job.span.start
    for item, reached in _items(job, plan, shared, gathered.noted):
        finished = item if isinstance(item, Skipped) else _finished(item, plan, gathered.defects)
        if isinstance(finished, ProcessedPage) and isinstance(item, RawPage) and job.span.kind == "folder":
            finished = _credibly_dated(finished, item, plan, gathered.defects)
        if isinstance(finished, Skipped):
            gathered.skipped[finished.kind] += 1
        else:
            gathered.pages.append(finished)
            gathered.noted[UNDATED] += finished.raw.undated
            done += 1
        shared.enter(Phase.IDLE)
        if job.limit is not None and done >= job.limit:
            yield gathered.taken(reached, finished=True)
            return
        if gathered.is_full():
            yield gathered.taken(reached, finished=False)
        shared.enter(Phase.READING, reached)
    shared.enter(Phase.IDLE)
    yield gathered.taken(max(reached, RecordPosition(job.span.stop)), finished=True)


class _Gathered:
    """The batch that is being filled."""

    def __init__(self, size: int) -> None:
        self.pages: list[ProcessedPage] = []
        self.skipped: Counter[str] = Counter()
        self.defects: list[str] = []
        self.noted: Counter[str] = Counter()
        self._size = size
        self._began = time.monotonic()

    def is_full(self) -> bool:
        waiting = self.pages or self.skipped
        return len(self.pages) >= self._size or bool(waiting and time.monotonic() - self._began > BATCH_SECONDS)

    def taken(self, reached: RecordPosition, *, finished: bool) -> Batch:
        """What was gathered; begins anew."""
        noted = {kind: number for kind, number in self.noted.items() if number}
        batch = Batch(tuple(self.pages), dict(self.skipped), reached, finished, tuple(self.defects), noted)
        self.pages.clear()
        self.skipped.clear()
        self.defects.clear()
        self.noted.clear()
        self._began = time.monotonic()
        return batch


def _items(
    job: SpanJob, plan: Plan, shared: Shared, noted: Counter[str]
) -> Iterator[tuple[RawPage | ProcessedPage | Skipped, RecordPosition]]:
    """Pages and what is passed over, each with the place after it; says through `shared` what is worked on."""
    for item, place, following in _read(job, plan, shared, noted):
        failure = job.poisoned.get(place)
        if failure is not None and isinstance(item, RawPage):
            yield ProcessedPage(replace(item, body=None), failure=failure), following
            continue
        shared.enter(Phase.EXTRACTING, place)
        yield item, following


def _read(
    job: SpanJob, plan: Plan, shared: Shared, noted: Counter[str]
) -> Iterator[tuple[RawPage | ProcessedPage | Skipped, RecordPosition, RecordPosition]]:
    span = job.span
    shared.enter(Phase.READING, span.start)
    if span.kind == "folder":
        for number in range(span.start.offset, span.stop):
            page = span.files[number - span.origin]
            yield (
                of_file(page, plan.wanted, plan.max_body, plan.clock),
                RecordPosition(number),
                RecordPosition(number + 1),
            )
        return
    if span.kind == "archive":
        for number in range(span.start.offset, span.stop):
            yield (
                of_archived(span.archived[number - span.origin], plan.max_body),
                RecordPosition(number),
                RecordPosition(number + 1),
            )
        return
    with Path(span.path).open("rb") as file:

        def entering(place: RecordPosition) -> None:
            shared.enter(Phase.READING, place)
            if place in job.unreadable:
                raise BrokenRecord("a worker did not survive reading it")

        max_block = plan.max_body + _RECORD_OVERHEAD
        for record in records(file, span.start, span.stop, max_block=max_block, known=span.known, entering=entering):
            item = of_record(record, plan.wanted, plan.max_body, plan.clock)
            if isinstance(record, Record) and record.block is not None and not isinstance(item, Skipped):
                noted[MISMATCH] += not is_intact(record.headers, record.block)
            yield item, record.place, record.following


def _credibly_dated(page: ProcessedPage, raw: RawPage, plan: Plan, defects: list[str]) -> ProcessedPage | Skipped:
    """The page of a file, without the file's time where the page states a later date.

    Dates are believed up to the time of the fetch, so a file's wrong time would refuse all of them.
    """
    article = page.article
    if raw.undated or article is None:
        return page
    if not any(date.reason == AFTER_DOWNLOAD for date in article.metadata.refused_dates):
        return page
    undated = replace(raw, fetched_at=plan.clock.now, undated=True)
    again = _finished(undated, plan, defects)
    if again.article is None:
        return page
    stated = (again.article.metadata.published, again.article.metadata.modified)
    if not any(date is not None and date.when > raw.fetched_at for date in stated):
        return page
    return again if plan.wanted.bounds(None) else Skipped(UNWANTED)


def _finished(item: RawPage | ProcessedPage, plan: Plan, defects: list[str]) -> ProcessedPage:
    """Extraction and identity, as a crawl's pipelines do them; what goes wrong costs this page."""
    if isinstance(item, ProcessedPage):
        return item
    page, defect = process_page(plan.work, item, plan.options_of(item.site), plan.memory)
    if defect:
        defects.append(f"extraction of {item.final_url} failed\n{defect}")
    return page
