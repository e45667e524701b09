"""Makes parts on the cores of this machine: the workers of an ingest extract, this process writes the parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from newscrawl.archive.batch.parts import PartResult, PartTask, write_part
from newscrawl.archive.batch.spans import SpanOptions, SpanRows, shown, span_of
from newscrawl.archive.ingest.crew import LocalCrew
from newscrawl.archive.ingest.worker import SpanJob
from newscrawl.archive.places import Place
from newscrawl.errors import ArchiveError


class LocalEngine:
    """`size` worker processes of this machine. A context manager: leaving it ends them."""

    def __init__(self, options: SpanOptions, place: Place, size: int) -> None:
        self._options = options
        self._place = place
        self._crew = LocalCrew(options.plan, size, options.timeout)
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
