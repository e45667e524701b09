"""The pool of worker processes: each calls functions with what it is given. What hangs, uses too much memory or kills
its worker loses only itself.

The event loop itself talks to the workers (`PipeTransport`), without threads. Most work is done in the fast lane, in
which a worker may get its next page while it works on one, so that it never waits for the event loop. When it dies,
jobs that it has not begun go to another worker. Sources go before pages. A source that costs more than a second is read
again in the slow lane, so that it delays nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import pickle
import socket
import struct
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from newscrawl.config.logs.lines import about
from newscrawl.errors import ExtractionTimeout, WorkerDied
from newscrawl.model import SOURCE_DIED, SOURCE_TIMEOUT, TOO_COSTLY, Failure
from newscrawl.workers.extraction_worker import At, Computed, Request, serve
from newscrawl.workers.processes.forkserver import Child, prepare
from newscrawl.workers.processes.supervisor import Ended, Restarts, Worker, WorkerFactory

logger = logging.getLogger(__name__)

T = TypeVar("T")

AT_ONCE: Final = 2
"""Pages that a worker has at a time: the one it works on and the next."""
AHEAD: Final = 2
"""Messages of a stream that wait for their receiver. With more its worker waits, which limits memory."""
JOBS_PER_WORKER: Final = 5_000
"""Jobs after which a worker is replaced, so that a leak in a native library cannot grow endlessly."""
JOBS_OF_STREAM: Final = 100
"""A stream counts as this many jobs: it has 100 to 200 pages."""
TRY_SECONDS: Final = 1.0
"""CPU seconds that a source may take in the fast lane. A feed of 100 entries takes 30 ms, a front page of 600 links
60 ms, a news sitemap of 1,000 entries 80 ms. A source that takes longer is most often an archive, or an attack."""
SOURCE_TIMEOUT_RATIO: Final = 4.0
"""The time-out of a source is this many times its limit of CPU seconds. After that its worker counts as hung."""
MAX_RENEWALS: Final = 5
RENEWAL_SECONDS: Final = 3_600.0
"""Seconds. The pool is given up when more than MAX_RENEWALS losses happen in this time: the process that workers are
forked from died, or a worker that had begun nothing. A crawl that runs for months may survive more losses."""
ONE_DEATH_SECONDS: Final = 10.0
"""Losses of workers within this time have one cause, such as the death of their common parent. On a busy machine a
killed process took seconds to end. After MAX_RENEWALS times this long without workers the pool is given up."""
PAUSE_SECONDS: Final = 0.25
"""Pause after a failed start. A killed process takes a moment to end, and until then CPython's forkserver, which only
asks whether it exists, does not start it again."""

_OF_PAGE: Final = {"hung": ExtractionTimeout.code}
_OF_SOURCE: Final = {"hung": SOURCE_TIMEOUT, "died": SOURCE_DIED, "over_cpu": TOO_COSTLY}


class Lost(Exception):
    """A stream ended before its end, by `failure`. `place` is the last one that its function has marked; None: nothing
    of the input is to blame."""

    def __init__(self, failure: Failure, place: Any) -> None:
        super().__init__(failure.reason)
        self.failure = failure
        self.place = place


@dataclass(eq=False, slots=True)
class _Job:
    """A request for a worker, and the answers for the caller that waits for them."""

    request: Request
    subject: str
    timeout: float
    is_stream: bool = False
    place: Any = None
    """The place that the function of a stream has marked."""
    worker: _Worker | None = None
    is_wanted: bool = True
    """Whether the caller still waits."""
    answers: asyncio.Queue[Any] = field(default_factory=asyncio.Queue)

    @property
    def goes_alone(self) -> bool:
        """Whether its worker must have no other job. A source may be costly, and nothing waits behind a stream."""
        return self.is_stream or self.request.cpu is not None

    async def next_answer(self) -> Any:
        """Returns the next answer. Raises WorkerDied if there can be none, CancelledError if the pool is closed."""
        answer = await self.answers.get()
        if isinstance(answer, BaseException):
            raise answer
        if self.worker is not None and self.answers.qsize() < AHEAD:
            self.worker.resume()
        return answer

    def failure_of(self, ended: Ended) -> Failure:
        """Returns the failure of what was given to a worker that ended."""
        if self.request.cpu is None:
            return Failure(_OF_PAGE.get(ended.how, WorkerDied.code), ended.reason)
        too_much = f"reading it took more than {self.request.cpu:g} s of CPU time"
        kind = _OF_SOURCE.get(ended.how, SOURCE_DIED)
        return Failure(kind, too_much if kind == TOO_COSTLY else ended.reason)


class _Worker(Worker):
    """A worker of a lane and its jobs. It works on the first, which is blamed if the process ends."""

    def __init__(self, child: Child, lane: _Lane) -> None:
        super().__init__(child)
        self.jobs: deque[_Job] = deque()
        self.given = 0
        self._is_paused = False
        self._alarm: asyncio.TimerHandle | None = None
        self._link = PipeTransport(child.pipe, partial(lane.received, self), partial(lane.lost, self))

    def takes(self, job: _Job) -> bool:
        """Returns whether the job can be given now."""
        if not self.jobs:
            return True
        return len(self.jobs) < AT_ONCE and not job.goes_alone and not self.jobs[0].is_stream

    def give(self, job: _Job) -> None:
        """Sends one more job."""
        self.jobs.append(job)
        job.worker = self
        self.given += JOBS_OF_STREAM if job.is_stream else 1
        if len(self.jobs) == 1:
            self.watch()
        self._link.send(pickle.dumps(job.request, pickle.HIGHEST_PROTOCOL))

    def done(self) -> _Job:
        """Takes the first job off, and begins with the next."""
        job = self.jobs.popleft()
        job.worker = None
        self.resume()
        if self.jobs:
            self.watch()
        return job

    def watch(self) -> None:
        """Starts the time-out of the first job, or of the place of a stream. One timer serves many: when it fires, it
        is set again."""
        loop, job = asyncio.get_running_loop(), self.jobs[0]
        is_timed = not self._is_paused and (not job.is_stream or job.place is not None)
        self.begin(job.timeout if is_timed else math.inf, loop.time())
        if is_timed and self._alarm is None:
            self._alarm = loop.call_at(self.begun + job.timeout, self._check)

    def pause(self) -> None:
        """Reads no more messages, and lets no time-out run: the worker waits when its pipe is full."""
        self._is_paused = True
        self._link.pause()
        self.watch()

    def resume(self) -> None:
        """Goes on after `pause`."""
        if self._is_paused:
            self._is_paused = False
            self._link.resume()
            if self.jobs:
                self.watch()

    def close(self) -> None:
        """Closes the worker as `Worker.close` does. No callback is called any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._link.close()
        super().close()

    def _check(self) -> None:
        loop = asyncio.get_running_loop()
        self._alarm = None
        if self.jobs and 0 < (left := self.kill_if_hung(loop.time())) < math.inf:
            self._alarm = loop.call_later(left, self._check)


class Pool:
    """Up to `workers` processes, which start one by one while jobs wait. A job may take `timeout` seconds (on Linux up
    to ten times as long if other processes use the cores). Each process may use `memory` bytes of address space.

    `main` is the function of most jobs. It is sent to each worker once, with the arguments that are always the same (a
    partial). `modules` are imported by the process from which workers are forked, `name` is shown by the system, `nice`
    is added to the nice value of workers. A pool belongs to the event loop that uses it. If another loop uses it, it
    starts new workers there.
    """

    def __init__(
        self,
        main: Callable[..., Any],
        *,
        workers: int,
        timeout: float,
        memory: int,
        modules: tuple[str, ...],
        name: str,
        nice: int = 0,
    ) -> None:
        self._main = main
        self._timeout = timeout
        self._factory = WorkerFactory(name, memory, serve, main, memory, nice)
        start = partial(_start, self._factory, modules)
        restarts = Restarts(MAX_RENEWALS, RENEWAL_SECONDS)
        self._fast = _Lane(start, restarts, size=workers)
        self._slow = _Lane(start, restarts, size=1, keeps=False)
        self._loop: asyncio.AbstractEventLoop | None = None
        prepare(modules)  # takes a second, in which the caller finds its first jobs

    async def call(
        self, function: Callable[..., T | Failure], *arguments: Any, subject: str, cpu: float | None = None
    ) -> Computed[T]:
        """Calls a module-level function in a worker. Returns its result; or its failure if it returns one, raises an
        error, hangs or kills the worker. With `cpu` the arguments are a source, which goes before pages and may take so
        many seconds of CPU time. `subject` is for the log.

        Raises WorkerDied if no workers can be kept running at all. Then the crawl cannot continue.
        """
        self._enter_loop()
        if cpu is None:
            return await self._answer(self._fast, _Job(self._request(function, arguments), subject, self._timeout))
        first: Computed[T] = await self._read(self._fast, function, arguments, subject, min(cpu, TRY_SECONDS))
        if first.failure is None or first.failure.code != TOO_COSTLY or cpu <= TRY_SECONDS:
            return first
        again: Computed[T] = await self._read(self._slow, function, arguments, subject, cpu)
        return replace(again, seconds=first.seconds + again.seconds)

    async def stream(self, function: Callable[..., Any], *arguments: Any, subject: str) -> AsyncGenerator[Any]:
        """Calls a module-level function that returns a generator, and yields the generator's values. `timeout` is then
        for each place that the function marks (`extraction_worker.mark`). While the receiver does not take what is
        yielded, the worker waits and no time-out runs.

        Raises Lost if the worker hangs or dies, or the function raises an error, and WorkerDied as `call` does. Close
        the generator if it is not used up.
        """
        self._enter_loop()
        job = _Job(self._request(function, arguments), subject, self._timeout, is_stream=True)
        self._fast.add(job)
        try:
            while not isinstance(answer := await job.next_answer(), Computed | Ended):
                yield answer
        finally:
            self._fast.drop(job)
        failure = answer.failure if isinstance(answer, Computed) else job.failure_of(answer)
        if failure is not None:
            raise Lost(failure, job.place)

    def close(self) -> None:
        """Stops the workers; jobs still in them are lost. Blocks until the processes have ended."""
        self._give_up()
        self._factory.close()

    def _request(self, function: Callable[..., Any], arguments: tuple[Any, ...], cpu: float | None = None) -> Request:
        return Request(None if function is self._main else function, arguments, cpu)

    async def _read(
        self, lane: _Lane, function: Callable[..., Any], arguments: tuple[Any, ...], subject: str, cpu: float
    ) -> Computed[Any]:
        timeout = max(self._timeout, SOURCE_TIMEOUT_RATIO * cpu)
        return await self._answer(lane, _Job(self._request(function, arguments, cpu), subject, timeout))

    async def _answer(self, lane: _Lane, job: _Job) -> Computed[Any]:
        lane.add(job)
        try:
            answer: Computed[Any] | Ended = await job.next_answer()
        finally:
            job.is_wanted = False
        if isinstance(answer, Computed):
            return answer
        return Computed(None, job.failure_of(answer), job.request.cpu or 0.0)

    def _enter_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._give_up()
            self._loop = loop

    def _give_up(self) -> None:
        is_open = self._loop is not None and not self._loop.is_closed()
        for lane in (self._fast, self._slow):
            lane.give_up(cancel=is_open)


def _start(factory: WorkerFactory, modules: tuple[str, ...]) -> Child:
    prepare(modules)  # the process that workers are forked from may have died
    return factory.start()


class _Lane:
    """Up to `size` workers and the jobs that wait for them. With `keeps`, idle workers stay."""

    def __init__(self, start: Callable[[], Child], restarts: Restarts, *, size: int, keeps: bool = True) -> None:
        self._start = start
        self._restarts = restarts
        self._size = size
        self._keeps = keeps
        self._sources: deque[_Job] = deque()
        self._pages: deque[_Job] = deque()
        self._workers: list[_Worker] = []
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, job: _Job) -> None:
        """Takes a job. Its answers come in time; the last one is a Computed or an Ended."""
        self._queue_of(job).append(job)
        self._hand_out()

    def drop(self, job: _Job) -> None:
        """Ends a job whose caller does not wait any more, and the worker that works on it."""
        job.is_wanted = False
        if (worker := job.worker) is not None and worker in self._workers:
            self._workers.remove(worker)
            worker.child.process.kill()
            worker.close()
            self._hand_out()

    def give_up(self, *, cancel: bool) -> None:
        """Drops all workers and jobs. With `cancel` the callers are cancelled; without, their event loop is closed."""
        jobs = [*self._sources, *self._pages, *(job for worker in self._workers for job in worker.jobs)]
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._sources.clear()
        self._pages.clear()
        self._starting = 0
        if cancel:
            for job in jobs:
                job.answers.put_nowait(asyncio.CancelledError())

    def received(self, worker: _Worker, message: bytes) -> None:
        """Handles a message of a worker about its first job."""
        answer, job = pickle.loads(message), worker.jobs[0]  # noqa: S301  from a worker of ours
        if isinstance(answer, At):
            job.place = answer.place
            worker.watch()
        elif isinstance(answer, Computed):
            if answer.defect:
                logger.error("extraction of %s failed\n%s", job.subject, answer.defect, extra=about(url=job.subject))
            self._end(worker.done(), answer, answer.failure)
            if worker.given >= JOBS_PER_WORKER or not (self._keeps or worker.jobs or self._sources):
                self._retire(worker)
            self._hand_out()
        else:
            job.answers.put_nowait(answer)
            if job.answers.qsize() >= AHEAD:
                worker.pause()

    def lost(self, worker: _Worker) -> None:
        """Handles the end of a worker."""
        self._workers.remove(worker)
        worker.close()
        self._run(self._bury(worker))

    def _queue_of(self, job: _Job) -> deque[_Job]:
        return self._pages if job.request.cpu is None else self._sources

    def _put_back(self, jobs: Iterable[_Job]) -> None:
        for job in reversed(list(jobs)):
            job.worker = None
            self._queue_of(job).appendleft(job)

    def _hand_out(self) -> None:
        """Gives waiting jobs to the workers with the fewest jobs. Starts further workers while all are busy."""
        while queue := self._sources or self._pages:
            job = queue[0]
            if not job.is_wanted:
                queue.popleft()
                continue
            if self._restarts.are_too_many:
                queue.popleft()
                error = f"workers cannot be kept running, {self._restarts.reason}: find out what kills them (memory?)"
                job.answers.put_nowait(WorkerDied(error))
                continue
            worker = min(self._workers, key=lambda worker: len(worker.jobs), default=None)
            if worker is None or worker.jobs:
                self._add_workers(len(self._sources) + len(self._pages))
            if worker is None or not worker.takes(job) or (worker.jobs and self._starting):
                return
            worker.give(queue.popleft())

    def _add_workers(self, jobs: int) -> None:
        """Starts as many workers as there are jobs for them, if there is room."""
        room = self._size - len(self._workers) - self._starting
        for _ in range(min(room, jobs - self._starting)):
            self._starting += 1
            self._run(self._add_worker())

    async def _add_worker(self) -> None:
        try:
            child = await asyncio.to_thread(self._start)
        except (OSError, EOFError) as error:
            self._count_loss(f"none can be started: {error}")
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            self._workers.append(_Worker(child, self))
        self._starting -= 1
        self._hand_out()

    def _count_loss(self, reason: str) -> None:
        if self._restarts.count(reason, ONE_DEATH_SECONDS):
            logger.error("the extraction workers are gone (%s): starting new ones", reason)

    def _end(self, job: _Job, answer: Computed[Any] | Ended, failure: Failure | None) -> None:
        """Gives a job its last answer. A stream that fails at no place would fail again: that counts as a loss."""
        if failure is not None and job.is_stream and job.place is None:
            self._restarts.count(failure.reason)
        job.answers.put_nowait(answer)

    def _retire(self, worker: _Worker) -> None:
        """Ends a worker that has had enough jobs, and takes the job back that it has not begun."""
        self._workers.remove(worker)
        self._put_back(worker.jobs)
        worker.close()

    async def _bury(self, worker: _Worker) -> None:
        """Ends the first job of a worker that ended, because that job ended it, and queues its other jobs again."""
        ended = await asyncio.to_thread(worker.ended)
        if worker.jobs and ended.how != "orphaned":
            job = worker.jobs.popleft()
            job.worker = None
            self._end(job, ended, job.failure_of(ended))
        elif ended.how == "orphaned":
            self._count_loss("the process they are forked from was killed")
            if worker.jobs and worker.jobs[0].is_stream:  # nothing of it is to blame, and it cannot begin again
                job = worker.jobs.popleft()
                job.worker = job.place = None
                job.answers.put_nowait(ended)
        self._put_back(worker.jobs)
        self._hand_out()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_HEAD: Final = struct.Struct("!i")
"""The length before each message, as in multiprocessing.connection: the other end is an ordinary Connection."""
_READ: Final = 1 << 18
"""Bytes read at once: all that a pipe holds."""


class PipeTransport:
    """Our end of a duplex pipe, of which it takes ownership. `received` is called with each message, `lost` once, when
    the other end is closed; both in the event loop."""

    def __init__(self, pipe: Connection, received: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self._socket = socket.socket(fileno=os.dup(pipe.fileno()))
        self._socket.setblocking(False)
        pipe.close()
        self._received = received
        self._lost = lost
        self._arrived = bytearray()
        self._read_into = memoryview(bytearray(_READ))
        self._unsent: list[memoryview] = []
        self._loop = asyncio.get_running_loop()
        self.resume()

    def pause(self) -> None:
        """Reads nothing until `resume`, so that the sender waits once the pipe is full. What has arrived is still
        handed over."""
        self._loop.remove_reader(self._socket)

    def resume(self) -> None:
        """Reads what arrives."""
        self._loop.add_reader(self._socket, self._read)

    def send(self, message: bytes) -> None:
        """Sends the message. What the pipe does not accept at once is sent later."""
        is_behind = bool(self._unsent)
        self._unsent += [memoryview(_HEAD.pack(len(message))), memoryview(message)]
        if not is_behind and not self._write():
            self._loop.add_writer(self._socket, self._write_on)

    def close(self) -> None:
        """Closes the pipe. No callback is called any more. A second call does nothing."""
        if self._socket.fileno() >= 0 and not self._loop.is_closed():
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
        self._unsent.clear()
        self._arrived.clear()
        self._socket.close()

    def _write_on(self) -> None:
        if self._write():
            self._loop.remove_writer(self._socket)

    def _write(self) -> bool:
        """Writes what the pipe accepts. Returns whether that was everything."""
        try:
            sent = self._socket.sendmsg(self._unsent)
        except BlockingIOError:
            return False
        except OSError:  # the other end is closed: _read notices that, after the messages that were sent before
            self._unsent.clear()
            return True
        while self._unsent and sent >= len(self._unsent[0]):
            sent -= len(self._unsent.pop(0))
        if self._unsent:
            self._unsent[0] = self._unsent[0][sent:]
        return not self._unsent

    def _read(self) -> None:
        try:
            size = self._socket.recv_into(self._read_into)
        except BlockingIOError:
            return
        except OSError:
            size = 0
        if not size:
            self.close()
            self._lost()
            return
        self._arrived += self._read_into[:size]
        while len(self._arrived) >= _HEAD.size:
            end = _HEAD.size + _HEAD.unpack_from(self._arrived)[0]
            if len(self._arrived) < end:
                break
            message = bytes(self._arrived[_HEAD.size : end])
            del self._arrived[:end]
            self._received(message)
