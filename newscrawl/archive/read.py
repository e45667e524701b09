"""Reading the archive back: a capture as the page it was, and a file's captures one after the other."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from newscrawl.archive.capture_records import circumstances
from newscrawl.archive.files import find
from newscrawl.archive.http import read_answer
from newscrawl.archive.warc import Record, RecordPosition, records
from newscrawl.errors import ArchiveError
from newscrawl.model import Capture, RawPage

_HEAD: Final = 1 << 16
"""Bytes of HTTP header that a block may have beyond its body."""
_TOLD: Final = 1 << 16
"""Bytes of a block that are kept when only what is said of the pages is of interest."""


@dataclass(frozen=True, slots=True)
class Archived:
    """A capture to be read: where its body is, and what SQL says of it."""

    folder: str
    file: str
    offset: int
    url: str
    asked: str | None
    site: str
    fetched_at: datetime
    capture: Capture


@dataclass(frozen=True, slots=True)
class Group:
    """The records of one capture in a file: the answer's headers, and its circumstances."""

    offset: int
    length: int
    answer: Mapping[str, str]
    told: Mapping[str, str]


def load(page: Archived, max_body: int) -> RawPage:
    """The page as it was fetched. Raises ArchiveError where the archive does not hold it any longer."""
    path = find(Path(page.folder), page.file)
    if path is None:
        raise ArchiveError(f"the archive has no file {page.file} any longer")
    with path.open("rb") as file:
        start = RecordPosition(page.offset)
        found = next(records(file, start, page.offset + 1, max_block=max_body + _HEAD, known=True), None)
    if not isinstance(found, Record) or found.block is None or found.headers.get("warc-type") != "response":
        raise ArchiveError(f"{path} holds no answer at byte {page.offset}")
    answer = read_answer(found.block, max_body)
    asked = page.asked or page.url
    return RawPage(
        asked,
        page.url,
        answer.status,
        answer.headers,
        answer.body,
        page.fetched_at,
        page.site,
        capture=page.capture,
    )


def groups(file: BinaryIO) -> Iterator[Group]:
    """The captures of a file, in order, as far as they are whole; ends at the first byte that is none of one."""
    size = file.seek(0, io.SEEK_END)
    answer: Record | None = None
    asked = False
    try:
        for found in records(file, RecordPosition(0), size, max_block=_TOLD, known=True):
            if not isinstance(found, Record):
                return
            kind = found.headers.get("warc-type")
            belongs = answer is not None and found.headers.get("warc-concurrent-to") == answer.headers["warc-record-id"]
            if kind in {"response", "revisit"}:
                answer, asked = found, False
            elif kind == "request" and belongs:
                asked = True
            elif kind == "metadata" and belongs and asked and answer is not None:
                begin = answer.place.offset
                told = circumstances(found.block or b"")
                yield Group(begin, found.following.offset - begin, answer.headers, told)
                answer = None
    except zlib.error:
        return
