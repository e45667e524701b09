"""An ingest from its inputs to the store: who works on what, what is stored when, and how far it has come."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from newscrawl.archive.warc import RecordPosition
from newscrawl.article import ArticleOptions, make_article
from newscrawl.failpoints import AFTER_COMMIT, hit
from newscrawl.ingest.inputs import Input, InputSpan
from newscrawl.ingest.pages import BROKEN, FUTURE, MISMATCH, Clock, PageFilter
from newscrawl.ingest.worker import Batch, Plan, SpanJob
from newscrawl.ingest.worker_pool import WorkerPool
from newscrawl.model import ProcessedPage
from newscrawl.storage import Store
from newscrawl.storage.articles.counters import OUTCOME, counters_of
from newscrawl.storage.captures import ingests
from newscrawl.storage.captures.ingests import Mark
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.records import Outcome
from newscrawl.workers.page_task import Work

logger = logging.getLogger(__name__)

MAX_WAITING: Final = 8
"""Batches on their way to the disk; with more the workers wait, so that memory stays flat."""
LIMITED_JOB: Final = 100
"""Pages a worker may take at a time when the operator wants only so many."""


@dataclass(frozen=True)
class Settings:
    """How to ingest. `timeout` is in seconds for one page, `memory` and `max_body` in bytes. `of_sites` are the options
    of sites that have their own."""

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

    def plan(self, clock: Clock) -> Plan:
        """What of it the workers need."""
        common = (self.options, self.wanted, self.batch_size, self.max_body, self.memory, clock, self.work)
        return Plan(*common, self.of_sites)


@dataclass
class IngestProgress:
    """How far an ingest has come. `counts` has the counters of a crawl, and those of what gave no page."""

    total: int = 0
    """Bytes of all inputs."""
    done: int = 0
    skipped: int = 0
    """Of those done, what an earlier run did."""
    pages: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def fresh(self) -> int:
        """Of those done, what this run did."""
        return self.done - self.skipped

    def outcome(self, kind: str) -> int:
        """Pages with this outcome: inserted, joined, new_version, unchanged, failed, dead_letter."""
        return self.counts[OUTCOME + kind]


@dataclass
class _Waiting:
    """A batch handed to the store."""

    pages: tuple[ProcessedPage, ...]
    future: Future[list[Outcome]]
    advanced: int


@dataclass
class _Lacks:
    """What could not be taken of a span so far."""

    broken: int = 0
    future: int = 0


class Ingest:
    """Stores everything the inputs hold; `run` gives the progress again and again until all is committed."""

    def __init__(self, store: Store, inputs: Sequence[Input], settings: Settings) -> None:
        self._store = store
        self._inputs = {one.key: one for one in inputs}
        self._settings = settings
        self._left = settings.limit
        self._waiting: deque[_Waiting] = deque()
        self._reached: dict[tuple[str, int], int] = {}
        self._lacks: dict[tuple[str, int], _Lacks] = {}
        self._again: deque[InputSpan] = deque()
        self.progress = IngestProgress(total=sum(one.bytes for one in inputs))

    def run(self) -> Iterator[IngestProgress]:
        """Works until nothing is left. Raises StorageError when the database refuses, WorkerDied when no worker
        stays alive; what is stored by then is stored, and a later run goes on there."""
        settings = self._settings
        spans = self._spans()
        clock = Clock(datetime.now(UTC), self._store.run(alarms.clock_suspected).result())
        with WorkerPool(settings.plan(clock), settings.workers, settings.timeout) as crew:
            while True:
                self._hand_out(crew, spans)
                if not crew.busy():
                    break
                for job, batch in crew.answers():
                    self._store_batch(job, batch)
                self._collect()
                yield self.progress
        self._collect(at_least=len(self._waiting))
        yield self.progress

    def _hand_out(self, crew: WorkerPool, spans: Iterator[InputSpan]) -> None:
        """Jobs for the workers that have none."""
        while crew.idle() and self._left != 0:
            span = self._again.popleft() if self._again else next(spans, None)
            if span is None:
                return
            limit = None
            if self._left is not None:
                limit = min(self._left, LIMITED_JOB)
                self._left -= limit
            crew.give(SpanJob(span, limit=limit))

    def _spans(self) -> Iterator[InputSpan]:
        """What is left of all inputs."""
        for one in self._inputs.values():
            done = self._store.run(ingests.done, one.key).result()
            for span in one.spans():
                mark = done.get(span.origin)
                if mark is None or not _stands(mark, span, one):
                    yield span
                    continue
                self._lacks[span.key, span.origin] = _Lacks(mark.broken, mark.future)
                advanced = self._advance(span, mark.member_offset)
                self.progress.done += advanced
                self.progress.skipped += advanced
                if mark.member_offset < span.stop:
                    yield replace(span, start=RecordPosition(mark.member_offset, mark.record_number), known=True)

    def _store_batch(self, job: SpanJob, batch: Batch) -> None:
        span = job.span
        for defect in batch.defects:
            logger.error("%s", defect)
        self.progress.counts.update(batch.skipped)
        self.progress.counts.update(batch.noted)
        mark = self._mark(span, batch)
        advanced = self._advance(span, batch.reached.offset)
        future = self._store.save_part(batch.pages, mark, datetime.now(UTC))
        self._waiting.append(_Waiting(batch.pages, future, advanced))
        self._collect(at_least=len(self._waiting) - MAX_WAITING)
        if batch.finished and job.limit is not None and self._left is not None:
            self._left += job.limit - len(batch.pages)
            if batch.reached.offset < span.stop:
                self._again.append(replace(span, start=batch.reached, known=True))

    def _mark(self, span: InputSpan, batch: Batch) -> Mark:
        """How far the span is done, and what it lacks."""
        lacks = self._lacks.setdefault((span.key, span.origin), _Lacks())
        lacks.broken += batch.skipped.get(BROKEN, 0) + batch.noted.get(MISMATCH, 0)
        lacks.future += batch.skipped.get(FUTURE, 0)
        place, changed = batch.reached, self._inputs[span.key].changed
        return Mark(span.key, span.origin, place.offset, place.number, lacks.broken, lacks.future, changed)

    def _advance(self, span: InputSpan, offset: int) -> int:
        """Bytes of the input done by going on to `offset`."""
        reached = min(offset, span.stop)
        before = self._reached.get((span.key, span.origin), span.origin)
        self._reached[span.key, span.origin] = reached
        one = self._inputs[span.key]
        return (reached - before) * one.bytes // max(1, one.size)

    def _collect(self, at_least: int = 0) -> None:
        """Counts what is committed; waits until the `at_least` oldest batches are."""
        while self._waiting and (at_least > 0 or self._waiting[0].future.done()):
            batch = self._waiting.popleft()
            at_least -= 1
            outcomes = batch.future.result()
            hit(AFTER_COMMIT)
            self.progress.done += batch.advanced
            for page, outcome in zip(batch.pages, outcomes, strict=True):
                self.progress.pages += 1
                self.progress.counts.update(counters_of(page, outcome))


def _stands(mark: Mark, span: InputSpan, one: Input) -> bool:
    """Whether what an earlier run did of the span is to be kept, as far as it came.

    A span with records that were refused as dated in the future is read again. Of a file that was changed since, spans
    with broken records are read again: it may have been repaired. A plain file is cut at its records, so a repair may
    move the cuts, and only a span that ends where it ended is known to be the same.
    """
    if mark.future and mark.member_offset >= span.stop:
        return False
    if mark.file_mtime_ns is None or mark.file_mtime_ns == one.changed:
        return True
    return not mark.broken and (one.packed or mark.member_offset == span.stop)
