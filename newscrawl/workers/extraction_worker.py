"""An extraction worker: what its process does with the pages and sources that it gets."""

from __future__ import annotations

import pickle
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final, Generic, TypeVar

from newscrawl.article import ArticleOptions
from newscrawl.model import SOURCE_MEMORY, Article, Failure, ProcessedPage, RawPage, UsageRights, travels
from newscrawl.processes.forkserver import requests
from newscrawl.workers.page_task import Work, guarded, process_page

T = TypeVar("T")

NICE: Final = 15
"""Workers leave the core to the crawl's own process when both want it: the event loop has deadlines, they have none. At
5 the loop waited twice as long, its turn after each burst of its own; Linux's idle class gives little more. On a
machine that others keep busy they have next to nothing, which does not count as their pages' time (`cpu_wait`)."""

SOURCE_NICE: Final = 10
"""Sources go before pages: they are few, and only they know what is new. With 15 and the same share as a page's worker,
twenty feeds of 900 entries took half a minute on a machine that others kept busy."""

COSTLY_NICE: Final = 19
"""A source that needs more than a second goes after all others."""

SOURCE_ERROR: Final = "source/error"
"""A source that brought a defect of ours to light."""


@travels
@dataclass(frozen=True, slots=True)
class ExtractionAnswer:
    """The result for one page, without the raw page, which the caller has. `defect` is the traceback of an error of
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
class Computation:
    """A call of a module-level function with what a site sent, and the CPU seconds it may take."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float


@travels
@dataclass(frozen=True, slots=True)
class Computed(Generic[T]):
    """What a function returned, or why it returned nothing, and the CPU seconds it cost. `defect` is as in Answer."""

    value: T | None
    failure: Failure | None
    seconds: float
    defect: str = ""


def serve(pipe: Connection, work: Work, options: ArticleOptions, memory: int) -> None:
    """Answer requests until the pipe is closed: a (page, its options or None) by an Answer, a Computation by a
    Computed."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, whatever C code it is in
    for request in requests(pipe):
        answer: ExtractionAnswer | Computed[Any]
        if isinstance(request, Computation):
            answer = _compute(request, memory)
        else:
            raw, other = request
            page, defect = process_page(work, raw, other or options, memory)
            answer = ExtractionAnswer(page.article, page.failure, page.use, defect)
        pipe.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def _compute(asked: Computation, memory: int) -> Computed[Any]:
    """What the function returns. The kernel ends this process when it has taken its CPU time (setitimer(2),
    ITIMER_PROF)."""
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, asked.seconds)
    found, defect = guarded(partial(asked.function, *asked.arguments), memory, SOURCE_MEMORY, SOURCE_ERROR)
    signal.setitimer(signal.ITIMER_PROF, 0)
    value, failure = (None, found) if isinstance(found, Failure) else (found, None)
    return Computed(value, failure, time.process_time() - begun, defect)
