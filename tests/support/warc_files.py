"""WARC records written by hand, and stories to put into them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from uuid import NAMESPACE_URL, uuid5

NOW: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
SENTENCE: Final = (
    "The council of district {0} met on Tuesday evening and spoke for four hours about the new bridge {0}. "
)


def story(number: int, head: str = "", sentence: str = SENTENCE) -> bytes:
    """A page with an article of its own. `head` is more markup of its head."""
    text = sentence.format(number) * 6
    head = f"<title>Bridge {number}</title>{head}"
    return f"{head}<main><h1>Bridge {number}</h1><p>{text}</p><p>{text}</p></main>".encode()


def record(kind: str, url: str, at: datetime, block: bytes, **headers: str) -> bytes:
    """One WARC record."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, f'{kind} {at} {url}')}>",
        "WARC-Date": f"{at:%Y-%m-%dT%H:%M:%SZ}",
        "WARC-Target-URI": url,
        "Content-Type": f"application/http; msgtype={kind}",
        "Content-Length": str(len(block)),
    }
    lines = [f"{name}: {value}" for name, value in (fields | headers).items()]
    return "\r\n".join(["WARC/1.0", *lines, "", ""]).encode() + block + b"\r\n\r\n"


def page_record(url: str, body: bytes, *http_headers: str, at: datetime = NOW, **headers: str) -> bytes:
    """The record of an answer with a page."""
    head = "\r\n".join(["HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", *http_headers, "", ""])
    return record("response", url, at, head.encode() + body, **headers)
