"""Checks the digests that a WARC record states of its block and of its payload (ISO 28500, 5.8 and 5.9)."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping
from typing import Final

from newscrawl.archive.http import payloads

BLOCK: Final = "warc-block-digest"
PAYLOAD: Final = "warc-payload-digest"
ALGORITHMS: Final[Mapping[str, str]] = {
    "md5": "md5",
    "sha1": "sha1",
    "sha-1": "sha1",
    "sha256": "sha256",
    "sha-256": "sha256",
    "sha512": "sha512",
    "sha-512": "sha512",
}
"""Names of algorithms as archivers write them, and Python's names. A digest by another algorithm is not checked."""


def is_intact(headers: Mapping[str, str], block: bytes) -> bool:
    """Returns whether the block has the digest that its record states. `headers` has lower-case names.

    The block's digest decides if there is one, since the block includes the payload. Archivers state the digest of the
    payload as it was sent, without its chunks, or decoded: any of the three is accepted. A record without a digest that
    can be checked counts as intact.
    """
    stated = _stated(headers.get(BLOCK, ""))
    if stated is not None:
        return _digest(stated[0], block) == stated[1]
    stated = _stated(headers.get(PAYLOAD, ""))
    if stated is None:
        return True
    return any(_digest(stated[0], payload) == stated[1] for payload in payloads(block))


def _stated(text: str) -> tuple[str, bytes] | None:
    """The algorithm and the digest; None if they cannot be checked."""
    label, colon, value = text.strip().partition(":")
    algorithm = ALGORITHMS.get(label.strip().lower())
    if not colon or algorithm is None:
        return None
    size = hashlib.new(algorithm, usedforsecurity=False).digest_size
    return next(((algorithm, digest) for digest in _decoded(value.strip()) if len(digest) == size), None)


def _decoded(value: str) -> Iterator[bytes]:
    """The value decoded as hexadecimal digits, as base32 and as base64. The results differ in length."""
    padded = value.upper().rstrip("=")
    for decode, text in (
        (bytes.fromhex, value),
        (base64.b32decode, padded + "=" * (-len(padded) % 8)),
        (base64.b64decode, value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4)),
    ):
        try:
            yield decode(text)
        except (ValueError, binascii.Error):
            continue


def _digest(algorithm: str, data: bytes) -> bytes:
    return hashlib.new(algorithm, data, usedforsecurity=False).digest()
