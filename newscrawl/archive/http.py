"""The answer of a web server as an archive keeps it: status, headers and the body, unpacked."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from newscrawl.errors import NewscrawlError

MAX_LAYERS: Final = 5
"""Compressions on top of each other; as a crawl takes them (crawling.limits)."""


class BadAnswer(NewscrawlError):
    """The bytes are no answer that can be read; `kind` is the counter a crawl has for it."""

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers (lower-case names, repeated ones joined by ", ") and body."""

    status: int
    headers: dict[str, str]
    body: bytes


def read_answer(block: bytes, max_body: int) -> Answer:
    """An HTTP/1 answer. Raises BadAnswer for what is none and for a body over `max_body` bytes."""
    head, blank, body = block.partition(b"\r\n\r\n")
    if not blank:
        head, blank, body = block.partition(b"\n\n")
    lines = head.replace(b"\r\n", b"\n").split(b"\n")
    version, _, rest = lines[0].partition(b" ")
    code = rest[:3]
    if not version.startswith(b"HTTP/") or not code.isdigit():
        raise BadAnswer("download/bad_answer", "the record holds no answer of a web server")
    headers = _headers(lines[1:])
    if headers.get("transfer-encoding", "").lower().endswith("chunked"):
        body = _joined(body)
    return Answer(int(code), headers, _unpacked(body, headers.get("content-encoding", ""), max_body))


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
    """A body without its chunks' sizes. Archives also keep bodies that were joined already, header and all: what is
    not in chunks stays as it is, and of a body that ends early what there is."""
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


def _unpacked(body: bytes, encodings: str, max_body: int) -> bytes:
    layers = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    if len(layers) > MAX_LAYERS:
        raise BadAnswer("download/too_many_encodings", f"compressed {len(layers)} times over")
    for name in reversed(layers):
        if name in {"identity", "none", "utf-8"}:
            continue
        unpack = UNPACKERS.get(name)
        if unpack is None:
            raise BadAnswer("download/bad_encoding", f"compressed by {name[:40]!r}, which cannot be unpacked here")
        body = _layer(body, unpack, max_body)
    if len(body) > max_body:
        raise BadAnswer("download/too_large", f"more than {max_body} bytes")
    return body


def _layer(body: bytes, unpack: Callable[[bytes, int], bytes], max_body: int) -> bytes:
    """One compression less. Archives also keep bodies that were unpacked already, header and all: text stays as is."""
    try:
        unpacked = unpack(body, max_body + 1)
    except Exception as error:
        if body.lstrip()[:1] == b"<":
            return body
        raise BadAnswer("download/bad_encoding", f"the body cannot be unpacked: {error}") from error
    if len(unpacked) > max_body:
        raise BadAnswer("download/too_large", f"more than {max_body} bytes")
    return unpacked


def _gunzip(body: bytes, limit: int) -> bytes:
    return _inflate(body, limit, 16 + zlib.MAX_WBITS)


def _deflate(body: bytes, limit: int) -> bytes:
    """With the header that RFC 9110 asks for, or without, as some servers send it."""
    try:
        return _inflate(body, limit, zlib.MAX_WBITS)
    except zlib.error:
        return _inflate(body, limit, -zlib.MAX_WBITS)


def _inflate(body: bytes, limit: int, window: int) -> bytes:
    return zlib.decompressobj(window).decompress(body, limit)


def _brotli(body: bytes, limit: int) -> bytes:
    import brotli

    unpacker = brotli.Decompressor()
    pieces = [unpacker.process(body, output_buffer_limit=limit)]
    size = len(pieces[0])
    while size < limit and not unpacker.can_accept_more_data() and not unpacker.is_finished():
        pieces.append(unpacker.process(b"", output_buffer_limit=limit - size))
        size += len(pieces[-1])
    return b"".join(pieces)


UNPACKERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _brotli,
}
