"""Reads the archive: a capture as the page that was fetched, and all captures of a file in order."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Final

from newscrawl.archive.capture_records import circumstances
from newscrawl.archive.http import read_answer
from newscrawl.archive.places import place_at
from newscrawl.archive.warc import Record, RecordPosition, records
from newscrawl.errors import ArchiveError
from newscrawl.model import Capture, Discovery, RawPage

_HEAD: Final = 1 << 16
"""Bytes of HTTP headers that a block may have besides its body."""
_METADATA_BYTES: Final = 1 << 16
"""Bytes of a block that are kept if only metadata about the pages is needed."""


@dataclass(frozen=True, slots=True)
class Archived:
    """A capture to be read: the place of its body, and its row in SQL. `place` is the folder of the file, or the
    address of the object store that holds it. `discovery` is how its page was found."""

    place: str
    file: str
    offset: int
    url: str
    asked: str | None
    site: str
    fetched_at: datetime
    capture: Capture
    discovery: Discovery | None = None


@dataclass(frozen=True, slots=True)
class CaptureRecords:
    """The records of one capture in a file: the answer's headers, and the fields of the metadata record."""

    offset: int
    length: int
    answer: Mapping[str, str]
    metadata: Mapping[str, str]


def load(page: Archived, max_body: int) -> RawPage:
    """Returns the page as it was fetched. Raises ArchiveError if the archive no longer has it."""
    length = (page.capture.body or page.capture.spot).length
    try:
        data = place_at(page.place).read(page.file, page.offset, length)
    except FileNotFoundError as error:
        raise ArchiveError(f"the archive has no file {page.file} any longer") from error
    read = records(io.BytesIO(data), RecordPosition(0), 1, max_block=max_body + _HEAD, known=True)
    first = next(read, None)
    if not isinstance(first, Record) or first.block is None or first.headers.get("warc-type") != "response":
        raise ArchiveError(f"{page.file} in {page.place} holds no answer at byte {page.offset}")
    answer = read_answer(first.block, max_body)
    asked = page.asked or page.url
    return RawPage(
        asked,
        page.url,
        answer.status,
        answer.headers,
        answer.body,
        page.fetched_at,
        page.site,
        page.discovery,
        capture=page.capture,
    )


def groups(file: BinaryIO) -> Iterator[CaptureRecords]:
    """Yields the complete captures of a file, in order, up to the first byte that belongs to none."""
    size = file.seek(0, io.SEEK_END)
    answer: Record | None = None
    has_request = False
    try:
        for item in records(file, RecordPosition(0), size, max_block=_METADATA_BYTES, known=True):
            if not isinstance(item, Record):
                return
            kind = item.headers.get("warc-type")
            belongs = answer is not None and item.headers.get("warc-concurrent-to") == answer.headers["warc-record-id"]
            if kind in {"response", "revisit"}:
                answer, has_request = item, False
            elif kind == "request" and belongs:
                has_request = True
            elif kind == "metadata" and belongs and has_request and answer is not None:
                begin = answer.place.offset
                metadata = circumstances(item.block or b"")
                yield CaptureRecords(begin, item.following.offset - begin, answer.headers, metadata)
                answer = None
    except zlib.error:
        return
