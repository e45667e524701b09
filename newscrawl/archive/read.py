"""Reads the archive: a capture as the page that was fetched, and all captures of a file in order. An archived answer of
a web server is read as its status, headers and decoded body."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO, Final

from newscrawl.archive.capture_records import circumstances
from newscrawl.archive.places import place_at
from newscrawl.archive.warc import Record, RecordPosition, records
from newscrawl.errors import ArchiveError, BadAnswer
from newscrawl.model import Capture, Discovery, RawPage
from newscrawl.model.content_encoding import unpack

if TYPE_CHECKING:
    from newscrawl.storage.captures.locations import StoredCapture

_HEAD: Final = 1 << 16
"""Bytes of HTTP headers that a block may have besides its body."""
_METADATA_BYTES: Final = 1 << 16
"""Bytes of a block that are kept if only metadata about the pages is needed."""
_LARGEST: Final = 64 << 20
"""Largest decoded body, in bytes, of which a digest is computed: more than any page has."""


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

    @classmethod
    def of(cls, row: StoredCapture, place: object, file: str, discovery: Discovery | None = None) -> Archived:
        """Returns the capture of a row whose body is in this file, or its record if it has no body."""
        offset = (row.capture.body or row.capture.spot).offset
        known = (row.url, row.requested_url, row.site, row.fetched_at, row.capture)
        return cls(str(place), file, offset, *known, discovery)


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
    status, headers, body = read_answer(first.block, max_body)
    return RawPage(
        page.asked or page.url,
        page.url,
        status,
        headers,
        body,
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


def read_answer(block: bytes, max_body: int) -> tuple[int, dict[str, str], bytes]:
    """Returns status, headers (lower-case names, repeated ones joined by ", ") and decoded body of an HTTP/1 answer.
    Raises BadAnswer for another block and for a body of more than `max_body` bytes."""
    head, body = _parts(block)
    lines = head.replace(b"\r\n", b"\n").split(b"\n")
    version, _, rest = lines[0].partition(b" ")
    code = rest[:3]
    if not version.startswith(b"HTTP/") or not code.isdigit():
        raise BadAnswer("download/bad_answer", "the record holds no answer of a web server")
    headers = _headers(lines[1:])
    if headers.get("transfer-encoding", "").lower().endswith("chunked"):
        body = _joined(body)
    return int(code), headers, unpack(body, headers.get("content-encoding", ""), max_body)


def payloads(block: bytes) -> Iterator[bytes]:
    """Yields the body of an answer in the forms of which archivers state a digest: as it was sent, without its chunks,
    and decoded. For a block that is not an answer, yields only the block."""
    head, body = _parts(block)
    yield body
    headers = _headers(head.replace(b"\r\n", b"\n").split(b"\n")[1:])
    joined = _joined(body)
    yield joined
    with suppress(BadAnswer):
        yield unpack(joined, headers.get("content-encoding", ""), _LARGEST)


def _parts(block: bytes) -> tuple[bytes, bytes]:
    """Splits an answer into head and body."""
    head, blank, body = block.partition(b"\r\n\r\n")
    if not blank:
        head, blank, body = block.partition(b"\n\n")
    return head, body


def _headers(lines: list[bytes]) -> dict[str, str]:
    headers: dict[str, str] = {}
    last = ""
    for line in lines:
        if line[:1] in {b" ", b"\t"} and last:
            headers[last] += " " + line.decode("utf-8", "replace").strip()
            continue
        name, _, value = line.partition(b":")
        last = name.decode("latin-1").strip().lower()
        text = value.decode("utf-8", "replace").strip()
        headers[last] = f"{headers[last]}, {text}" if last in headers else text
    headers.pop("", None)
    return headers


def _joined(body: bytes) -> bytes:
    """Joins the chunks of a body. A body without chunks stays as it is, because archives also have joined bodies with
    the header of chunked ones. Of a truncated body, returns what there is."""
    pieces: list[bytes] = []
    at = 0
    while at < len(body):
        line = body.find(b"\n", at, at + 64)
        size = _chunk_size(body[at:line]) if line >= 0 else None
        if size is None:
            return body if not pieces else b"".join(pieces)
        if size == 0:
            break
        pieces.append(body[line + 1 : line + 1 + size])
        at = line + 1 + size
        at += 2 if body[at : at + 2] == b"\r\n" else 1 if body[at : at + 1] == b"\n" else 0
    return b"".join(pieces)


def _chunk_size(line: bytes) -> int | None:
    digits = line.partition(b";")[0].strip()
    try:
        return int(digits, 16) if digits.isalnum() else None
    except ValueError:
        return None
