"""The work of every worker on a page, and the conversion of errors in a worker into failures of its page or source."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from newscrawl.errors import ExtractionError, ExtractionTimeout, WorkerDied
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.processes.supervisor import Ended

if TYPE_CHECKING:  # the extractors are loaded by the workers
    from newscrawl.article.make import ArticleOptions

T = TypeVar("T")
Work = Callable[[RawPage, "ArticleOptions"], ProcessedPage]
"""The work on a page: a module-level function, because it is pickled."""


def process_page(work: Work, raw: RawPage, options: ArticleOptions, memory: int) -> tuple[ProcessedPage, str]:
    """Returns the page with its article and the article's hashes, or with a failure; and the traceback of `guarded`."""
    from newscrawl.article.make import fingerprint

    result, defect = guarded(lambda: fingerprint(work(raw, options)), memory, "extraction/memory", ExtractionError.code)
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


def lost_page(ended: Ended) -> Failure:
    """Returns the failure of a page whose worker hung or died."""
    return Failure(ExtractionTimeout.code if ended.how == "hung" else WorkerDied.code, ended.reason)
