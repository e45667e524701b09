"""Extracts captures of the archive on the workers of a Dask scheduler (extra `dask`). Places of captures go out, pages
come back, and this machine compares and stores them."""

from __future__ import annotations

from functools import partial
from typing import Final

from newscrawl.archive.batch.cluster.address import Certificates
from newscrawl.archive.batch.cluster.cluster import Cluster
from newscrawl.archive.batch.cluster.worker import extraction_process, problem_here
from newscrawl.archive.batch.digest import digest_of
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.archive.ingest.worker import Batch, SpanJob
from newscrawl.archive.read import Archived, load
from newscrawl.errors import ArchiveError, BadAnswer, NewscrawlError, os_reason

NOT_EXTRACTED: Final = "extraction/worker_died"
"""The counter of captures whose task has failed, whatever the reason; the log has it."""


def capture_cluster(
    address: str, certificates: Certificates, options: SpanOptions, first: Archived | None = None
) -> Cluster[SpanJob, Batch]:
    """Returns the workers of a scheduler as those of a reextraction. Each must be able to read the capture `first`. The
    captures of a job that failed are counted as skipped, and its reason is a defect."""
    digest = digest_of(options)
    return Cluster(
        address,
        certificates,
        partial(worker_problem, first, options, digest),
        partial(attempt, options, digest),
        _batches,
        lambda _: "captures",
    )


def _batches(job: SpanJob, outcome: tuple[Batch, ...] | str) -> tuple[Batch, ...]:
    if not isinstance(outcome, str):
        return outcome
    number = len(job.span.archived)
    reason = f"{number} captures could not be extracted on the cluster: {outcome}"
    return (Batch((), {NOT_EXTRACTED: number}, job.span.start, True, (reason,)),)


def worker_problem(first: Archived | None, options: SpanOptions, digest: str) -> str | None:
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


def attempt(options: SpanOptions, digest: str, job: SpanJob) -> tuple[Batch, ...] | str:
    """Extracts captures in a process of its own, with the limits of a crawl's workers. Returns the reason of a failure
    as text, because not every error can be sent."""
    if problem := problem_here(options, digest):
        return problem
    found: list[Batch] = []
    try:
        with extraction_process(options, digest) as workers:
            workers.give(job)
            while workers.is_busy():
                found += (batch for _, batch in workers.done())
    except NewscrawlError as error:
        return str(error)
    except OSError as error:
        return os_reason(error)
    return tuple(found)
