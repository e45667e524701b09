"""States errors of an object store in a line. Only what is known to be harmless is taken from the store's own text:
that one repeats requests, with the key's name and tokens."""

from __future__ import annotations

import re
from typing import Final

from newscrawl.errors import ArchiveError

_STATUS: Final = re.compile(r"status code: (\d{3})")
_CODE: Final = re.compile(r"<Code>([A-Za-z0-9]{1,60})</Code>")
_NO_KEYS: Final = ("169.254.169.254", "latest/api/token", "instance credentials")
_NO_RANGES: Final = ("non-partial response", "Content-Range")
KEYS: Final = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"


def stated(place: str, doing: str, error: Exception) -> ArchiveError:
    """Returns the error for an operator: what could not be done (`doing`), where, why, and what to do."""
    text = str(error)
    status, code = (found[1] if (found := wanted.search(text)) else "" for wanted in (_STATUS, _CODE))
    said = " ".join(filter(None, (status, code)))
    return ArchiveError(f"cannot {doing} in the object store {place}: {_reason(text, status, code, said)}")


def _reason(text: str, status: str, code: str, said: str) -> str:
    if any(mark in text for mark in _NO_KEYS):
        return f"there are no keys: set {KEYS}"
    if any(mark in text for mark in _NO_RANGES):
        return "it answers a range with the whole object (no status 206): use a store that serves ranges"
    if code == "NoSuchBucket":
        return "there is no such bucket: create it, or correct the address"
    if status in {"401", "403"} or "invalid authentication" in text or "lacked the" in text:
        return f"access is denied ({said or 'no rights'}): check {KEYS} and the rights of the key"
    if code in {"BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch"}:
        return f"the bytes did not arrive as they were sent ({said}): it is tried again"
    if said:
        return f"it answers with {said}"
    if "BadScheme" in text:
        return "its endpoint has no TLS: give one with https://, or set AWS_ALLOW_HTTP=true"
    return "it does not answer, or not to the end: check AWS_ENDPOINT_URL, AWS_REGION and the network"
