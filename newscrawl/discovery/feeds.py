"""RSS and Atom through feedparser."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import feedparser

from newscrawl.discovery.dates import from_struct, from_text
from newscrawl.discovery.links import resolve
from newscrawl.discovery.reading import CUT, Reading
from newscrawl.model import Candidate, Discovery

MAX_ENTRIES: Final = 1_000
"""Entries taken of one feed: feeds list the latest 10 to 200; more is an archive or an attack."""

MAX_BYTES: Final = 4_000_000
"""Bytes read of a feed; those of test data are below 2 MB with the articles' full texts inside."""

MAX_TAGS: Final = 200_000
"""Tags of a feed: feedparser takes about 25 microseconds for each, and full texts of 100 articles have some 30,000."""

MAX_TAG_BYTES: Final = 10_000
"""Bytes of one tag: feedparser is quadratic in a tag's attributes (3,200, which are 30 kB, took 0.1 s)."""

MAX_TITLE: Final = 500
"""Characters kept of a title."""

HTML_INSTEAD: Final = "an HTML page instead of a feed"
NO_FEED: Final = "neither RSS nor Atom"
EMPTY: Final = "empty body"
TOO_COSTLY: Final = "more tags or longer ones than a feed has"

_DATE_KEYS: Final = ("published", "updated", "created")
_HTML_START: Final = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_ENCODING: Final = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._\-]+)""")
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9._\-]+)""", re.IGNORECASE)
_DECLARATION: Final = re.compile(rb"<\?xml[^>]*>")
_TAG: Final = re.compile(r"<[^<>]*>")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def read_feed(
    body: bytes, url: str, headers: Mapping[str, str] | None = None, *, max_entries: int = MAX_ENTRIES
) -> Reading:
    """The entries of a feed as candidates, in its order; `url` is its final address, `headers` have lower-case names.

    Broken mark-up is read as far as feedparser gets. What is no feed at all gives no candidates and a problem.
    """
    body = body[:MAX_BYTES].lstrip(b" \t\r\n\x00")
    if not body:
        return Reading(problems=(EMPTY,))
    if starts_as_html(body):
        return Reading(problems=(HTML_INSTEAD,))
    if _too_costly(body):
        return Reading(problems=(TOO_COSTLY,))
    parsed = _parse(body, url, (headers or {}).get("content-type", ""))
    entries: list[Any] = parsed["entries"]
    if not parsed.get("version") and not entries:
        return Reading(problems=(NO_FEED,))
    problems = (CUT,) if len(entries) > max_entries else ()
    candidates: dict[str, Candidate] = {}
    for entry in entries[:max_entries]:
        candidate = _candidate(entry, url)
        if candidate is not None:
            candidates.setdefault(candidate.url, candidate)
    return Reading(tuple(candidates.values()), problems=problems)


def starts_as_html(body: bytes) -> bool:
    """Whether the first thing behind byte order mark, XML declaration and comments is HTML."""
    rest = body[:10_000].removeprefix(b"\xef\xbb\xbf").lstrip()
    while rest.startswith((b"<!--", b"<?")):
        rest = rest.partition(b"-->" if rest.startswith(b"<!--") else b">")[2].lstrip()
    return bool(_HTML_START.match(rest))


def _too_costly(body: bytes) -> bool:
    parts = body.split(b"<")
    if len(parts) > MAX_TAGS:
        return True
    return any(
        len(part) > MAX_TAG_BYTES and part[:1].isalpha() and part.find(b">", 0, MAX_TAG_BYTES) < 0 for part in parts
    )


def _as_utf8(body: bytes, content_type: str) -> bytes:
    """A body that says it is UTF-8, or nothing, and is not, read as windows-1252: feedparser would guess at random.

    A few broken bytes in what else is UTF-8 are left to it.
    """
    charset, encoding = _CHARSET.search(content_type), _ENCODING.match(body)
    named = {charset.group(1).lower()} if charset else set()
    named |= {encoding.group(1).decode("ascii").lower()} if encoding else set()
    if named - {"utf-8", "utf8", "ascii", "us-ascii"} or body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body
    text = body.decode("utf-8", "replace")
    foreign = sum(character > "\x7f" for character in text) if "\ufffd" in text else 0
    if 2 * text.count("\ufffd") <= foreign:
        return body
    return _DECLARATION.sub(b"", body.decode("cp1252", "replace").encode("utf-8"), count=1)


def _parse(body: bytes, url: str, content_type: str) -> Any:
    # BytesIO, because feedparser opens what bytes or text name as a file or an address;
    # content-location makes it resolve relative links, and no header of the server may set another base.
    known = {"content-location": url, "content-type": content_type or "application/xml"}
    stream = io.BytesIO(_as_utf8(body, content_type))
    return feedparser.parse(stream, response_headers=known, sanitize_html=False, resolve_relative_uris=False)


def _candidate(entry: Any, feed_url: str) -> Candidate | None:
    url = next((u for link in _links(entry) if (u := resolve(feed_url, link))), None)
    if url is None:
        return None
    return Candidate(url, Discovery("feed", feed_url, _plain(dict.get(entry, "title")), _published(entry)))


def _links(entry: Any) -> list[str]:
    """Where an entry may say its address, the best first: a redirector's original, link, alternate links, guid."""
    get = dict.get
    links = [link for link in get(entry, "links") or () if isinstance(link, dict)]
    alternates = [get(link, "href") for link in links if get(link, "rel", "alternate") == "alternate"]
    guid = get(entry, "id")
    if guid and not re.match(r"https?://", guid):
        guid = None
    found = [get(entry, "feedburner_origlink"), get(entry, "pheedo_origlink"), get(entry, "link"), *alternates, guid]
    return [link for link in found if link]


def _published(entry: Any) -> datetime | None:
    # dict.get, because feedparser's own look-up warns and substitutes one date for another
    for key in _DATE_KEYS:
        when = from_struct(dict.get(entry, f"{key}_parsed")) or from_text(dict.get(entry, key))
        if when is not None:
            return when
    return None


def _plain(title: str | None) -> str | None:
    """A title without mark-up, entities written twice included."""
    if not title:
        return None
    text = html.unescape(_TAG.sub(" ", html.unescape(title[: 4 * MAX_TITLE])))
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_TITLE].strip() or None
