"""Bodies as servers pack them (HTTP's content encodings), opened up to a limit.

A crawl opens a page where it is read, in a worker's process and the archive's: on the event loop, as Scrapy does it, it
would keep all other answers waiting, and an open page takes six times as long to be passed on.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import brotli

from newscrawl.errors import BadAnswer
from newscrawl.model import RawPage

MAX_LAYERS: Final = 5
"""Compressions on top of each other; as curl's MAX_ENCODE_STACK."""
MAX_MEMBERS: Final = 100
"""Gzip members one behind the other: RFC 1952 allows any number, servers send one. Each copies what follows it."""
_PIECE: Final = 16
"""Bytes of a broken body that are given to zlib at once: what it makes of a piece is lost with the error in it."""


def unpacked(raw: RawPage) -> RawPage:
    """The page with its body open. Raises BadAnswer."""
    if raw.packing is None or raw.body is None:
        return raw
    return replace(raw, body=unpack(raw.body, raw.packing.encoding, raw.packing.most), packing=None)


def unpack(body: bytes, encodings: str, most: int) -> bytes:
    """The body without its encodings, a Content-Encoding's value, the last of which was put on last.

    Raises BadAnswer for one that is broken from the start or comes to more than `most` bytes, for an unknown encoding
    and for too many of them.
    """
    layers = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    if len(layers) > MAX_LAYERS:
        raise BadAnswer("download/too_many_encodings", f"compressed {len(layers)} times over")
    for name in reversed(layers):
        if name in {"identity", "none", "utf-8"}:
            continue
        opener = OPENERS.get(name)
        if opener is None:
            raise BadAnswer("download/bad_encoding", f"compressed by {name[:40]!r}, which cannot be unpacked here")
        body = _layer(body, opener, most)
    if len(body) > most:
        raise BadAnswer("download/too_large", f"more than {most} bytes")
    return body


def _layer(body: bytes, opener: Callable[[bytes, int], bytes], most: int) -> bytes:
    """One compression less. Archives also keep bodies that were unpacked already, header and all: text stays as is."""
    try:
        opened = opener(body, most + 1)
    except (zlib.error, brotli.error) as error:
        if body.lstrip()[:1] == b"<":
            return body
        raise BadAnswer("download/bad_encoding", f"the body cannot be unpacked: {error}") from error
    if len(opened) > most:
        raise BadAnswer("download/too_large", f"more than {most} bytes")
    return opened


def _gunzip(body: bytes, limit: int) -> bytes:
    """All members; of what is broken or cut short, as much as there is."""
    opened = b""
    for _ in range(MAX_MEMBERS):
        stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            opened += stream.decompress(body, limit - len(opened))
        except zlib.error:
            opened += _as_far_as_it_goes(body, limit - len(opened))
            if not opened:
                raise
            break
        body = stream.unused_data
        if not body or len(opened) >= limit:
            break
    return opened


def _as_far_as_it_goes(body: bytes, limit: int) -> bytes:
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
    opened = bytearray()
    try:
        for at in range(0, len(body), _PIECE):
            opened += stream.decompress(body[at : at + _PIECE], limit - len(opened))
            if len(opened) >= limit:
                break
    except zlib.error:
        pass  # it goes no further
    return bytes(opened)


def _deflate(body: bytes, limit: int) -> bytes:
    """With the header that RFC 9110 asks for, or without, as some servers send it."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS).decompress(body, limit)
    except zlib.error:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(body, limit)


def _brotli(body: bytes, limit: int) -> bytes:
    unpacker = brotli.Decompressor()
    pieces = [unpacker.process(body, output_buffer_limit=limit)]
    size = len(pieces[0])
    while size < limit and not unpacker.can_accept_more_data() and not unpacker.is_finished():
        pieces.append(unpacker.process(b"", output_buffer_limit=limit - size))
        size += len(pieces[-1])
    return b"".join(pieces)


OPENERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _brotli,
}
