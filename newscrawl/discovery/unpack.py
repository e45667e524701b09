"""Decompresses gzip files up to a limit, whatever their declared type."""

from __future__ import annotations

import zlib
from typing import Final

from newscrawl import content_encoding
from newscrawl.errors import BadAnswer, NewscrawlError

MAX_LAYERS: Final = 2
"""Layers of gzip that are opened: a .xml.gz inside a gzip content. Deeper nesting is an attack."""

_MAGIC: Final = b"\x1f\x8b"


class UnpackError(NewscrawlError):
    """A compressed body is broken from the start, or larger than the limit."""


def gunzip(body: bytes, limit: int) -> bytes:
    """Returns `body` decompressed if it is gzip, at most `limit` bytes. Of a truncated archive, the readable part is
    returned.

    Raises UnpackError when the content is larger than the limit or nothing can be read.
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
    try:
        opened = content_encoding.gunzip(body, limit + 1)
    except (zlib.error, BadAnswer) as error:
        raise UnpackError(f"broken gzip: {error}") from error
    if len(opened) > limit:
        raise UnpackError(f"larger than {limit} bytes when unpacked")
    return opened
