"""The process of an extraction worker: its work on the pages and sources that it receives."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from newscrawl.model import SOURCE_MEMORY, Article, Failure, ProcessedPage, RawPage, UsageRights
from newscrawl.processes.forkserver import requests
from newscrawl.workers.page_task import Work, guarded, process_page

if TYPE_CHECKING:
    from newscrawl.article.make import ArticleOptions

T = TypeVar("T")

NICE: Final = 15
"""Added to the nice value of workers. The crawl's own process goes first when both want the core, because its event
loop has deadlines. On a busy machine workers get hardly any CPU time, and that wait does not count towards the page
timeout (`supervisor`)."""

SOURCE_ERROR: Final = "source/error"
"""A defect of newscrawl that a source revealed."""


@dataclass(frozen=True, slots=True)
class ExtractionAnswer:
    """The result for one page, without the raw page, which the caller has. `defect` is the traceback of an error in
    newscrawl, "" if there was none."""

    article: Article | None
    failure: Failure | None
    use: UsageRights | None = None
    defect: str = ""

    def of(self, raw: RawPage) -> ProcessedPage:
        """Returns the processed page for the raw page that was sent."""
        return ProcessedPage(replace(raw, body=None), self.article, self.failure, self.use)


@dataclass(frozen=True, slots=True)
class Computation:
    """A call of a module-level function with data of a site, and the CPU seconds that it may take."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Computed(Generic[T]):
    """The result of a function, or its failure, and its CPU seconds. `defect` is as in ExtractionAnswer."""

    value: T | None
    failure: Failure | None
    seconds: float
    defect: str = ""


def serve(pipe: Connection, work: Work, options: ArticleOptions, memory: int) -> None:
    """Answers requests until the pipe is closed: a (page, options or None) by an ExtractionAnswer, a Computation by a
    Computed."""
    os.nice(NICE)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process in any C code
    for request in requests(pipe):
        answer: ExtractionAnswer | Computed[Any]
        if isinstance(request, Computation):
            answer = _compute(request, memory)
        else:
            raw, other = request
            page, defect = process_page(work, raw, other or options, memory)
            answer = ExtractionAnswer(page.article, page.failure, page.use, defect)
        pipe.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def _compute(computation: Computation, memory: int) -> Computed[Any]:
    """Returns the function's result. The kernel ends this process when the CPU time is used up (setitimer(2),
    ITIMER_PROF)."""
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, computation.seconds)
    result, defect = guarded(partial(computation.function, *computation.arguments), memory, SOURCE_MEMORY, SOURCE_ERROR)
    signal.setitimer(signal.ITIMER_PROF, 0)
    value, failure = (None, result) if isinstance(result, Failure) else (result, None)
    return Computed(value, failure, time.process_time() - begun, defect)
