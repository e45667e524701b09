"""Extracts captures of the archive on the workers of a Dask scheduler (extra `dask`). Places of captures go out, pages
come back, and this machine compares and stores them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from newscrawl.archive.read import Archived, load
from newscrawl.batch.cluster.address import Certificates
from newscrawl.batch.cluster.cluster import Cluster
from newscrawl.batch.cluster.kept_processes import extraction_process
from newscrawl.batch.cluster.worker import problem_here
from newscrawl.batch.digest import digest_of
from newscrawl.batch.spans import SpanOptions
from newscrawl.errors import ArchiveError, BadAnswer, NewscrawlError, os_reason
from newscrawl.ingest.inputs import InputSpan
from newscrawl.ingest.worker import Batch, SpanJob

NOT_EXTRACTED: Final = "extraction/worker_died"
"""The counter of captures whose task has failed, whatever the reason; the log has it."""


@dataclass(frozen=True, slots=True)
class CapturesTask:
    """Everything that a worker needs to extract captures. It has no keys and no address of a database."""

    span: InputSpan
    options: SpanOptions
    digest: str


class ClusterWorkers:
    """The workers of a scheduler as those of a reextraction (`run.SpanWorkers`). A context manager, as is Cluster,
    whose errors it raises. Each worker must be able to read the capture `first`."""

    def __init__(
        self, address: str, certificates: Certificates, options: SpanOptions, first: Archived | None = None
    ) -> None:
        self._options = options
        self._digest = digest_of(options)
        seen = partial(look, first, options, self._digest)
        self._cluster: Cluster[CapturesTask, tuple[Batch, ...]] = Cluster(address, certificates, seen, attempt)

    def __enter__(self) -> Self:
        self._cluster.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.__exit__()

    def has_room(self) -> bool:
        """Returns whether a worker would begin the job soon."""
        return self._cluster.has_room()

    def is_busy(self) -> bool:
        """Returns whether a job is not done yet."""
        return self._cluster.is_busy()

    def give(self, job: SpanJob) -> None:
        """Sends a job to the scheduler."""
        self._cluster.give(CapturesTask(job.span, self._options, self._digest), "captures")

    def done(self) -> Iterator[tuple[SpanJob, Batch]]:
        """Yields the batches of the jobs that were done since the last call. The captures of a job that failed are
        counted as skipped, and its reason is a defect."""
        for task, outcome in self._cluster.done():
            job = SpanJob(task.span)
            if isinstance(outcome, str):
                number = len(task.span.archived)
                reason = f"{number} captures could not be extracted on the cluster: {outcome}"
                yield job, Batch((), {NOT_EXTRACTED: number}, task.span.start, True, (reason,))
                continue
            for batch in outcome:
                yield job, batch

    def state(self) -> str:
        """Returns the number of workers."""
        return self._cluster.state()


def look(first: Archived | None, options: SpanOptions, digest: str) -> str | None:
    """Returns why this worker cannot be used, None if it can."""
    if problem := problem_here(options, digest):
        return problem
    try:
        if first is not None:
            load(first, options.max_body)
    except BadAnswer:
        return None  # it can be read, and is no page
    except ArchiveError as error:
        return f"it cannot read the archive ({error}): give a folder that all machines share, or s3://"
    except OSError as error:
        return f"it cannot read the archive {first.place if first else ''}: {os_reason(error)}"
    return None


def attempt(task: CapturesTask) -> tuple[Batch, ...] | str:
    """Extracts captures in a process of its own, with the limits of a crawl's workers. Returns the reason of a failure
    as text, because not every error can be sent."""
    if problem := problem_here(task.options, task.digest):
        return problem
    found: list[Batch] = []
    try:
        with extraction_process(task.options, task.digest) as workers:
            workers.give(SpanJob(task.span))
            while workers.is_busy():
                found += (batch for _, batch in workers.done())
    except NewscrawlError as error:
        return str(error)
    except OSError as error:
        return os_reason(error)
    return tuple(found)
