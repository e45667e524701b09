"""`newscrawl.extract_many`: extracts many pages in worker processes and yields their results in order. A page as input
is bytes, text, a file, or one of these with an address."""

from __future__ import annotations

import gzip
import logging
import os
import pickle
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from os import PathLike, fspath
from typing import Any, Final, TypeAlias

from newscrawl.errors import ExtractionError, os_reason
from newscrawl.extraction.article.extracted import NO_CHAINS, PageRecord, extract
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.article.verdict_rules import Rules
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.registry import NO_EXTRACTORS, OwnExtractors
from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.model import Failure
from newscrawl.workers.blocking import LoopThread
from newscrawl.workers.extraction_worker import PAGE_MEMORY, guarded
from newscrawl.workers.pool import Pool
from newscrawl.workers.processes import MIN_MEMORY_MB
from newscrawl.workers.processes.forkserver import FOR_PAGES

logger = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20
NAME: Final = "newscrawl-batch"
"""The name of the processes, and of the thread that talks to them."""
AHEAD: Final = 8
"""Pages for each worker that are taken from the input before the oldest of them has its result. A slow page delays no
other worker until the others are this many pages ahead."""


Record: TypeAlias = "Callable[[GivenPage], PageRecord | Failure]"
"""Makes the record of a page, or the failure to read it."""


@dataclass(frozen=True, slots=True)
class PageResult:
    """The result of one page. `number` is its place in the input, from 0.

    `record` has text and metadata, also of a page that is no article (`record.verdict`). It is None if the page could
    not be extracted; then `failure` says why, with a reason code: `file/unreadable`, `content/not_html` (it is no page
    at all), `extraction/timeout`, `extraction/memory`, `extraction/worker_died`, `extraction/error`.
    """

    number: int
    url: str | None
    record: PageRecord | None
    failure: Failure | None = None
    path: str | None = None

    @property
    def text(self) -> str:
        """The article; "" if there is none."""
        return self.record.text if self.record is not None else ""

    def to_dict(self) -> dict[str, Any]:
        """Returns the record in the types of JSON. Without a record it has the address, `failure` (the reason code) and
        `reason` (a sentence). For a page of a file, `path` comes first."""
        own: dict[str, Any] = {"path": self.path} if self.path is not None else {}
        if self.record is not None:
            return own | self.record.to_dict()
        failure = self.failure or Failure("", "")
        return own | {"url": self.url, "failure": failure.code, "reason": failure.reason}


def extract_many(
    pages: Iterable[PageInput],
    *,
    workers: int | None = None,
    chain: str = "classic",
    chains: Mapping[str, Sequence[str]] = NO_CHAINS,
    limits: Limits | None = None,
    extractors: OwnExtractors = NO_EXTRACTORS,
    verdict_rules: Rules = (),
    fetched_at: datetime | None = None,
    hints: SiteHints | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    boilerplate: SiteBoilerplate = NO_BOILERPLATE,
    timeout: float = 20.0,
    memory_mb: int = 2048,
) -> Generator[PageResult, None, None]:
    """Extracts pages in `workers` processes (default: one for each core) and yields a PageResult for each, in order.

    A page is bytes, str or a path; or a tuple of its address and one of these. A page that hangs, uses too much memory
    or kills its process gives a result with a failure, and so does one that cannot be read: no page raises an error.
    Each page may take `timeout` seconds, and each process `memory_mb` MB of memory. Pages are taken from the input as
    results are taken, at most 8 a process ahead. So memory does not grow with the input, which may be endless. Closing
    the generator ends the processes. Results that are ready are yielded before another page is taken. A result that
    becomes ready while the generator waits for the input is yielded after the next page: the caller's thread reads the
    input, because many iterators may not be read by another one.

    With `workers=0` pages are extracted in the calling process, without limits on time and memory. The other parameters
    are those of `newscrawl.extract`. Extractors and rules of your own must be import paths (MODULE:NAME) or functions
    of a module other than the script itself, because they are sent to other processes.

    Raises the errors of `newscrawl.extract` for its options, ValueError for an impossible number of workers, seconds or
    megabytes, and, while it runs, WorkerDied if no process can be started.
    """
    count = len(os.sched_getaffinity(0)) if workers is None and hasattr(os, "sched_getaffinity") else workers
    count = count if count is not None else os.cpu_count() or 1
    if count < 0 or timeout <= 0 or memory_mb < MIN_MEMORY_MB:
        raise ValueError(
            f"workers={count}, timeout={timeout}, memory_mb={memory_mb}: give 0 or more workers, more than 0 seconds, "
            f"and {MIN_MEMORY_MB} MB or more"
        )
    site_hints = SiteHints.of(hints)
    options = ArticleOptions(
        chain,
        dict(chains),
        limits or Limits(),
        dict(extractors),
        verdict_rules,
        hints=site_hints,
        boilerplate=boilerplate,
    )
    options.resolve()
    record = partial(record_of, options, fetched_at)
    if not count:
        return _in_this_process(pages, record)
    _check_sendable(options)
    return _in_processes(pages, record, count, timeout, memory_mb)


def _check_sendable(options: ArticleOptions) -> None:
    """Raises TypeError if the options cannot be sent to another process, which has not the caller's script."""
    own = [*options.extractors.values(), *options.verdict_rules]
    try:
        pickle.dumps(options)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise TypeError(f"{error}: give the import path of an extractor or rule, or workers=0") from error
    for function in own:
        if getattr(function, "__module__", "") == "__main__":
            raise TypeError(
                f"{function!r} is defined in the script itself, which other processes do not have: put it into a "
                "module, or give workers=0"
            )


def _in_this_process(pages: Iterable[PageInput], record: Record) -> Generator[PageResult, None, None]:
    for number, page in enumerate(pages):
        given = GivenPage.of(page)
        if isinstance(given, Failure):
            yield PageResult(number, None, None, given)
            continue
        found, defect = guarded(partial(record, given), 0, PAGE_MEMORY, ExtractionError.code)
        if defect:
            logger.error("%s: %s", given.subject, defect)
        yield _result(number, given, found)


def _in_processes(
    pages: Iterable[PageInput], record: Record, count: int, timeout: float, memory_mb: int
) -> Generator[PageResult, None, None]:
    waiting = deque[Future[PageResult]]()
    pool = Pool(record, workers=count, timeout=timeout, memory=memory_mb * MEGABYTE, modules=FOR_PAGES, name=NAME)

    async def extracted(number: int, given: GivenPage) -> PageResult:
        done = await pool.call(record, given, subject=given.subject)
        return _result(number, given, done.failure or done.value)

    with closing(pool), LoopThread(NAME) as loop:
        for number, page in enumerate(pages):
            given = GivenPage.of(page)
            waiting.append(
                _at_once(number, given) if isinstance(given, Failure) else loop.submit(extracted(number, given))
            )
            while waiting and (len(waiting) >= AHEAD * count or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _at_once(number: int, failure: Failure) -> Future[PageResult]:
    wrong: Future[PageResult] = Future()
    wrong.set_result(PageResult(number, None, None, failure))
    return wrong


def _result(number: int, given: GivenPage, found: PageRecord | Failure | None) -> PageResult:
    if isinstance(found, Failure):
        return PageResult(number, given.url, None, found, given.path)
    return PageResult(number, given.url, found, None, given.path)


MAX_BYTES: Final = 32 << 20
"""Largest page that is read from a file, in bytes: the largest answer that a crawl takes by default."""

Html: TypeAlias = "bytes | bytearray | memoryview | str"
PageInput: TypeAlias = "Html | PathLike[str] | tuple[str | None, Html | PathLike[str]]"
"""A page as bytes or text, or the path of a file with it; or a tuple of its address (None if it is unknown) and that.
A file whose name ends in .gz is decompressed."""

UNREADABLE: Final = "file/unreadable"
NO_PAGE: Final = "content/not_html"


@dataclass(frozen=True, slots=True)
class GivenPage:
    """A page as it is sent to a worker: its address, and its content or the path of its file."""

    url: str | None
    html: bytes | str | None
    path: str | None = None

    @classmethod
    def of(cls, given: object) -> GivenPage | Failure:
        """Returns the page, or a failure if it is of no type of PageInput."""
        url = None
        if isinstance(given, tuple):
            if len(given) != 2 or not isinstance(given[0], str | None):
                return Failure(NO_PAGE, "a tuple must be the address and the page")
            url, given = given
        if isinstance(given, str | bytes):
            return cls(url, given)
        if isinstance(given, bytearray | memoryview):
            return cls(url, bytes(given))
        if isinstance(given, PathLike):
            path = fspath(given)
            return cls(url, None, path if isinstance(path, str) else str(path, "utf-8", "surrogateescape"))
        return Failure(NO_PAGE, f"a page must be bytes, str or a path, not {type(given).__name__}")

    @property
    def subject(self) -> str:
        """The page's name in log lines."""
        return self.url or self.path or "a page without an address"

    def read(self, max_bytes: int = MAX_BYTES) -> bytes | str | Failure:
        """Returns the content, or why the file cannot be read."""
        if self.path is None:
            return self.html if self.html is not None else b""
        try:
            opening = gzip.open if self.path.endswith(".gz") else open
            with opening(self.path, "rb") as file:
                body = file.read(max_bytes + 1)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            return Failure(UNREADABLE, f"{self.path} cannot be read: {reason}")
        if len(body) > max_bytes:
            return Failure(UNREADABLE, f"{self.path} has more than {max_bytes:,} bytes")
        return body


def record_of(options: ArticleOptions, fetched_at: datetime | None, given: GivenPage) -> PageRecord | Failure:
    """Returns the record of a page, or the failure to read it. Dates after `fetched_at` (None: now) are refused."""
    html = given.read()
    if isinstance(html, Failure):
        return html
    extracted = extract(
        html,
        given.url,
        None,
        options.chain,
        chains=options.chains,
        limits=options.limits,
        fetched_at=fetched_at,
        extractors=options.extractors,
        verdict_rules=options.verdict_rules,
        hints=options.hints,
        boilerplate=options.boilerplate,
    )
    return PageRecord.of(extracted)
