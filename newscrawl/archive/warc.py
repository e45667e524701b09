"""Reads the records of a WARC file from any place in it: gzip by record, gzip as a whole, or plain (ISO 28500).

newscrawl has its own reader for three reasons. warcio 1.8 skips data that it cannot decompress without an error, it
reads header lines of any length, and it cannot find the first record after a place in the middle of a file, which
processes that share a file need. A broken record is one `UnreadableRecord`, and reading continues at the next record.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final

GZIP: Final = b"\x1f\x8b"
_MEMBER: Final = b"\x1f\x8b\x08"
_VERSION: Final = b"WARC/"
_BETWEEN: Final = b"\r\n\r\nWARC/"
_BLOCK: Final = 1 << 16
LOOK_BACK: Final = 64 << 20
"""Bytes before a span that are searched for the record that may go on into it: twice the largest span of a batch. In a
file that is compressed record by record, spans that lie farther behind the beginning of their record count as
broken."""
MAX_LINE: Final = 1 << 16
"""Most bytes of a header line; a URL has about 2,000."""
MAX_LINES: Final = 200
_PROBE: Final = 512

if TYPE_CHECKING:
    Reader = io.BufferedReader[Any]
else:
    Reader = io.BufferedReader


@dataclass(frozen=True, slots=True, order=True)
class RecordPosition:
    """The beginning of a record: the offset of its gzip member (or of the plain record), and its number in the
    member."""

    offset: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its headers (lower-case names) and its block, None for a block that is longer than wanted."""

    place: RecordPosition
    following: RecordPosition
    headers: Mapping[str, str]
    block: bytes | None


@dataclass(frozen=True, slots=True)
class UnreadableRecord:
    """A record that cannot be read: where it is, and why."""

    place: RecordPosition
    following: RecordPosition
    reason: str


class BrokenRecord(ValueError):
    """The bytes are not a complete record; the message says why."""


class _Member(io.RawIOBase):
    """One member of a gzip file, decompressed while it is read."""

    def __init__(self, file: BinaryIO, offset: int) -> None:
        file.seek(offset)
        self._file = file
        self._unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._fed = offset

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._unpacker.eof:
            packed = self._unpacker.unconsumed_tail
            if not packed:
                packed = self._file.read(_BLOCK)
                self._fed += len(packed)
                if not packed:
                    raise BrokenRecord("the file ends in the middle of a record")
            data = self._unpacker.decompress(packed, len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
        return 0

    @property
    def end(self) -> int:
        """The offset of the first byte that was not decompressed so far; after the last one, of the next member."""
        unpacker = self._unpacker
        return self._fed - len(unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail)


def is_gzip(file: BinaryIO) -> bool:
    """Returns whether the file begins with gzip's magic number."""
    file.seek(0)
    return file.read(2) == GZIP


def records(
    file: BinaryIO,
    start: RecordPosition,
    stop: int,
    *,
    max_block: int,
    known: bool,
    entering: Callable[[RecordPosition], None] = lambda place: None,
) -> Iterator[Record | UnreadableRecord]:
    """Yields the records that begin at `start` or later and before byte `stop`.

    `known` says that a record begins at `start`. Otherwise the first record is the one after the record that goes on to
    `start` or ends there; if that one cannot be read, this is one more unreadable record, because records may be
    missing at the beginning of the span. Only blocks of at most `max_block` bytes are kept. `entering` is called with
    each place before it is read, and may raise BrokenRecord to skip it. Raises nothing but OSError, whatever the bytes
    are.
    """
    packed = is_gzip(file)
    find = find_member if packed else find_plain
    read = _packed if packed else _plain
    place = start
    if not known and start.offset:
        try:
            entering(start)
            place = RecordPosition((_end_before if packed else find_plain)(file, start.offset, stop))
        except (BrokenRecord, zlib.error):
            place = RecordPosition(find(file, start.offset, stop))
            yield UnreadableRecord(start, place, "what is before the first record here cannot be read")
    while place.offset < stop:
        try:
            for record in read(file, place, max_block, entering):
                yield record
                place = record.following
                if place.offset >= stop:
                    return
        except (BrokenRecord, zlib.error) as error:
            following = RecordPosition(find(file, place.offset + 1, stop))
            yield UnreadableRecord(place, following, str(error))
            place = following
        else:
            return


def _end_before(file: BinaryIO, start: int, stop: int) -> int:
    """Returns the offset of the end of the last gzip member that begins before `start`; `stop` if it goes on to there.
    Raises BrokenRecord or zlib.error if it is damaged or ends before `start`."""
    begin, far = _last_member(file, start), stop
    if begin is None:  # a file that is compressed as a whole, or a hole
        begin, far = 0, LOOK_BACK
    member = _Member(file, begin)
    while member.read(_BLOCK):
        if member.end >= far:
            return stop
    if member.end < start:
        raise BrokenRecord("no record begins here")
    return member.end


def _last_member(file: BinaryIO, start: int) -> int | None:
    """Returns the offset of the last gzip member with a record that begins before `start`; None if there is none in
    `LOOK_BACK` bytes."""
    first = max(0, start - LOOK_BACK)
    while start > first:
        begin = max(first, start - _BLOCK)
        file.seek(begin)
        window = file.read(start - begin + len(_MEMBER) - 1)
        position = window.rfind(_MEMBER)
        while position >= 0:
            if _begins_record(file, begin + position, packed=True):
                return begin + position
            position = window.rfind(_MEMBER, 0, position + len(_MEMBER) - 1)
        start = begin
    return None


def _packed(
    file: BinaryIO, place: RecordPosition, max_block: int, entering: Callable[[RecordPosition], None]
) -> Iterator[Record]:
    """Yields the records of all members from a place to the end of the file."""
    size = file.seek(0, io.SEEK_END)
    while place.offset < size:
        member = _Member(file, place.offset)
        reader = io.BufferedReader(member, _BLOCK)
        number = 0
        entering(place)
        while (found := _read(reader, max_block if number >= place.number else 0)) is not None:
            headers, block = found
            here = RecordPosition(place.offset, number)
            number += 1
            # The blank lines after a record must be read to see whether another record follows in this member.
            ended = _at_end(reader)
            if here >= place:
                yield Record(
                    here, RecordPosition(member.end) if ended else RecordPosition(place.offset, number), headers, block
                )
            if ended:
                break
            entering(RecordPosition(place.offset, number))
        place = RecordPosition(member.end)


def _plain(
    file: BinaryIO, place: RecordPosition, max_block: int, entering: Callable[[RecordPosition], None]
) -> Iterator[Record]:
    file.seek(place.offset)
    reader = io.BufferedReader(io.FileIO(file.fileno(), closefd=False), _BLOCK)
    reader.seek(place.offset)
    entering(place)
    while (found := _read(reader, max_block)) is not None:
        headers, block = found
        _at_end(reader)
        following = RecordPosition(reader.tell())
        yield Record(place, following, headers, block)
        place = following
        entering(place)


def _at_end(reader: Reader) -> bool:
    """Reads the blank lines after a record. Returns whether nothing follows them."""
    while (ahead := reader.peek(1)[:1]) in {b"\r", b"\n"}:
        reader.read(1)
    return not ahead


def _read(reader: Reader, max_block: int) -> tuple[dict[str, str], bytes | None] | None:
    """Reads the headers and block of the next record; None at the end."""
    if _at_end(reader):
        return None
    headers = read_headers(reader)
    length = content_length(headers)
    if length > max_block:
        _skip(reader, length)
        return headers, None
    block = reader.read(length)
    if len(block) < length:
        raise BrokenRecord("the file ends in the middle of a record")
    return headers, block


def read_headers(reader: Reader) -> dict[str, str]:
    """Reads the version line and named fields of a WARC record. Raises BrokenRecord."""
    if not reader.readline(MAX_LINE).startswith(_VERSION):
        raise BrokenRecord("no record begins here")
    headers: dict[str, str] = {}
    for _ in range(MAX_LINES):
        line = reader.readline(MAX_LINE)
        if line in {b"\r\n", b"\n"}:
            return headers
        name, colon, value = line.decode("utf-8", "replace").partition(":")
        if not line.endswith(b"\n") or (not colon and not line[:1].isspace()):
            raise BrokenRecord("the record's header is malformed")
        headers[name.strip().lower()] = value.strip()
    raise BrokenRecord(f"the record's header has more than {MAX_LINES} lines")


def content_length(headers: Mapping[str, str]) -> int:
    """Bytes of the record's block. Raises BrokenRecord."""
    text = headers.get("content-length", "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise BrokenRecord("the record's header has no length")
    return int(text)


def record_size(reader: Reader) -> int:
    """Bytes of the plain record that begins at the reader's place, without the blank lines after it. Reads only its
    header. Raises BrokenRecord."""
    begin = reader.tell()
    headers = read_headers(reader)
    return reader.tell() - begin + content_length(headers)


def _skip(reader: Reader, length: int) -> None:
    while length > 0:
        read = len(reader.read(min(length, _BLOCK)))
        if not read:
            raise BrokenRecord("the file ends in the middle of a record")
        length -= read


def find_member(file: BinaryIO, start: int, stop: int) -> int:
    """Returns the offset of the first gzip member with a record, at `start` or later; `stop` if there is none before
    it."""
    return _find(file, _MEMBER, 0, start, stop)


def find_plain(file: BinaryIO, start: int, stop: int) -> int:
    """Returns the offset of the first plain record, at `start` or later; `stop` if there is none before it."""
    return _find(file, _BETWEEN, 4, start, stop)


def _find(file: BinaryIO, mark: bytes, lead: int, start: int, stop: int) -> int:
    at = max(0, start - lead)
    tail = b""
    while at < stop + lead:
        file.seek(at)
        block = file.read(_BLOCK)
        if not block:
            return stop
        window = tail + block
        base = at - len(tail)
        position = window.find(mark)
        while position >= 0:
            place = base + position + lead
            if place >= stop:
                return stop
            if place >= start and _begins_record(file, place, packed=not lead):
                return place
            position = window.find(mark, position + 1)
        tail = window[-(len(mark) - 1) :]
        at += len(block)
    return stop


def _begins_record(file: BinaryIO, place: int, *, packed: bool) -> bool:
    file.seek(place)
    head = file.read(_PROBE)
    if packed:
        try:
            head = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, _PROBE)
        except zlib.error:
            return False
    return head.startswith(_VERSION)
