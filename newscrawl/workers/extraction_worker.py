"""The process of a worker: it gets requests to call functions, and sends their results. An error that a function raises
becomes a failure of its argument (a page or a source).

A function that returns a generator sends each of its values as a message. It says by `mark` at which place of its input
it is, so that a place that hangs or kills the worker can be left out next time.
"""

from __future__ import annotations

import os
import pickle
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from newscrawl.errors import ExtractionError
from newscrawl.model import SOURCE_MEMORY, Article, Failure, ProcessedPage, RawPage, UsageRights
from newscrawl.workers.processes.forkserver import requests

if TYPE_CHECKING:  # the extractors are loaded by the workers
    from newscrawl.extraction.article.make import ArticleOptions

T = TypeVar("T")
Work = Callable[[RawPage, "ArticleOptions"], ProcessedPage]
"""The work on a page: a module-level function, because it is pickled."""

PAGE_MEMORY: Final = "extraction/memory"
SOURCE_ERROR: Final = "source/error"
"""A defect of newscrawl that a source revealed."""


class Request(NamedTuple):
    """A call of a module-level function (None: of the one that the worker was started with). With `cpu` the arguments
    are a source, which may take so many seconds of CPU time; without, a page or many of them."""

    function: Callable[..., Any] | None
    arguments: tuple[Any, ...]
    cpu: float | None = None


@dataclass(frozen=True, slots=True)
class Computed(Generic[T]):
    """The result of a function, or its failure, and its CPU seconds. `defect` is the traceback of an error in
    newscrawl, "" if there was none."""

    value: T | None
    failure: Failure | None
    seconds: float
    defect: str = ""


class At(NamedTuple):
    """A message: the function now works at this place of its input."""

    place: Any


class PageOutcome(NamedTuple):
    """The result for one page, without the raw page, which the caller has."""

    article: Article | None
    failure: Failure | None
    use: UsageRights | None = None


_pipes: Final[list[Connection]] = []
"""The pipe of this process, if it is a worker."""


def serve(pipe: Connection, main: Callable[..., Any], memory: int, nice: int) -> None:
    """Answers each Request by a Computed, after the messages of its function, until the pipe is closed. `memory` is the
    limit of this process in bytes, for messages; `nice` is added to its nice value."""
    os.nice(nice)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process in any C code
    _pipes.append(pipe)
    for request in requests(pipe):
        _send(_computed(request, main, memory))


def mark(place: Any) -> None:
    """Tells the pool that the work on a place of the input begins now: its time-out begins, and the place is blamed if
    this process hangs or dies. None: at no place; no time-out runs, and nothing is blamed. Outside of a worker it does
    nothing."""
    if _pipes:
        _send(At(place))


def _send(message: object) -> None:
    _pipes[0].send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def _computed(request: Request, main: Callable[..., Any], memory: int) -> Computed[Any]:
    """Calls the function. The kernel ends this process when the CPU time is used up (setitimer(2), ITIMER_PROF)."""
    function = request.function or main
    kinds = (PAGE_MEMORY, ExtractionError.code) if request.cpu is None else (SOURCE_MEMORY, SOURCE_ERROR)

    def call() -> Any:
        result = function(*request.arguments)
        if not isinstance(result, GeneratorType):
            return result
        for message in result:
            _send(message)
        return None

    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, request.cpu or 0)
    result, defect = guarded(call, memory, *kinds)
    signal.setitimer(signal.ITIMER_PROF, 0)
    value, failure = (None, result) if isinstance(result, Failure) else (result, None)
    return Computed(value, failure, time.process_time() - begun, defect)


def extract_page(work: Work, default: ArticleOptions, raw: RawPage, options: ArticleOptions | None) -> PageOutcome:
    """Returns the article of a page with the article's hashes, or the failure; without `options` with the default
    ones."""
    from newscrawl.extraction.article.make import fingerprint

    page = fingerprint(work(raw, options or default))
    return PageOutcome(page.article, page.failure, page.use)


def process_page(work: Work, raw: RawPage, options: ArticleOptions, memory: int) -> tuple[ProcessedPage, str]:
    """Returns the page with its article and the article's hashes, or with a failure; and the traceback of `guarded`."""
    from newscrawl.extraction.article.make import fingerprint

    result, defect = guarded(lambda: fingerprint(work(raw, options)), memory, PAGE_MEMORY, ExtractionError.code)
    if isinstance(result, Failure):
        result = ProcessedPage(replace(raw, body=None), failure=result)
    return result, defect


def guarded(function: Callable[[], T], memory: int, too_large: str, broken: str) -> tuple[T | Failure, str]:
    """Returns the function's result, or a failure; and the traceback of a defect of newscrawl, "" if there was none.

    The failure is of the kind `too_large` if the `memory` of this process (bytes) was too small, and of the kind
    `broken` for a defect.
    """
    try:
        return function(), ""
    except MemoryError:
        return Failure(too_large, f"more than {memory >> 20} MB of memory"), ""
    # The receiver of the answer logs the defect. It is kept with the page and does not stop other pages.
    except Exception as error:  # noqa: BLE001
        return Failure(broken, f"{type(error).__name__}: {error}"), traceback.format_exc()
