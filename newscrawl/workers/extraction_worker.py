"""An extraction worker: how its process is started, and what it does with the pages and sources it gets."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from newscrawl.article import ArticleOptions, fingerprint
from newscrawl.errors import ExtractionError
from newscrawl.model import SOURCE_MEMORY, Article, Failure, ProcessedPage, RawPage, UsageRights, travels
from newscrawl.processes.rlimits import limit_memory
from newscrawl.workers.source_task import SourceRead, SourceTask, read_source

NICE: Final = 15
"""Workers leave the core to the crawl's own process when both want it: the event loop has deadlines, they have none. At
5 the loop waited twice as long, its turn after each burst of its own; Linux's idle class gives little more. On a
machine that others keep busy they have next to nothing, which is not counted as their pages' time (`starving`)."""

SOURCE_NICE: Final = 10
"""Sources go before pages: they are few, and only they know what is new. With 15 and the same share as a page's worker,
twenty feeds of 900 entries took half a minute on a machine that others kept busy."""

COSTLY_NICE: Final = 19
"""A source that needs more than a second goes after all others."""

SOURCE_ERROR: Final = "source/error"
"""A source that brought a defect of ours to light."""

Work = Callable[[RawPage, ArticleOptions], ProcessedPage]
Read = Callable[[SourceTask], SourceRead | Failure]


@travels
@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one page, without the raw page, which who asked has. `defect` is the traceback of an error of
    ours."""

    article: Article | None
    failure: Failure | None
    use: UsageRights | None = None
    defect: str = ""

    def of(self, raw: RawPage) -> ProcessedPage:
        """The page that it is the answer to."""
        return ProcessedPage(replace(raw, body=None, packing=None), self.article, self.failure, self.use)


@travels
@dataclass(frozen=True, slots=True)
class SourceRequest:
    """A source to read, and the CPU seconds it may take."""

    task: SourceTask
    seconds: float


@travels
@dataclass(frozen=True, slots=True)
class Computation:
    """A call of a module-level function with what a site sent, and the CPU seconds it may take."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float


@travels
@dataclass(frozen=True, slots=True)
class SourceAnswered:
    """What became of one source, and the CPU seconds it took: `read` is what the function returned that read it.
    `defect` is as in Answer."""

    read: Any
    failure: Failure | None
    seconds: float
    defect: str = ""


@dataclass(eq=False)
class WorkerFactory:
    """Starts workers, in any thread, and knows those that run."""

    work: Work
    options: ArticleOptions
    memory: int
    reading: Read = read_source
    _running: list[BaseProcess] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _is_closed: bool = False

    def start(self, nice: int = NICE) -> tuple[BaseProcess, Connection]:
        """A new process with so low a priority, and the pipe to it. Raises OSError or EOFError."""
        context = multiprocessing.get_context("forkserver")
        with self._lock:
            if self._is_closed:
                raise EOFError("the pool is closed")
            self._running = [process for process in self._running if process.is_alive()]
            ours, theirs = context.Pipe()
            arguments = (theirs, self.work, self.options, self.memory, self.reading, nice)
            process = context.Process(target=serve, args=arguments, name="newscrawl-extract", daemon=True)
            try:
                process.start()
            except BaseException:
                ours.close()
                raise
            finally:
                theirs.close()
            self._running.append(process)
        return process, ours

    def close(self) -> None:
        """Ends all of them; none is started any more. Blocks until they are gone."""
        with self._lock:
            self._is_closed = True
            for process in self._running:
                process.kill()
            for process in self._running:
                process.join()


def serve(pipe: Connection, work: Work, options: ArticleOptions, memory: int, reading: Read, nice: int) -> None:
    """A worker's whole life: (page, its options or None) in, Answer out, or SourceRequest in, SourceAnswered out, until
    the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, whatever C code it is in
    os.nice(nice)
    limit_memory(memory)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            request = pickle.loads(pipe.recv_bytes())  # noqa: S301  from the process that started us
            answer: Answer | SourceAnswered
            if isinstance(request, SourceRequest):
                answer = _within(request.seconds, memory, partial(reading, request.task))
            elif isinstance(request, Computation):
                answer = _within(request.seconds, memory, partial(request.function, *request.arguments))
            else:
                raw, other = request
                answer = _answer(work, raw, other or options, memory)
            pipe.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def _answer(work: Work, raw: RawPage, options: ArticleOptions, memory: int) -> Answer:
    """The page's article with its hashes, which would else be worked out in the crawl's own process."""
    try:
        page = fingerprint(work(raw, options))
    except MemoryError:
        return Answer(None, Failure("extraction/memory", _too_large(memory)))
    # A defect of ours that this page brought to light: said loudly by who gets the answer, kept with the page, and no
    # reason to stop the crawl of all others.
    except Exception as error:  # noqa: BLE001
        reason = f"{type(error).__name__}: {error}"
        return Answer(None, Failure(ExtractionError.kind, reason), defect=traceback.format_exc())
    return Answer(page.article, page.failure, page.use)


def _within(seconds: float, memory: int, work: Callable[[], Any]) -> SourceAnswered:
    """What the work returns. After so many `seconds` of CPU time this process is killed (setitimer(2), ITIMER_PROF)."""
    begun = time.process_time()
    failure: Failure | None = None
    read: Any = None
    defect = ""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        found = work()
        read, failure = (None, found) if isinstance(found, Failure) else (found, None)
    except MemoryError:
        failure = Failure(SOURCE_MEMORY, _too_large(memory))
    except Exception as error:  # noqa: BLE001  as in _answer
        failure, defect = Failure(SOURCE_ERROR, f"{type(error).__name__}: {error}"), traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return SourceAnswered(read, failure, time.process_time() - begun, defect)


def _too_large(memory: int) -> str:
    return f"more than {memory >> 20} MB of memory"
