"""Gzip files opened up to a limit, whatever the server calls them."""

from __future__ import annotations

import zlib
from typing import Final

from newscrawl import content_encoding
from newscrawl.errors import BadAnswer, NewscrawlError

MAX_LAYERS: Final = 2
"""A .xml.gz inside a gzip content is seen; deeper nesting is a bomb."""

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
    try:
        opened = content_encoding.gunzip(body, limit + 1)
    except (zlib.error, BadAnswer) as error:
        raise UnpackError(f"broken gzip: {error}") from error
    if len(opened) > limit:
        raise UnpackError(f"larger than {limit} bytes when unpacked")
    return opened
