"""Gzip bodies opened up to a limit."""

from __future__ import annotations

import zlib
from typing import Final

from newscrawl.errors import NewscrawlError

MAX_LAYERS: Final = 2
"""A .xml.gz inside a gzip content is seen; deeper nesting is a bomb."""

MAX_MEMBERS: Final = 100
"""Archives one behind the other in a file: the format allows it, log rotation makes a few. Each copies what follows."""

_MAGIC: Final = b"\x1f\x8b"


class UnpackError(NewscrawlError):
    """A compressed body is broken from the start, or larger than the limit."""


def gunzip(body: bytes, limit: int) -> bytes:
    """`body` opened if it is gzip, at most `limit` bytes; a cut archive gives what it holds.

    Raises UnpackError when the content is larger or nothing can be read.
    """
    for _ in range(MAX_LAYERS):
        if not body.startswith(_MAGIC):
            break
        body = _open(body, limit)
    if body.startswith(_MAGIC):
        raise UnpackError(f"gzip inside gzip more than {MAX_LAYERS} deep")
    if len(body) > limit:
        raise UnpackError(f"larger than {limit} bytes")
    return body


def _open(body: bytes, limit: int) -> bytes:
    opened = bytearray()
    rest = body
    for _ in range(MAX_MEMBERS):
        if not rest.startswith(_MAGIC):
            return bytes(opened)
        stream = zlib.decompressobj(wbits=31)
        try:
            opened += stream.decompress(rest, limit + 1 - len(opened))
        except zlib.error as error:
            if not opened:
                raise UnpackError(f"broken gzip: {error}") from error
            return bytes(opened)
        if len(opened) > limit:
            raise UnpackError(f"larger than {limit} bytes when unpacked")
        rest = stream.unused_data
    raise UnpackError(f"more than {MAX_MEMBERS} archives in one file")
