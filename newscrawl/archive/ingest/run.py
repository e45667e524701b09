"""Runs an ingest: gives spans to workers, stores their pages, and reports the progress."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from newscrawl.archive.ingest.crew import LocalCrew, run_spans
from newscrawl.archive.ingest.inputs import Input, InputSpan
from newscrawl.archive.ingest.pages import BROKEN, MISMATCH, Skipped
from newscrawl.archive.ingest.worker import Batch, Settings, SpanJob
from newscrawl.archive.warc import RecordPosition
from newscrawl.model import ProcessedPage
from newscrawl.storage.captures import ingests
from newscrawl.storage.captures.ingests import InputProgress
from newscrawl.storage.records import OUTCOME, Outcome, counters_of
from newscrawl.storage.store import Store
from newscrawl.workers.processes.failpoints import AFTER_COMMIT, hit

logger = logging.getLogger(__name__)

MAX_WAITING: Final = 8
"""Batches that may wait for the store. With more the workers wait, which limits memory."""
LIMITED_JOB: Final = 100
"""Pages of a worker's job if the operator limits the number of pages."""


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
    bad: dict[str, tuple[int, RecordPosition, Skipped]] = field(default_factory=dict)
    """The records that this run has read and that should have given a page: by file, how many, and the first of them
    with its place."""

    def add_bad(self, path: str, place: RecordPosition, record: Skipped) -> None:
        """Counts a bad record of a file. Records of a file may come in any order."""
        number, first, known = self.bad.get(path, (0, place, record))
        self.bad[path] = (number + 1, place, record) if place < first else (number + 1, first, known)

    @property
    def fresh(self) -> int:
        """Bytes that this run has done."""
        return self.done - self.skipped

    def outcome(self, kind: str) -> int:
        """Returns the number of pages with this outcome: inserted, joined, new_version, unchanged, failed,
        dead_letter."""
        return self.counts[OUTCOME + kind]


class Commits:
    """Batches that were passed to the store. At most `most` wait for it; with more, the caller waits. Those that are
    committed are counted in `progress`."""

    def __init__(self, store: Store, progress: IngestProgress, most: int) -> None:
        self._store = store
        self._progress = progress
        self._most = most
        self._waiting: deque[tuple[Sequence[ProcessedPage], Future[list[Outcome]], int]] = deque()

    def save(self, pages: Sequence[ProcessedPage], marks: Sequence[InputProgress], advanced: int) -> None:
        """Stores pages and the marks of their inputs in one transaction. The input is done by `advanced` bytes then."""
        self._waiting.append((pages, self._store.save_parts(pages, marks, datetime.now(UTC)), advanced))
        self.count(at_most=self._most)

    def count(self, at_most: int | None = None) -> None:
        """Counts what is committed. Waits until at most `at_most` batches are not."""
        while self._waiting and (self._waiting[0][1].done() or (at_most is not None and len(self._waiting) > at_most)):
            pages, future, advanced = self._waiting.popleft()
            outcomes = future.result()
            hit(AFTER_COMMIT)
            self._progress.done += advanced
            self._progress.pages += len(pages)
            for page, outcome in zip(pages, outcomes, strict=True):
                self._progress.counts.update(counters_of(page, outcome))


class Ingest:
    """Stores all pages of the inputs. `run` yields the progress until everything is committed."""

    def __init__(self, store: Store, inputs: Sequence[Input], settings: Settings) -> None:
        self._store = store
        self._inputs = {source.key: source for source in inputs}
        self._settings = settings
        self._left = settings.limit
        self._reached: dict[tuple[str, int], int] = {}
        self._broken: Counter[tuple[str, int]] = Counter()
        """How many records of each span could not be read so far."""
        self._again: deque[InputSpan] = deque()
        self.progress = IngestProgress(total=sum(source.bytes for source in inputs))
        self._commits = Commits(store, self.progress, MAX_WAITING)

    def run(self) -> Iterator[IngestProgress]:
        """Runs the ingest until nothing is left. Raises StorageError if the database fails, WorkerDied if workers
        cannot be kept running. Stored pages stay stored, and a later run continues after them."""
        with LocalCrew(replace(self._settings, now=datetime.now(UTC))) as crew:
            for _ in run_spans(partial(self._next_job, self._spans()), crew, self._store_batch):
                self._commits.count()
                yield self.progress
        self._commits.count(at_most=0)
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
        for place, record in batch.bad:
            self.progress.add_bad(span.path_of(place), place, record)
        self.progress.counts.update(batch.skipped)
        self.progress.counts.update(batch.noted)
        mark = self._mark(span, batch)
        advanced = self._advance(span, batch.reached.offset)
        self._commits.save(batch.pages, [mark], advanced)
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


def _stands(mark: InputProgress, span: InputSpan, source: Input) -> bool:
    """Returns whether the results of an earlier run for the span are still valid, as far as it got.

    If the file was changed since, spans with broken records are read again, because the file may have been repaired. A
    plain file is divided at its records, so a repair may move the spans, and only a span with the same end is known to
    be the same.
    """
    if mark.file_mtime_ns is None or mark.file_mtime_ns == source.changed:
        return True
    return not mark.broken and (source.compressed or mark.member_offset == span.stop)
