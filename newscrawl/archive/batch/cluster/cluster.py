"""The workers of a Dask scheduler as a crew: gives out tasks and collects their outcomes, also when workers die (extra
`dask`)."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from newscrawl.archive.batch.cluster.address import Certificates, checked_address, security_for
from newscrawl.errors import BatchStopped, UsageError
from newscrawl.model.wording import counted

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
R = TypeVar("R")

CONNECT_SECONDS: Final = 15.0
WORKER_SECONDS: Final = 60.0
"""How long a scheduler may be without any worker before the first task."""
LOOK_SECONDS: Final = 0.5
"""Longest wait for a task in one call."""
COUNT_SECONDS: Final = 2.0
"""Seconds between two counts of the workers."""
AHEAD: Final = 2
"""Tasks for each thread of a worker: the one it works on and the next."""
PLUGIN: Final = "newscrawl-processes"
"""The name under which workers keep their extraction processes."""
MAX_KILLED: Final = 10
"""How many times a task is given out again after Dask gave it up because its workers died (each time after
`distributed.scheduler.allowed-failures` deaths). Most workers die because their machine ends, not because of a task."""


class Cluster(Generic[T, R]):
    """The workers of a scheduler (`newscrawl.archive.ingest.crew.Crew`). A context manager: entering it connects and
    checks all workers, leaving it withdraws the tasks that are not done.

    A worker runs `attempt` with a task, which returns an outcome, or the reason of a failure as text. Before the first
    task each worker runs `check`, which returns why the worker cannot be used, None if it can. Both are module-level
    functions, or partials of them. `results` makes the task's results of its outcome or the reason, here. `name_of`
    names a task in Dask's own tools.

    Raises UsageError for an address that must not be used and for workers that cannot do the work, and BatchStopped for
    a scheduler that does not answer.
    """

    def __init__(
        self,
        address: str,
        certificates: Certificates,
        check: Callable[[], str | None],
        attempt: Callable[[T], Any],
        results: Callable[[T, Any], Iterable[R]],
        name_of: Callable[[T], str],
    ) -> None:
        require_dask()
        self._address = checked_address(address)
        self._security = security_for(self._address, certificates)
        self._check = check
        self._attempt = attempt
        self._results = results
        self._name_of = name_of
        self._futures: dict[Future, tuple[T, int]] = {}
        """The tasks that were given out, each with how many times its workers died."""
        self._arrived = threading.Event()
        self._counted = 0.0
        self._workers = self._threads = self._number = 0
        self._quiet = _quiet()

    def __enter__(self) -> Self:
        from distributed import Client

        self._quiet.__enter__()
        try:
            self._client: Client = Client(
                self._address,
                security=self._security,
                timeout=CONNECT_SECONDS,
                set_as_default=False,
                name="newscrawl",
            )
        except (OSError, RuntimeError, TypeError) as error:
            self._quiet.__exit__(None, None, None)
            raise BatchStopped(
                f"the scheduler {self._address} does not answer ({_line(error)}): start it, or check its certificates"
            ) from error
        try:
            self._check_workers()
            self._keep_processes()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):  # a scheduler that is gone has nothing to withdraw
            if self._futures and self._client.status == "running":
                self._client.cancel(list(self._futures), force=True)
        self._futures.clear()
        with suppress(Exception):
            if self._client.status == "running":
                self._client.unregister_worker_plugin(PLUGIN)
        with suppress(Exception):
            self._client.close(timeout=CONNECT_SECONDS)
        self._quiet.__exit__(None, None, None)

    def has_room(self) -> bool:
        """Returns whether a worker would begin the task soon."""
        self._count()
        return len(self._futures) < max(1, self._threads * AHEAD)

    def is_busy(self) -> bool:
        """Returns whether a task is not done yet."""
        return bool(self._futures)

    def give(self, job: T) -> None:
        """Sends a task to the scheduler."""
        self._submit(job)

    def done(self) -> Iterator[tuple[T, R]]:
        """Yields the results of the tasks that were done since the last call, each with its task; waits a moment if
        there are none. Raises BatchStopped if the scheduler is lost."""
        self._arrived.wait(LOOK_SECONDS)
        self._arrived.clear()
        self._count()
        for future in [future for future in self._futures if future.status != "pending"]:
            with self._answering():
                outcome, killed = self._outcome(future)
            task, _ = self._futures.pop(future)
            if outcome is None:
                self._submit(task, killed)
            else:
                for result in self._results(task, outcome):
                    yield task, result

    def state(self) -> str:
        """Returns the number of workers."""
        return counted(self._workers, "worker")

    def _submit(self, task: T, killed: int = 0) -> None:
        self._number += 1
        key = f"newscrawl-{self._name_of(task)}-{id(self):x}-{self._number}"
        with self._answering():
            future = self._client.submit(self._attempt, task, key=key, pure=False)
        self._futures[future] = (task, killed)
        future.add_done_callback(lambda _: self._arrived.set())

    def _outcome(self, future: Future) -> tuple[Any, int]:
        """Returns the outcome of a future that is done (None for a task that is to be given out again), and how many
        times its workers died."""
        from distributed import KilledWorker

        _, killed = self._futures[future]
        if future.status in {"cancelled", "lost"}:
            return None, killed
        if future.status == "finished":
            return future.result(timeout=CONNECT_SECONDS), killed
        error = future.exception(timeout=CONNECT_SECONDS)
        if not isinstance(error, KilledWorker):
            return f"{type(error).__name__}: {_line(error)}", killed
        return None if killed < MAX_KILLED else "its workers died again and again", killed + 1

    def _count(self) -> None:
        if time.monotonic() - self._counted > COUNT_SECONDS:
            with self._answering():
                threads = self._client.nthreads()
            self._workers, self._threads = len(threads), sum(threads.values())
            self._counted = time.monotonic()

    def _check_workers(self) -> None:
        """Raises UsageError if a worker cannot do the work, BatchStopped if there is none."""
        with self._answering():
            try:
                self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
            except TimeoutError:
                raise BatchStopped(f"the scheduler {self._address} has no worker: start `dask worker`") from None
            found: dict[str, Any] = self._client.run(self._check, on_error="return")
        for worker, problem in found.items():
            if isinstance(problem, OSError):
                continue  # it died meanwhile; another one in its place is checked with its first task
            if isinstance(problem, Exception):
                way = "run `pip install '.[dask,parquet]'` in newscrawl's clone there"
                problem = f"{type(problem).__name__}: {_line(problem)}; {way}"
            if problem is not None:
                raise UsageError(f"the worker {worker} cannot be used: {problem}")

    def _keep_processes(self) -> None:
        """Lets all workers, also later ones, keep their extraction processes between tasks."""
        from newscrawl.archive.batch.cluster.worker import KeptProcesses

        with self._answering():
            self._client.register_plugin(KeptProcesses())

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Raises BatchStopped if the scheduler is lost meanwhile."""
        from concurrent.futures import CancelledError

        try:
            yield
        except (OSError, CancelledError, RuntimeError) as error:
            raise self._lost() from error
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> BatchStopped:
        return BatchStopped(
            f"the scheduler {self._address} is lost; what was finished is kept. Start it again: the same command "
            "continues from there"
        )


def require_dask() -> None:
    """Raises UsageError if Dask is not installed."""
    try:
        import distributed as distributed
    except ModuleNotFoundError as error:
        raise UsageError("--on needs Dask: run `pip install '.[dask]'` in newscrawl's clone") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Leaves out Dask's own log lines: what an operator has to know is said by this module."""
    loggers = [logging.getLogger(name) for name in ("distributed", "tornado", "asyncio")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _line(error: BaseException | None) -> str:
    return " ".join(str(error).split())[:300]
