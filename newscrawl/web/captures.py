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
from typing import Final, TypeVar

from newscrawl.archive.read import Archived, load
from newscrawl.article.extracted import extract
from newscrawl.article.make import ArticleOptions
from newscrawl.errors import ArchiveError
from newscrawl.metadata.read import MetadataReader
from newscrawl.metadata.statements import StatedField, stated_fields
from newscrawl.model import Failure, is_object_store
from newscrawl.page import parse
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.locations import StoredCapture
from newscrawl.storage.reader import Connection
from newscrawl.web.queries import NotFoundError
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
        if found is None or found.capture.body is None:
            raise NotFoundError(f"no capture with the number {number} has a body")
        file = locations.file_by_id(connection, found.capture.body.file)
        if file is None:
            raise NotFoundError(f"the file of capture {number} is no longer known")
        if is_object_store(file.machine):
            return _archived(str(file.machine), file.name, found)
        if self._folder is None:
            raise NotFoundError("this machine has no raw archive (NEWSCRAWL_ARCHIVE_URL)")
        return _archived(str(self._folder), file.name, found)

    async def explain(self, archived: Archived) -> str:
        """Returns the explained page as one HTML document. Raises NotFoundError if it cannot be read or explained."""
        return await self._compute(explained, archived, self._options)

    async def headers(self, archived: Archived) -> AnswerHeaders:
        """Returns the headers of an answer. Raises NotFoundError if they cannot be read."""
        return await self._compute(answer_headers, archived)

    async def _compute(self, function: Callable[..., T | Failure], archived: Archived, *more: object) -> T:
        async with self._places:
            if self._pool is None:
                self._pool = await asyncio.to_thread(ExtractionPool, self._options)
            computed = await self._pool.call(function, archived, *more, subject=archived.url, cpu=CPU_SECONDS)
        if computed.failure is not None or computed.value is None:
            reason = computed.failure.reason if computed.failure is not None else "it gave nothing"
            raise NotFoundError(f"this capture cannot be shown: {reason}")
        return computed.value

    async def fields(self, archived: Archived) -> FieldsScreen:
        """Returns where the page states each field. Raises NotFoundError if it cannot be read."""
        return await self._compute(fields_of_page, archived)

    async def compare(self, archived: Archived) -> Comparison:
        """Returns what the chain of the settings and those for review make of a page. Raises NotFoundError."""
        return await self._compute(compared, archived, self._options, self._chains)

    def close(self) -> None:
        """Stops the workers."""
        if self._pool is not None:
            self._pool.close()


def explained(archived: Archived, options: ArticleOptions) -> str | Failure:
    """Returns the explained page. It runs in a worker, which alone loads the learned extractor (15 MB with numpy)."""
    from newscrawl.explain.document import explain_html

    try:
        raw = load(archived, MAX_BODY)
    except ArchiveError as error:
        return Failure("archive/unreadable", str(error))
    return explain_html(
        raw.body or b"",
        url=raw.final_url,
        chain=options.chain,
        chains=options.chains,
        limits=options.limits,
        fetched_at=raw.fetched_at,
        extractors=options.extractors,
        verdict_rules=options.verdict_rules,
        hints=options.hints,
    )


def answer_headers(archived: Archived) -> AnswerHeaders | Failure:
    """Returns the headers of an answer. It runs in a worker."""
    try:
        raw = load(archived, MAX_BODY)
    except ArchiveError as error:
        return Failure("archive/unreadable", str(error))
    pairs = [(name[:MAX_VALUE], value[:MAX_VALUE]) for name, value in raw.headers.items()]
    return AnswerHeaders(raw.final_url, raw.status, tuple(pairs[:MAX_HEADERS]))


def fields_of_page(archived: Archived) -> FieldsScreen | Failure:
    """Returns where a page states each field. It runs in a worker."""
    try:
        raw = load(archived, MAX_BODY)
    except ArchiveError as error:
        return Failure("archive/unreadable", str(error))
    page = parse(raw.body or b"", url=raw.final_url, content_type=raw.headers.get("content-type"))
    found = stated_fields(page, MetadataReader(page, fetched_at=raw.fetched_at))
    short = [replace(one, value=one.value[:MAX_VALUE]) for one in found[:MAX_FIELDS]]
    return FieldsScreen(raw.final_url, raw.fetched_at, tuple(short))


def compared(archived: Archived, options: ArticleOptions, chains: Sequence[str]) -> Comparison | Failure:
    """Returns what each chain makes of a page. It runs in a worker."""
    try:
        raw = load(archived, MAX_BODY)
    except ArchiveError as error:
        return Failure("archive/unreadable", str(error))
    results = []
    for chain in dict.fromkeys((options.chain, *chains)):
        found = extract(
            raw.body or b"",
            raw.final_url,
            None,
            chain,
            chains=options.chains,
            limits=options.limits,
            fetched_at=raw.fetched_at,
            extractors=options.extractors,
            verdict_rules=options.verdict_rules,
            hints=options.hints,
        )
        results.append(
            ChainResult(
                chain,
                found.extractor,
                found.verdict,
                found.title[:MAX_VALUE] if found.title else None,
                len(found.text.split()),
                found.text[:MAX_VALUE],
                tuple(found.problems),
                found.confidence,
            )
        )
    return Comparison(raw.final_url, tuple(results))


def _archived(place: str, file: str, stored: StoredCapture) -> Archived:
    spot = stored.capture.body or stored.capture.spot
    return Archived(
        place, file, spot.offset, stored.url, stored.requested_url, stored.site, stored.fetched_at, stored.capture
    )
