"""Runs an ingest: gives spans to workers, stores their pages, and reports the progress."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from newscrawl.archive.ingest.crew import LocalCrew, run_spans
from newscrawl.archive.ingest.inputs import Input, InputSpan
from newscrawl.archive.ingest.pages import BROKEN, MISMATCH, PageFilter
from newscrawl.archive.ingest.worker import BadRecord, Batch, Plan, SpanJob
from newscrawl.archive.warc import RecordPosition
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.model import ProcessedPage
from newscrawl.storage.captures import ingests
from newscrawl.storage.captures.ingests import InputProgress
from newscrawl.storage.records import OUTCOME, Outcome, counters_of
from newscrawl.storage.store import Store
from newscrawl.workers.extraction_worker import Work
from newscrawl.workers.processes.failpoints import AFTER_COMMIT, hit

logger = logging.getLogger(__name__)

MAX_WAITING: Final = 8
"""Batches that may wait for the store. With more the workers wait, which limits memory."""
LIMITED_JOB: Final = 100
"""Pages of a worker's job if the operator limits the number of pages."""


@dataclass(frozen=True)
class Settings:
    """The settings of an ingest. `timeout` is in seconds for one page, `memory` and `max_body` are in bytes. `of_sites`
    are the options of sites that differ from the default."""

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

    def plan(self, now: datetime) -> Plan:
        """Returns the part of the settings that workers need. `now` is the begin of the ingest."""
        common = (self.options, self.wanted, self.batch_size, self.max_body, self.memory, now, self.work)
        return Plan(*common, self.of_sites)


@dataclass
class BadRecords:
    """The records of a file that should have given a page and did not: how many, and the first of them."""

    number: int
    first: BadRecord


@dataclass
class IngestProgress:
    """The progress of an ingest. `counts` has the counters of a crawl, and those of records that gave no page."""

    total: int = 0
    """Bytes of all inputs."""
    done: int = 0
    skipped: int = 0
    """Bytes that an earlier run has done."""
    pages: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    bad: dict[str, BadRecords] = field(default_factory=dict)
    """The bad records that this run has read, by file."""

    def add_bad(self, path: str, record: BadRecord) -> None:
        """Counts a bad record of a file. Records of a file may come in any order."""
        known = self.bad.get(path)
        if known is None:
            self.bad[path] = BadRecords(1, record)
            return
        known.number += 1
        known.first = min(known.first, record, key=lambda each: each.place)

    @property
    def fresh(self) -> int:
        """Bytes that this run has done."""
        return self.done - self.skipped

    def outcome(self, kind: str) -> int:
        """Returns the number of pages with this outcome: inserted, joined, new_version, unchanged, failed,
        dead_letter."""
        return self.counts[OUTCOME + kind]


@dataclass
class _Waiting:
    """A batch that was passed to the store."""

    pages: tuple[ProcessedPage, ...]
    future: Future[list[Outcome]]
    advanced: int


class Ingest:
    """Stores all pages of the inputs. `run` yields the progress until everything is committed."""

    def __init__(self, store: Store, inputs: Sequence[Input], settings: Settings) -> None:
        self._store = store
        self._inputs = {source.key: source for source in inputs}
        self._settings = settings
        self._left = settings.limit
        self._waiting: deque[_Waiting] = deque()
        self._reached: dict[tuple[str, int], int] = {}
        self._broken: Counter[tuple[str, int]] = Counter()
        """How many records of each span could not be read so far."""
        self._again: deque[InputSpan] = deque()
        self.progress = IngestProgress(total=sum(source.bytes for source in inputs))

    def run(self) -> Iterator[IngestProgress]:
        """Runs the ingest until nothing is left. Raises StorageError if the database fails, WorkerDied if workers
        cannot be kept running. Stored pages stay stored, and a later run continues after them."""
        settings = self._settings
        with LocalCrew(settings.plan(datetime.now(UTC)), settings.workers, settings.timeout) as crew:
            for _ in run_spans(partial(self._next_job, self._spans()), crew, self._store_batch):
                self._collect()
                yield self.progress
        self._collect(at_least=len(self._waiting))
        yield self.progress

    def _next_job(self, spans: Iterator[InputSpan]) -> SpanJob | None:
        if self._left == 0:
            return None
        span = self._again.popleft() if self._again else next(spans, None)
        if span is None:
            return None
        limit = None
        if self._left is not None:
            limit = min(self._left, LIMITED_JOB)
            self._left -= limit
        return SpanJob(span, limit=limit)

    def _spans(self) -> Iterator[InputSpan]:
        """Yields the spans of all inputs that are not done, or the rest of them."""
        for source in self._inputs.values():
            done = self._store.run(ingests.done, source.key).result()
            for span in source.spans():
                mark = done.get(span.origin)
                if mark is None or not _stands(mark, span, source):
                    yield span
                    continue
                self._broken[span.key, span.origin] = mark.broken
                advanced = self._advance(span, mark.member_offset)
                self.progress.done += advanced
                self.progress.skipped += advanced
                if mark.member_offset < span.stop:
                    yield replace(span, start=RecordPosition(mark.member_offset, mark.record_number), known=True)

    def _store_batch(self, job: SpanJob, batch: Batch) -> None:
        span = job.span
        for defect in batch.defects:
            logger.error("%s", defect)
        for record in batch.bad:
            self.progress.add_bad(span.path_of(record.place), record)
        self.progress.counts.update(batch.skipped)
        self.progress.counts.update(batch.noted)
        mark = self._mark(span, batch)
        advanced = self._advance(span, batch.reached.offset)
        future = self._store.save_parts(batch.pages, [mark], datetime.now(UTC))
        self._waiting.append(_Waiting(batch.pages, future, advanced))
        self._collect(at_least=len(self._waiting) - MAX_WAITING)
        if batch.finished and job.limit is not None and self._left is not None:
            self._left += job.limit - len(batch.pages)
            if batch.reached.offset < span.stop:
                self._again.append(replace(span, start=batch.reached, known=True))

    def _mark(self, span: InputSpan, batch: Batch) -> InputProgress:
        """The stored mark of the span: how far it is done, and what was not stored."""
        self._broken[span.key, span.origin] += batch.skipped.get(BROKEN, 0) + batch.noted.get(MISMATCH, 0)
        place, changed = batch.reached, self._inputs[span.key].changed
        broken = self._broken[span.key, span.origin]
        return InputProgress(span.key, span.origin, place.offset, place.number, broken, changed)

    def _advance(self, span: InputSpan, offset: int) -> int:
        """Bytes of the input that are done by advancing to `offset`."""
        reached = min(offset, span.stop)
        before = self._reached.get((span.key, span.origin), span.origin)
        self._reached[span.key, span.origin] = reached
        source = self._inputs[span.key]
        return (reached - before) * source.bytes // max(1, source.size)

    def _collect(self, at_least: int = 0) -> None:
        """Counts committed batches; waits until at least the `at_least` oldest are committed."""
        while self._waiting and (at_least > 0 or self._waiting[0].future.done()):
            batch = self._waiting.popleft()
            at_least -= 1
            outcomes = batch.future.result()
            hit(AFTER_COMMIT)
            self.progress.done += batch.advanced
            for page, outcome in zip(batch.pages, outcomes, strict=True):
                self.progress.pages += 1
                self.progress.counts.update(counters_of(page, outcome))


def _stands(mark: InputProgress, span: InputSpan, source: Input) -> bool:
    """Returns whether the results of an earlier run for the span are still valid, as far as it got.

    If the file was changed since, spans with broken records are read again, because the file may have been repaired. A
    plain file is divided at its records, so a repair may move the spans, and only a span with the same end is known to
    be the same.
    """
    if mark.file_mtime_ns is None or mark.file_mtime_ns == source.changed:
        return True
    return not mark.broken and (source.compressed or mark.member_offset == span.stop)
