"""Makes the WARC 1.1 records (ISO 28500) of a capture: the answer, the request, and metadata on how the page was found.

Each record is a separate gzip member, so that it can be read without the records before it. The records of a capture
follow each other, the answer first: a file that ends in the middle of a capture is cut at its begin.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

from isal import isal_zlib

from newscrawl.model import Exchange, RawPage

LEVEL: Final = 2
"""ISA-L's level. News pages are 3 % larger than at zlib's level 3, in a sixth of its time (docs/design.md)."""
IDENTICAL: Final = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
UNCHANGED: Final = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
NOT_MODIFIED: Final = 304
_HOP: Final = ("content-length", "content-encoding", "transfer-encoding")
"""Headers about the transport of the bytes. They are wrong for the decompressed body, so they are renamed, as other
archiving tools do."""
SITE: Final = "newscrawl-site"
ASKED: Final = "newscrawl-asked"
_FIELDS: Final = "application/warc-fields"


def digest_of(body: bytes) -> str:
    """Returns the body's digest as WARC files state it: "sha1:" and base32, which all tools for deduplication
    expect."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()


def warc_time(moment: datetime) -> str:
    """Returns a WARC-Date with microseconds, which WARC 1.1 allows and by which the capture can be found again."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def info(name: str, software: str, now: datetime) -> bytes:
    """Returns the first record of a file."""
    fields = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
    headers = {"WARC-Filename": name, "Content-Type": _FIELDS}
    return record("warcinfo", f"<urn:uuid:{uuid4()}>", warc_time(now), headers, fields)


def capture(raw: RawPage, digest: str | None, repeats: tuple[str, datetime] | None) -> bytes:
    """Returns the records of one fetched page. With `repeats` the body is left out: it is that of the capture with this
    URL and time."""
    headers = {
        "WARC-Target-URI": _safe(raw.final_url),
        "Content-Type": "application/http; msgtype=response",
    }
    if raw.exchange is not None and raw.exchange.ip_address:
        headers["WARC-IP-Address"] = _safe(raw.exchange.ip_address)
    if digest is not None:
        headers["WARC-Payload-Digest"] = digest
    kind, body = "response", raw.body or b""
    if repeats is not None or raw.status == NOT_MODIFIED:
        kind, body = "revisit", b""
        headers["WARC-Profile"] = UNCHANGED if raw.status == NOT_MODIFIED else IDENTICAL
        if repeats is not None:
            headers["WARC-Refers-To-Target-URI"] = _safe(repeats[0])
            headers["WARC-Refers-To-Date"] = warc_time(repeats[1])
    identity = f"<urn:uuid:{uuid4()}>"
    return record(kind, identity, warc_time(raw.fetched_at), headers, _head(raw) + body) + beside(raw, identity)


def beside(raw: RawPage, identity: str) -> bytes:
    """Returns the records that follow an answer: the request, and metadata on how the page was found."""
    exchange = raw.exchange or Exchange()
    at = warc_time(raw.fetched_at)
    common = {"WARC-Target-URI": _safe(raw.final_url), "WARC-Concurrent-To": identity}
    of_request, of_metadata = (
        {**common, "Content-Type": kind} for kind in ("application/http; msgtype=request", _FIELDS)
    )
    request = _request(raw.final_url, exchange.request)
    return record("request", f"<urn:uuid:{uuid4()}>", at, of_request, request) + record(
        "metadata", f"<urn:uuid:{uuid4()}>", at, of_metadata, _circumstances(raw, exchange)
    )


def record(kind: str, identity: str, at: str, headers: Mapping[str, str], block: bytes) -> bytes:
    """Returns one record, compressed."""
    fields = {"WARC-Type": kind, "WARC-Record-ID": identity, "WARC-Date": at, **headers}
    fields["WARC-Block-Digest"] = digest_of(block)
    fields["Content-Length"] = str(len(block))
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return pack(f"WARC/1.1\r\n{lines}\r\n".encode("utf-8", "replace") + block + b"\r\n\r\n")


def pack(data: bytes) -> bytes:
    """Returns the data as a gzip member."""
    packer = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, 16 + isal_zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def _head(raw: RawPage) -> bytes:
    """The status line and headers; headers that are no longer valid are renamed."""
    lines = [f"HTTP/1.1 {raw.status} {_phrase(raw.status)}"]
    for name, value in raw.headers.items():
        kept = f"X-Archive-Orig-{name}" if name.lower() in _HOP else name
        lines.append(f"{_safe(kept)}: {_safe(value)}")
    if raw.body is not None:
        lines.append(f"Content-Length: {len(raw.body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


def _request(url: str, headers: Mapping[str, str]) -> bytes:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"GET {_safe(path)} HTTP/1.1"]
    if "host" not in headers:
        lines.append(f"Host: {_safe(parts.netloc.rpartition('@')[2])}")
    lines += [f"{_safe(name)}: {_safe(value)}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


def _circumstances(raw: RawPage, exchange: Exchange) -> bytes:
    fields: list[tuple[str, str]] = [(SITE, raw.site), (ASKED, raw.url)]
    fields += [("newscrawl-redirect", url) for url in exchange.redirects]
    if raw.discovery is not None:
        fields += [("via", raw.discovery.source), ("newscrawl-found-by", raw.discovery.kind)]
    return "".join(f"{name}: {_safe(value)}\r\n" for name, value in fields).encode("utf-8", "replace")


def circumstances(block: bytes) -> dict[str, str]:
    """Returns the fields of a metadata record; of a repeated field, the last value."""
    lines = block.decode("utf-8", "replace").splitlines()
    pairs: Sequence[tuple[str, str, str]] = [line.partition(":") for line in lines]
    return {name.strip().lower(): value.strip() for name, _, value in pairs if name.strip()}


def _safe(text: str) -> str:
    """The text on one line."""
    return text.replace("\r", " ").replace("\n", " ").strip()


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
