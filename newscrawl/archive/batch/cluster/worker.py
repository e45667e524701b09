"""Makes parts on the workers of a Dask scheduler (extra `dask`), and extracts captures of the archive there. Parts go
from the workers to their place, and only their numbers come back. Of captures, places go out and pages come back.

The extraction processes of the workers are kept between tasks. One that is started for each task loads its models and
its lists again: by an estimate from the totals of a batch of 20,000 pages, 0.2 s of CPU for a span that takes 0.7 s.
The plugin is on the workers as long as the command that gives them work.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from distributed import WorkerPlugin, get_worker

from newscrawl.archive.batch import manifest
from newscrawl.archive.batch.cluster.address import Certificates
from newscrawl.archive.batch.cluster.cluster import PLUGIN, Cluster
from newscrawl.archive.batch.digest import digest_of
from newscrawl.archive.batch.parts import PartResult, PartTask, make_part
from newscrawl.archive.batch.planning import BatchFile, look_at
from newscrawl.archive.batch.spans import SpanOptions
from newscrawl.archive.ingest.crew import LocalCrew
from newscrawl.archive.ingest.worker import Batch, SpanJob
from newscrawl.archive.places import place_at
from newscrawl.archive.read import Archived, load
from newscrawl.archive.web_files import is_remote
from newscrawl.errors import ArchiveError, BadAnswer, NewscrawlError, os_reason
from newscrawl.model.address_policy import AddressPolicy

NOT_EXTRACTED: Final = "extraction/worker_died"
"""The counter of captures whose task has failed, whatever the reason; the log has it."""


def part_cluster(
    address: str,
    certificates: Certificates,
    files: Sequence[BatchFile],
    options: SpanOptions,
    digest: str,
    place: str,
) -> Cluster[PartTask, PartResult | str]:
    """Returns the workers of a scheduler as an engine of a batch (`run.Engine`)."""
    check = partial(worker_problem, tuple(files), options, digest, place)
    return Cluster(address, certificates, check, attempt, lambda _, outcome: [outcome], part_of)


def part_of(task: PartTask) -> str:
    """Returns the name of the part that a task makes."""
    return task.span.part(task.digest)


def worker_problem(files: Sequence[BatchFile], options: SpanOptions, digest: str, place: str) -> str | None:
    """Returns why this worker cannot be used, None if it can: it must read the local files, write to the place, and
    extract with this digest."""
    if problem := problem_here(options, digest):
        return problem
    try:
        for file in files:
            if not is_remote(file.file) and look_at(file.file, options.addresses).key != file.key:
                return f"it has another file at {file.file}: give a folder that all machines share, or s3://"
        found = manifest.read(place_at(place))
    except NewscrawlError as error:
        return f"{error}; give files and --to that all machines share, or s3://"
    if found is None or found.digest != digest:
        return f"it does not see the folder {place} of this machine: give one that all share, or s3://"
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


_Key = tuple[str, AddressPolicy]


class KeptProcesses(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """The idle extraction processes of a Dask worker: at most one for each of its threads."""

    name = PLUGIN

    def setup(self, worker: Any) -> None:
        """Begins without processes. Dask calls it on each worker, also on those that start later."""
        self._lock = threading.Lock()
        self._idle: list[tuple[_Key, LocalCrew]] = []
        self._is_over = False

    def teardown(self, worker: Any) -> None:
        """Ends the idle processes. Those that are busy end with their task."""
        with self._lock:
            self._is_over = True
            idle, self._idle = self._idle, []
        for _, pool in idle:
            _end(pool)

    def take(self, options: SpanOptions, digest: str) -> LocalCrew:
        """Returns an idle process for these options, or a new one. Idle ones for other options are ended."""
        key = digest, options.addresses
        with self._lock:
            others = [pool for other, pool in self._idle if other != key]
            same = [one for one in self._idle if one[0] == key]
            found = same.pop()[1] if same else None
            self._idle = same
        for pool in others:
            _end(pool)
        return found if found is not None else LocalCrew(options.settings()).__enter__()

    def keep(self, options: SpanOptions, digest: str, pool: LocalCrew) -> None:
        """Takes an idle process back, and ends it if the batch is over."""
        with self._lock:
            if not self._is_over:
                self._idle.append(((digest, options.addresses), pool))
                return
        _end(pool)


@contextmanager
def extraction_process(options: SpanOptions, digest: str) -> Iterator[LocalCrew]:
    """A process that extracts with these options, whose digest is given. It is kept for the next task, unless the task
    fails. A worker without the plugin starts one for the task."""
    kept = _kept_here()
    if kept is None:
        with LocalCrew(options.settings()) as pool:
            yield pool
        return
    pool = kept.take(options, digest)
    try:
        yield pool
    except BaseException:
        _end(pool)
        raise
    kept.keep(options, digest, pool)


def _kept_here() -> KeptProcesses | None:
    try:
        found = get_worker().plugins.get(PLUGIN)
    except ValueError:  # not in a task of a Dask worker
        return None
    return found if isinstance(found, KeptProcesses) else None


def _end(pool: LocalCrew) -> None:
    pool.__exit__(None, None, None)


def capture_cluster(
    address: str, certificates: Certificates, options: SpanOptions, first: Archived | None = None
) -> Cluster[SpanJob, Batch]:
    """Returns the workers of a scheduler as those of a reextraction. Each must be able to read the capture `first`. The
    captures of a job that failed are counted as skipped, and its reason is a defect."""
    digest = digest_of(options)
    return Cluster(
        address,
        certificates,
        partial(reader_problem, first, options, digest),
        partial(extract_captures, options, digest),
        _batches,
        lambda _: "captures",
    )


def _batches(job: SpanJob, outcome: tuple[Batch, ...] | str) -> tuple[Batch, ...]:
    if not isinstance(outcome, str):
        return outcome
    number = len(job.span.archived)
    reason = f"{number} captures could not be extracted on the cluster: {outcome}"
    return (Batch((), {NOT_EXTRACTED: number}, job.span.start, True, (reason,)),)


def reader_problem(first: Archived | None, options: SpanOptions, digest: str) -> str | None:
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


def extract_captures(options: SpanOptions, digest: str, job: SpanJob) -> tuple[Batch, ...] | str:
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
