"""Decompresses bodies (HTTP's content encodings) up to a limit."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import brotli

from newscrawl.errors import BadAnswer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX_LAYERS: Final = 5
"""Nested compressions of one body; the same as curl's MAX_ENCODE_STACK."""
MAX_MEMBERS: Final = 10_000
MAX_FRAMES: Final = 100
"""Gzip members and Zstandard frames in one body. The formats allow any number, servers send one. The rest of the body
after each frame is copied."""
_PIECE: Final = 1 << 12
"""Bytes that are decompressed at once if a body has several members or is broken. The rest of a piece is copied for
each member in it."""
_GZIP: Final = 16 + zlib.MAX_WBITS
_STEP: Final = 16
"""Bytes that are decompressed at once in a broken piece. The output of the step with the error is lost."""


def layers_of(encodings: str) -> list[str]:
    """Returns the names in a value of Content-Encoding, in the order in which they were applied."""
    return [name.strip().lower() for name in encodings.split(",") if name.strip()]


def unpack(body: bytes, encodings: str, most: int) -> bytes:
    """Returns the decompressed body. `encodings` is the value of Content-Encoding, in the order in which they were
    applied.

    Raises BadAnswer for a body that is broken from its start or larger than `most` bytes, for an unknown encoding and
    for too many encodings.
    """
    layers = layers_of(encodings)
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
    """Removes one compression. A text stays as it is: archives also have decompressed bodies with the header of the
    compressed ones."""
    try:
        opened = opener(body, most + 1)
    except (zlib.error, brotli.error, zstd.ZstdError) as error:
        if body.lstrip()[:1] == b"<":
            return body
        raise BadAnswer("download/bad_encoding", f"the body cannot be unpacked: {error}") from error
    if len(opened) > most:
        raise BadAnswer("download/too_large", f"more than {most} bytes")
    return opened


def gunzip(body: bytes, limit: int) -> bytes:
    """Decompresses all gzip members, to at most `limit` bytes; of a broken or truncated body, as much as can be read.

    Raises zlib.error if nothing can be read, BadAnswer for more than `MAX_MEMBERS` members.
    """
    stream = zlib.decompressobj(_GZIP)
    try:
        opened = stream.decompress(body, limit)
    except zlib.error:
        return _members(body, limit)
    return _members(body, limit) if stream.unused_data and len(opened) < limit else opened


def _members(body: bytes, limit: int) -> bytes:
    """As `gunzip`, in pieces, in linear time."""
    opened = bytearray()
    stream, members = zlib.decompressobj(_GZIP), 0
    for at in range(0, len(body), _PIECE):
        piece = body[at : at + _PIECE]
        while piece and len(opened) < limit:
            saved = stream.copy()
            try:
                opened += stream.decompress(piece, limit - len(opened))
            except zlib.error:
                opened += _steps(saved, piece, limit - len(opened))
                if not opened and not members:
                    raise
                return bytes(opened)
            piece = stream.unused_data
            if stream.eof:
                stream, members = zlib.decompressobj(_GZIP), members + 1
            if members > MAX_MEMBERS:
                raise BadAnswer("download/bad_encoding", f"packed in more than {MAX_MEMBERS} pieces")
    return bytes(opened)


def _steps(stream: Any, piece: bytes, limit: int) -> bytes:
    """The output of a broken piece before the error."""
    opened = bytearray()
    with suppress(zlib.error):
        for at in range(0, len(piece), _STEP):
            if len(opened) >= limit:
                break
            opened += stream.decompress(piece[at : at + _STEP], limit - len(opened))
    return bytes(opened)


def _deflate(body: bytes, limit: int) -> bytes:
    """Decompresses deflate with the header that RFC 9110 requires, or without it, as some servers send it."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS).decompress(body, limit)
    except zlib.error:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(body, limit)


def _brotli(body: bytes, limit: int) -> bytes:
    """Decompresses Brotli; of a truncated body, as much as can be read. The decoder returns some of its output only
    when it is called again."""
    unpacker = brotli.Decompressor()
    pieces = [unpacker.process(body, output_buffer_limit=limit)]
    size = len(pieces[0])
    while pieces[-1] and size < limit and not unpacker.is_finished():
        pieces.append(unpacker.process(b"", output_buffer_limit=limit - size))
        size += len(pieces[-1])
    return b"".join(pieces)


def _unzstd(body: bytes, limit: int) -> bytes:
    """Decompresses all Zstandard frames; of a truncated body, as much as can be read."""
    opened = b""
    for _ in range(MAX_FRAMES):
        stream = zstd.ZstdDecompressor()
        try:
            opened += stream.decompress(body, limit - len(opened))
        except zstd.ZstdError:
            if not opened:
                raise
            return opened
        body = stream.unused_data
        if not body or len(opened) >= limit:
            return opened
    raise BadAnswer("download/bad_encoding", f"packed in more than {MAX_FRAMES} pieces")


OPENERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": gunzip,
    "x-gzip": gunzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _unzstd,
}
