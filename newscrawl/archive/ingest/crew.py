"""Gives spans of files or of the archive to workers, and takes their results: the loop of ingest, batch and reextract.

A crew is the workers of this machine (`LocalCrew`) or of a Dask scheduler (newscrawl.archive.batch.cluster). On this
machine, a record that hangs or kills its worker loses only itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import aclosing
from functools import partial
from typing import Final, Protocol, Self, TypeVar

from newscrawl.archive.ingest.worker import Batch, Settings, SpanJob, work
from newscrawl.workers.blocking import LoopThread
from newscrawl.workers.pool import Lost, Pool
from newscrawl.workers.processes.forkserver import FOR_INGESTS

logger = logging.getLogger(__name__)

J = TypeVar("J")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

NAME: Final = "newscrawl-ingest"
"""The name of the processes, and of the thread that talks to them."""
LOOK_SECONDS: Final = 0.25
"""Longest wait for a batch in one call."""


class Crew(Protocol[J, R_co]):
    """Workers that do jobs, on this machine or on others."""

    def has_room(self) -> bool:
        """Returns whether another job would be begun at once, or soon."""

    def is_busy(self) -> bool:
        """Returns whether a job is not done yet."""

    def give(self, job: J) -> None:
        """Takes a job."""

    def done(self) -> Iterator[tuple[J, R_co]]:
        """Yields the results that were finished since the last call, each with its job; waits a moment if there are
        none. Raises WorkerDied or BatchStopped if no job can be worked on any more."""

    def state(self) -> str:
        """Returns a line for the operator about the workers, such as their number; "" for none."""


def run_spans(more: Callable[[], J | None], crew: Crew[J, R], take: Callable[[J, R], None]) -> Iterator[None]:
    """Gives jobs to a crew as it has room, and its results to `take`, until nothing is left to do. Yields after each
    look at the crew.

    `more` returns the next job; None if there is none now. It is asked again after results were taken.
    """
    while True:
        while crew.has_room() and (job := more()) is not None:
            crew.give(job)
        if not crew.is_busy():
            return
        for job_done, result in crew.done():
            take(job_done, result)
        yield


class LocalCrew:
    """At most `settings.workers` workers that take jobs and return batches.

    A record may take `settings.timeout` seconds, up to ten times as long while other processes use the cores (on
    Linux). A context manager: leaving it ends the processes.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loop = LoopThread(NAME)
        self._given = 0
        """Jobs of which not all batches were taken."""

    def __enter__(self) -> Self:
        settings = self._settings
        self._work = partial(work, settings)
        self._pool = Pool(
            self._work,
            workers=settings.workers,
            timeout=settings.timeout,
            memory=settings.memory,
            modules=FOR_INGESTS,
            name=NAME,
        )
        self._batches: asyncio.Queue[tuple[SpanJob, Batch] | Exception] = asyncio.Queue(settings.workers)
        self._loop.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._loop.__exit__()
        finally:  # also after a second Ctrl-C
            self._pool.close()

    def has_room(self) -> bool:
        """Returns whether another job can be given to a worker now."""
        return self._given < self._settings.workers

    def is_busy(self) -> bool:
        """Returns whether any worker has a job."""
        return self._given > 0

    def give(self, job: SpanJob) -> None:
        """Gives a job to an idle worker."""
        self._given += 1
        self._loop.submit(self._do(job))

    def done(self) -> Iterator[tuple[SpanJob, Batch]]:
        """Yields the batches that were finished since the last call, each with what was left of its job before; waits a
        moment if there are none. Raises WorkerDied if workers cannot be kept running."""
        for found in self._loop.run(self._next()):
            if isinstance(found, Exception):
                raise found
            self._given -= found[1].finished
            yield found

    def state(self) -> str:
        """Returns nothing: the workers of this machine are always there."""
        return ""

    async def _next(self) -> list[tuple[SpanJob, Batch] | Exception]:
        try:
            found = [await asyncio.wait_for(self._batches.get(), LOOK_SECONDS)]
        except TimeoutError:
            return []
        while not self._batches.empty():
            found.append(self._batches.get_nowait())
        return found

    async def _do(self, job: SpanJob) -> None:
        """Does a job. Whenever its worker dies, another one gets the rest, without the record that is to blame."""
        is_finished = False
        try:
            while not is_finished:
                try:
                    async with aclosing(self._pool.stream(self._work, job, subject=job.span.path)) as batches:
                        async for batch in batches:
                            await self._batches.put((job, batch))
                            job, is_finished = job.after(batch), batch.finished
                except Lost as lost:
                    if (place := lost.place) is not None:
                        why = lost.failure.reason
                        logger.warning(
                            "%s: %s, at record %d of byte %d", job.span.path, why, place.number, place.offset
                        )
                        job = job.without(place, lost.failure)
        except Exception as error:  # noqa: BLE001  it is raised where the batch was waited for
            await self._batches.put(error)
