"""What every worker does with a page, and how what goes wrong in a worker becomes a failure of its page or source."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from newscrawl.article import ArticleOptions, fingerprint
from newscrawl.errors import ExtractionError, ExtractionTimeout, WorkerDied
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.processes.supervisor import Ended

T = TypeVar("T")
Work = Callable[[RawPage, ArticleOptions], ProcessedPage]
"""What is done with a page: a module-level function, as it is pickled."""


def process_page(work: Work, raw: RawPage, options: ArticleOptions, memory: int) -> tuple[ProcessedPage, str]:
    """The page with its article and the article's hashes, or with a failure; and the traceback as of `guarded`."""
    found, defect = guarded(lambda: fingerprint(work(raw, options)), memory, "extraction/memory", ExtractionError.kind)
    if isinstance(found, Failure):
        found = ProcessedPage(replace(raw, body=None), failure=found)
    return found, defect


def guarded(function: Callable[[], T], memory: int, too_large: str, broken: str) -> tuple[T | Failure, str]:
    """What the function returns, or a failure of the kind `too_large` where the `memory` of this process (in bytes) was
    too small for it, `broken` for a defect of ours; and the traceback of the defect, "" if there was none."""
    try:
        return function(), ""
    except MemoryError:
        return Failure(too_large, f"more than {memory >> 20} MB of memory"), ""
    # Whoever gets the answer logs the defect. It is kept with the page and is no reason to stop all others.
    except Exception as error:  # noqa: BLE001
        return Failure(broken, f"{type(error).__name__}: {error}"), traceback.format_exc()


def lost_page(ended: Ended) -> Failure:
    """The failure of a page that its worker did not survive."""
    return Failure(ExtractionTimeout.kind if ended.how == "hung" else WorkerDied.kind, ended.reason)
