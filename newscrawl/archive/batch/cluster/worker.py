"""Makes parts on the workers of a Dask scheduler (extra `dask`). Parts go from the workers to their place, and only
their numbers come back."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from newscrawl.archive.batch import manifest
from newscrawl.archive.batch.cluster.address import Certificates
from newscrawl.archive.batch.cluster.cluster import Cluster
from newscrawl.archive.batch.cluster.kept_processes import extraction_process
from newscrawl.archive.batch.digest import digest_of
from newscrawl.archive.batch.parts import PartResult, PartTask, make_part
from newscrawl.archive.batch.planning import BatchFile, look_at
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.archive.ingest.opening import is_remote
from newscrawl.archive.places import place_at
from newscrawl.errors import NewscrawlError, os_reason


@dataclass(frozen=True, slots=True)
class WorkerNeeds:
    """What a worker must be able to do: read the local files, write to the place, and extract with this digest."""

    files: Sequence[BatchFile]
    options: SpanOptions
    digest: str
    place: str


def part_cluster(
    address: str,
    certificates: Certificates,
    files: Sequence[BatchFile],
    options: SpanOptions,
    digest: str,
    place: str,
) -> Cluster[PartTask, PartResult | str]:
    """Returns the workers of a scheduler as an engine of a batch (`run.Engine`)."""
    needs = WorkerNeeds(tuple(files), options, digest, place)
    check = partial(worker_problem, needs)
    return Cluster(address, certificates, check, attempt, lambda _, outcome: [outcome], part_of)


def part_of(task: PartTask) -> str:
    """Returns the name of the part that a task makes."""
    return task.span.part(task.digest)


def worker_problem(needs: WorkerNeeds) -> str | None:
    """Returns why this worker cannot be used, None if it can."""
    if problem := problem_here(needs.options, needs.digest):
        return problem
    try:
        for file in needs.files:
            if not is_remote(file.file) and look_at(file.file, needs.options.addresses).key != file.key:
                return f"it has another file at {file.file}: give a folder that all machines share, or s3://"
        found = manifest.read(place_at(needs.place))
    except NewscrawlError as error:
        return f"{error}; give files and --to that all machines share, or s3://"
    if found is None or found.digest != needs.digest:
        return f"it does not see the folder {needs.place} of this machine: give one that all share, or s3://"
    return None


def problem_here(options: SpanOptions, digest: str) -> str | None:
    """Returns why this process cannot extract with these options, None if it can."""
    if multiprocessing.current_process().daemon:
        return (
            "it may not start processes, in which pages are extracted: start it with "
            "DASK_DISTRIBUTED__WORKER__DAEMON=false, or with --no-nanny"
        )
    if digest_of(options) != digest:
        return "it has another version of newscrawl, of Python or of a package that extracts: install the same"
    return None


def attempt(task: PartTask) -> PartResult | str:
    """Makes a part. Returns the reason of a failure as text, because not every error can be sent."""
    try:
        return make_part(task, extraction_process)
    except NewscrawlError as error:
        return str(error)
    except OSError as error:
        return os_reason(error)
