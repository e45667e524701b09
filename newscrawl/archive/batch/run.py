"""Runs a batch: gives the spans that have no part yet to an engine, and keeps the manifest. The engine of this machine
is here, too: the workers of an ingest extract, and this process writes the parts."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final, Self, TypeAlias

from newscrawl.archive.batch import manifest
from newscrawl.archive.batch.digest import described, digest_of
from newscrawl.archive.batch.manifest import Manifest
from newscrawl.archive.batch.part_names import MANIFEST, SUFFIX
from newscrawl.archive.batch.parts import PartResult, PartSpan, PartTask, read_result, write_part
from newscrawl.archive.batch.planning import PAGE, BatchFile, span_bytes_of
from newscrawl.archive.batch.spans import SpanOptions, SpanRows, shown, span_of
from newscrawl.archive.ingest.crew import Crew, LocalCrew, run_spans
from newscrawl.archive.ingest.worker import SpanJob
from newscrawl.archive.places import Place
from newscrawl.errors import ArchiveError, BatchStopped

SAVE_SECONDS: Final = 30.0
"""Seconds between two writings of the manifest."""
MAX_FAILED: Final = 10
"""Spans that may fail one after another before the batch stops: then their files or the place cannot be reached."""


Engine: TypeAlias = Crew[PartTask, PartResult | str]
"""Makes parts, on this machine or on others. The result of a task is that of its part, or the reason of its failure."""


@dataclass
class BatchProgress:
    """The progress of a batch over the files that were named."""

    total: int = 0
    """Bytes of all spans."""
    done: int = 0
    skipped: int = 0
    """Bytes whose parts an earlier command made."""
    spans: int = 0
    parts: int = 0
    """Spans that have a part."""
    rows: int = 0
    """Rows that this command wrote."""
    articles: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    """The rows without an article that this command wrote, by reason code."""
    failed: dict[str, str] = field(default_factory=dict)
    """Reasons of spans that failed, by the name of the part."""
    engine: str = ""

    @property
    def fresh(self) -> int:
        """Bytes that this command has done."""
        return self.done - self.skipped


class Batch:
    """Makes the parts of files at a place. `run` yields the progress until all are made.

    `as_of` is the time after which the age of records is unknown; None takes that of the place's manifest, or `now` for
    a new place. Raises UsageError if the place has parts of another digest.
    """

    def __init__(
        self,
        files: Sequence[BatchFile],
        options: SpanOptions,
        place: Place,
        *,
        as_of: datetime | None = None,
        limit: int | None = None,
        span_bytes: int | None = None,
    ) -> None:
        options.check()
        self.files = tuple(files)
        self.place = place
        self._limit = limit
        self._expected = self._failed_in_row = 0
        self._manifest, self.options = _joined(place, files, options, as_of, span_bytes)
        self.digest = self._manifest.digest
        self._take_stock()
        keys = {file.key for file in files}
        self._named = [name for name, span in self._manifest.spans.items() if span.key in keys]
        self.progress = self._begin()

    def run(self, engine: Engine) -> Iterator[BatchProgress]:
        """Runs the batch until nothing is left. Raises BatchStopped, OutputError, ArchiveError and WorkerDied; the
        parts that are made are kept, and another run continues after them."""
        waiting = deque(name for name in self._named if not isinstance(self._manifest.states[name], PartResult))
        saved = time.monotonic()
        try:
            for _ in run_spans(partial(self._next_task, waiting), engine, self._take):
                if time.monotonic() - saved > SAVE_SECONDS:
                    self._save()
                    saved = time.monotonic()
                self.progress.engine = engine.state()
                yield self.progress
        finally:
            self._save()
        yield self.progress

    def _next_task(self, waiting: deque[str]) -> PartTask | None:
        """Returns the task of the next part; None if the rows that are written and those that are expected reach the
        limit."""
        if not waiting or (self._limit is not None and self.progress.rows + self._expected >= self._limit):
            return None
        span = self._manifest.spans[waiting.popleft()]
        self._expected += span.length // PAGE
        return PartTask(span, self.options, self.digest, self.place.address)

    def _take(self, task: PartTask, outcome: PartResult | str) -> None:
        self._expected -= task.span.length // PAGE
        self._failed_in_row = self._failed_in_row + 1 if isinstance(outcome, str) else 0
        self._note(task.span, outcome)
        if isinstance(outcome, str) and self._failed_in_row >= MAX_FAILED:
            raise BatchStopped(f"{MAX_FAILED} spans failed one after another: {outcome}")

    def _take_stock(self) -> None:
        """Finds which parts are there. The manifest may be behind, if an earlier command was killed."""
        there = self.place.listed(SUFFIX)
        for name, state in self._manifest.states.items():
            if name not in there:
                self._manifest.states[name] = None
            elif not isinstance(state, PartResult):
                self._manifest.states[name] = read_result(self.place.read(name))

    def _begin(self) -> BatchProgress:
        spans = self._manifest.spans
        done = [name for name in self._named if isinstance(self._manifest.states[name], PartResult)]
        skipped = sum(spans[name].length for name in done)
        total = sum(spans[name].length for name in self._named)
        return BatchProgress(total, skipped, skipped, len(self._named), len(done))

    def _note(self, span: PartSpan, outcome: PartResult | str) -> None:
        name, progress = span.part(self.digest), self.progress
        self._manifest.states[name] = outcome
        if isinstance(outcome, str):
            progress.failed[name] = outcome
            return
        progress.failed.pop(name, None)
        progress.done += span.length
        progress.parts += 1
        progress.rows += outcome.rows
        progress.articles += outcome.articles
        progress.failures.update(outcome.failures)

    def _save(self) -> None:
        self.place.replace(MANIFEST, self._manifest.content())


def _joined(
    place: Place,
    files: Sequence[BatchFile],
    options: SpanOptions,
    as_of: datetime | None,
    span_bytes: int | None,
) -> tuple[Manifest, SpanOptions]:
    """Returns the place's manifest with these files, which is created if there is none, and the options with its
    time."""
    found = manifest.read(place)
    if found is None:
        options = replace(options, as_of=as_of or options.as_of)
        new = Manifest(digest_of(options), options.as_of, span_bytes or span_bytes_of(files), described(options))
        new.add(files)
        if place.create(MANIFEST, new.content()):
            return new, options
        found = manifest.read(place) or new  # another command was first
    options = replace(options, as_of=as_of or found.as_of)
    found.check(digest_of(options), described(options), place.address)
    found.add(files)
    return found, options


class LocalEngine:
    """`size` worker processes of this machine. A context manager: leaving it ends them."""

    def __init__(self, options: SpanOptions, place: Place, size: int) -> None:
        self._options = options
        self._place = place
        self._crew = LocalCrew(options.settings(size))
        self._tasks: dict[tuple[str, int], tuple[PartTask, SpanRows]] = {}

    def __enter__(self) -> Self:
        self._crew.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._crew.__exit__(*_)

    def has_room(self) -> bool:
        """Returns whether a worker is idle."""
        return self._crew.has_room()

    def is_busy(self) -> bool:
        """Returns whether a worker has a span."""
        return self._crew.is_busy()

    def give(self, task: PartTask) -> None:
        """Gives a span to an idle worker."""
        span = task.span
        self._tasks[span.file, span.offset] = (task, SpanRows(shown(span.file)))
        stop = span.offset + span.length
        self._crew.give(SpanJob(span_of(span.file, span.offset, stop, is_compressed=span.is_compressed)))

    def done(self) -> Iterator[tuple[PartTask, PartResult | str]]:
        """Yields the spans that were done; see `Crew`. Raises WorkerDied."""
        for job, batch in self._crew.done():
            key = job.span.path, job.span.origin
            task, rows = self._tasks[key]
            try:
                rows.add(batch, self._options)
                if batch.finished:
                    del self._tasks[key]
                    yield task, write_part(self._place, task.span, rows.table(), task.digest)
            except ArchiveError as error:
                self._tasks.pop(key, None)
                yield task, str(error)

    def state(self) -> str:
        """Returns nothing: the workers of this machine are always there."""
        return self._crew.state()


def now() -> datetime:
    """Returns the present time in whole seconds, as a manifest states it."""
    return datetime.now(UTC).replace(microsecond=0)
