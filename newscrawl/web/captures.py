"""Reads captures of the raw archive for the pages: the explained page, where it states its fields, and the headers of
an answer.

What publishers sent is parsed in worker processes with limits of time and memory only, never in this process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from newscrawl.archive.read import Archived, load
from newscrawl.errors import ArchiveError, NotFoundError
from newscrawl.extraction.article.extracted import extract
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.metadata.read import MetadataReader
from newscrawl.extraction.metadata.statements import StatedField, stated_fields
from newscrawl.model import Failure, RawPage, is_object_store
from newscrawl.page import parse
from newscrawl.storage.captures import locations
from newscrawl.storage.reader import Connection
from newscrawl.workers.extraction_pool import ExtractionPool

T = TypeVar("T")

CPU_SECONDS: Final = 10.0
"""CPU seconds that explaining one page may take."""
AT_ONCE: Final = 2
"""Captures that are read at a time. Others wait."""
MAX_BODY: Final = 10 * 1024 * 1024
"""Bytes of a page that are read."""
MAX_HEADERS: Final = 500
MAX_VALUE: Final = 2_000
MAX_FIELDS: Final = 200


@dataclass(frozen=True, slots=True)
class CaptureQuery:
    """Which capture, by its number."""

    capture: int


@dataclass(frozen=True, slots=True)
class AnswerHeaders:
    """The status and the headers with which a page was answered, names in lower case."""

    url: str
    status: int
    headers: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ChainResult:
    """The result of one chain for a page; `beginning` is the beginning of its text."""

    chain: str
    extractor: str
    verdict: str
    title: str | None
    words: int
    beginning: str
    problems: Sequence[str]
    confidence: float
    """How right and whole the text probably is; 0 without one."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of several chains for a page."""

    url: str
    chains: Sequence[ChainResult]


@dataclass(frozen=True, slots=True)
class FieldsScreen:
    """The statements of a page about itself, read again from its capture: each value but dates, and the places of the
    page that state it, alone (`exact`) or in a longer text (`within`)."""

    url: str
    fetched_at: datetime
    fields: Sequence[StatedField]


class CaptureReader:
    """Reads captures in worker processes, which start with the first capture."""

    def __init__(self, folder: Path | None, options: ArticleOptions, chains: Sequence[str] = ()) -> None:
        self._folder = folder
        self._options = options
        self._chains = tuple(chains)
        self._pool: ExtractionPool | None = None
        self._places = asyncio.Semaphore(AT_ONCE)

    def archived(self, connection: Connection, number: int) -> Archived:
        """Returns the place of a capture. Raises NotFoundError."""
        found = locations.by_id(connection, number)
        body = found.capture.body if found is not None else None
        if found is None or body is None:
            raise NotFoundError(f"no capture with the number {number} has a body")
        file = locations.file_by_id(connection, body.file)
        if file is None:
            raise NotFoundError(f"the file of capture {number} is no longer known")
        place = file.machine if is_object_store(file.machine) else self._folder
        if place is None:
            raise NotFoundError("this machine has no raw archive (NEWSCRAWL_ARCHIVE_URL)")
        return Archived.of(found, place, file.name)

    async def explain(self, archived: Archived) -> str:
        """Returns the explained page as one HTML document. Raises NotFoundError if it cannot be read or explained."""
        return await self._read(explained, archived, self._options)

    async def headers(self, archived: Archived) -> AnswerHeaders:
        """Returns the headers of an answer. Raises NotFoundError if they cannot be read."""
        return await self._read(answer_headers, archived)

    async def fields(self, archived: Archived) -> FieldsScreen:
        """Returns where the page states each field. Raises NotFoundError if it cannot be read."""
        return await self._read(fields_of_page, archived)

    async def compare(self, archived: Archived) -> Comparison:
        """Returns what the chain of the settings and those for review make of a page. Raises NotFoundError."""
        return await self._read(compared, archived, self._options, self._chains)

    async def _read(self, function: Callable[..., T | Failure], archived: Archived, *more: object) -> T:
        async with self._places:
            if self._pool is None:
                self._pool = await asyncio.to_thread(ExtractionPool, self._options)
            computed = await self._pool.call(
                of_capture, function, archived, *more, subject=archived.url, cpu=CPU_SECONDS
            )
        if computed.failure is not None or computed.value is None:
            reason = computed.failure.reason if computed.failure is not None else "it gave nothing"
            raise NotFoundError(f"this capture cannot be shown: {reason}")
        value: T = computed.value
        return value

    def close(self) -> None:
        """Stops the workers."""
        if self._pool is not None:
            self._pool.close()


def of_capture(function: Callable[..., T | Failure], archived: Archived, *more: object) -> T | Failure:
    """Returns what a function makes of a capture. Like the functions below, it runs in a worker."""
    try:
        return function(load(archived, MAX_BODY), *more)
    except ArchiveError as error:
        return Failure("archive/unreadable", str(error))


def explained(raw: RawPage, options: ArticleOptions) -> str | Failure:
    """Returns the explained page. The worker alone loads the learned extractor (15 MB with numpy)."""
    from newscrawl.extraction.explain.document import explain_html

    return explain_html(extract(raw.body or b"", raw.final_url, chain=options.chain, **_how(raw, options)))


def answer_headers(raw: RawPage) -> AnswerHeaders:
    """Returns the headers of an answer."""
    pairs = [(name[:MAX_VALUE], value[:MAX_VALUE]) for name, value in raw.headers.items()]
    return AnswerHeaders(raw.final_url, raw.status, tuple(pairs[:MAX_HEADERS]))


def fields_of_page(raw: RawPage) -> FieldsScreen:
    """Returns where a page states each field."""
    page = parse(raw.body or b"", url=raw.final_url, content_type=raw.headers.get("content-type"))
    found = stated_fields(page, MetadataReader(page, fetched_at=raw.fetched_at))
    short = [replace(one, value=one.value[:MAX_VALUE]) for one in found[:MAX_FIELDS]]
    return FieldsScreen(raw.final_url, raw.fetched_at, tuple(short))


def compared(raw: RawPage, options: ArticleOptions, chains: Sequence[str]) -> Comparison:
    """Returns what each chain makes of a page."""

    def result(chain: str) -> ChainResult:
        found = extract(raw.body or b"", raw.final_url, None, chain, **_how(raw, options))
        return ChainResult(
            chain,
            found.extractor,
            found.verdict,
            found.title[:MAX_VALUE] if found.title else None,
            len(found.text.split()),
            found.text[:MAX_VALUE],
            tuple(found.problems),
            found.confidence,
        )

    return Comparison(raw.final_url, tuple(map(result, dict.fromkeys((options.chain, *chains)))))


def _how(raw: RawPage, options: ArticleOptions) -> dict[str, Any]:
    """Returns how a page is extracted, with any chain."""
    return {
        "chains": options.chains,
        "limits": options.limits,
        "fetched_at": raw.fetched_at,
        "extractors": options.extractors,
        "verdict_rules": options.verdict_rules,
        "hints": options.hints,
    }
