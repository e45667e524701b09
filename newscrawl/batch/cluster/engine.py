"""Makes parts on the workers of a Dask scheduler (extra `dask`). Parts go from the workers to their place, and only
their numbers come back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Self

from newscrawl.batch.cluster.address import Certificates, checked_address, security_for
from newscrawl.batch.cluster.worker import Look, attempt, look
from newscrawl.batch.parts import PartResult, PartSpan, PartTask
from newscrawl.batch.planning import BatchFile
from newscrawl.batch.spans import SpanOptions
from newscrawl.errors import BatchStopped, UsageError
from newscrawl.wording import counted

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS: Final = 15.0
WORKER_SECONDS: Final = 60.0
"""How long a scheduler may be without any worker before the first span."""
LOOK_SECONDS: Final = 0.5
"""Longest wait for a span in one call."""
COUNT_SECONDS: Final = 2.0
"""Seconds between two counts of the workers."""
AHEAD: Final = 2
"""Spans for each thread of a worker: the one it works on and the next."""
MAX_KILLED: Final = 10
"""How many times a span is given out again after Dask gave it up because its workers died (each time after
`distributed.scheduler.allowed-failures` deaths). Workers die of their machine's end far more often than of a span."""


class DaskEngine:
    """The workers of a scheduler. A context manager: entering it connects and checks all workers, leaving it withdraws
    the spans that are not done.

    Raises UsageError for an address that must not be used and for workers that cannot do the work, and BatchStopped for
    a scheduler that does not answer.
    """

    def __init__(
        self,
        address: str,
        certificates: Certificates,
        files: Sequence[BatchFile],
        options: SpanOptions,
        digest: str,
        place: str,
    ) -> None:
        require_dask()
        self._address = checked_address(address)
        self._security = security_for(self._address, certificates)
        self._wanted = Look(tuple(files), options, digest, place)
        self._futures: dict[Future, PartTask] = {}
        self._killed: dict[PartSpan, int] = {}
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
                name="newscrawl-batch",
            )
        except (OSError, RuntimeError, TypeError) as error:
            self._quiet.__exit__(None, None, None)
            raise BatchStopped(
                f"the scheduler {self._address} does not answer ({_line(error)}): start it, or check its certificates"
            ) from error
        try:
            self._check_workers()
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
            self._client.close(timeout=CONNECT_SECONDS)
        self._quiet.__exit__(None, None, None)

    def has_room(self) -> bool:
        """Returns whether a worker would begin the span soon."""
        self._count()
        return len(self._futures) < max(1, self._threads * AHEAD)

    def is_busy(self) -> bool:
        """Returns whether a span is not done yet."""
        return bool(self._futures)

    def give(self, task: PartTask) -> None:
        """Sends a span to the scheduler."""
        self._number += 1
        key = f"newscrawl-{task.span.part(task.digest)}-{id(self):x}-{self._number}"
        with self._answering():
            future = self._client.submit(attempt, task, key=key, pure=False)
        self._futures[future] = task
        future.add_done_callback(lambda _: self._arrived.set())

    def done(self) -> Iterator[tuple[PartSpan, PartResult | str]]:
        """Yields the spans that were done; see `run.Engine`."""
        self._arrived.wait(LOOK_SECONDS)
        self._arrived.clear()
        self._count()
        for future in [future for future in self._futures if future.status != "pending"]:
            with self._answering():
                outcome = self._outcome(future)
            task = self._futures.pop(future)
            if outcome is None:
                self.give(task)
            else:
                yield task.span, outcome

    def state(self) -> str:
        """Returns the number of workers."""
        return counted(self._workers, "worker")

    def _outcome(self, future: Future) -> PartResult | str | None:
        """Returns the outcome of a future that is done; None for a span that is to be given out again."""
        from distributed import KilledWorker

        span = self._futures[future].span
        if future.status in {"cancelled", "lost"}:
            return None
        if future.status == "finished":
            result: PartResult | str = future.result(timeout=CONNECT_SECONDS)
            return result
        error = future.exception(timeout=CONNECT_SECONDS)
        if not isinstance(error, KilledWorker):
            return f"{type(error).__name__}: {_line(error)}"
        self._killed[span] = self._killed.get(span, 0) + 1
        return None if self._killed[span] <= MAX_KILLED else "its workers died again and again"

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
            found: dict[str, Any] = self._client.run(look, self._wanted, on_error="return")
        for worker, problem in found.items():
            if isinstance(problem, OSError):
                continue  # it died meanwhile; another one in its place is checked with its first span
            if isinstance(problem, Exception):
                problem = f"{type(problem).__name__}: {_line(problem)}; install newscrawl[dask,parquet] there"
            if problem is not None:
                raise UsageError(f"the worker {worker} cannot be used: {problem}")

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
            f"the scheduler {self._address} is lost; the finished parts are kept. Start it again: the same command "
            "continues from there"
        )


def require_dask() -> None:
    """Raises UsageError if Dask is not installed."""
    try:
        import distributed as distributed
    except ModuleNotFoundError as error:
        raise UsageError("--on needs Dask: run `pip install 'newscrawl[dask]'`") from error


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
