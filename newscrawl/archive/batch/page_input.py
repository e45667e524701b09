"""A page as input: bytes, text, a file, or one of these with an address; and its extraction."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from datetime import datetime
from os import PathLike, fspath
from typing import Final, TypeAlias

from newscrawl.errors import os_reason
from newscrawl.extraction.article.extracted import PageRecord, extract
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Failure

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


@dataclass(frozen=True, slots=True)
class PageTask:
    """The task that is the same for all pages: the options, and the time after which dates are refused (None for
    now)."""

    options: ArticleOptions
    fetched_at: datetime | None = None

    def record(self, given: GivenPage) -> PageRecord | Failure:
        """Returns the record of the page, or the failure to read it."""
        html = given.read()
        if isinstance(html, Failure):
            return html
        options = self.options
        extracted = extract(
            html,
            given.url,
            None,
            options.chain,
            chains=options.chains,
            limits=options.limits,
            fetched_at=self.fetched_at,
            extractors=options.extractors,
            verdict_rules=options.verdict_rules,
            hints=options.hints,
            boilerplate=options.boilerplate,
        )
        return PageRecord.of(extracted)
