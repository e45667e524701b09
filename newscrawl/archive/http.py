"""Reads archived answers of web servers: status, headers and the decoded body."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from newscrawl.errors import BadAnswer
from newscrawl.model.content_encoding import unpack

_LARGEST: Final = 64 << 20
"""Largest decoded body, in bytes, of which a digest is computed: more than any page has."""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """Status, headers (lower-case names, repeated ones joined by ", ") and body."""

    status: int
    headers: dict[str, str]
    body: bytes


def read_answer(block: bytes, max_body: int) -> RecordedAnswer:
    """Reads an HTTP/1 answer. Raises BadAnswer for another block and for a body of more than `max_body` bytes."""
    head, body = _parts(block)
    lines = head.replace(b"\r\n", b"\n").split(b"\n")
    version, _, rest = lines[0].partition(b" ")
    code = rest[:3]
    if not version.startswith(b"HTTP/") or not code.isdigit():
        raise BadAnswer("download/bad_answer", "the record holds no answer of a web server")
    headers = _headers(lines[1:])
    if headers.get("transfer-encoding", "").lower().endswith("chunked"):
        body = _joined(body)
    return RecordedAnswer(int(code), headers, unpack(body, headers.get("content-encoding", ""), max_body))


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
