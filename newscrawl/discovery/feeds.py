"""RSS and Atom through feedparser."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import feedparser

from newscrawl.discovery.dates import from_struct
from newscrawl.discovery.links import resolve
from newscrawl.discovery.reading import CUT, Reading
from newscrawl.model import Candidate, Discovery

MAX_ENTRIES: Final = 1_000
"""Entries taken of one feed: feeds list the latest 10 to 200; more is an archive or an attack."""

MAX_BYTES: Final = 5_000_000
"""Bytes read of a feed; feedparser holds about twenty times as much."""

MAX_TITLE: Final = 500
"""Characters kept of a title."""

HTML_INSTEAD: Final = "an HTML page instead of a feed"
NO_FEED: Final = "neither RSS nor Atom"
EMPTY: Final = "empty body"

_DATE_KEYS: Final = ("published_parsed", "updated_parsed", "created_parsed")
_HTML_START: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TAG: Final = re.compile(r"<[^<>]*>")


def read_feed(
    body: bytes, url: str, headers: Mapping[str, str] | None = None, *, max_entries: int = MAX_ENTRIES
) -> Reading:
    """The entries of a feed as candidates, in its order; `url` is its final address, `headers` have lower-case names.

    Broken mark-up is read as far as feedparser gets. What is no feed at all gives no candidates and a problem.
    """
    body = body[:MAX_BYTES].lstrip(b" \t\r\n\x00")
    if not body:
        return Reading(problems=(EMPTY,))
    if _HTML_START.match(body[:2_000]):
        return Reading(problems=(HTML_INSTEAD,))
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


def _parse(body: bytes, url: str, content_type: str) -> Any:
    # BytesIO, because feedparser opens what bytes or text name as a file or an address;
    # content-location makes it resolve relative links, and no header of the server may set another base.
    known = {"content-location": url, "content-type": content_type or "application/xml"}
    return feedparser.parse(io.BytesIO(body), response_headers=known, sanitize_html=False, resolve_relative_uris=False)


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
    return next((when for key in _DATE_KEYS if (when := from_struct(dict.get(entry, key)))), None)


def _plain(title: str | None) -> str | None:
    """A title without mark-up, entities written twice included."""
    if not title:
        return None
    text = html.unescape(_TAG.sub(" ", html.unescape(title[: 4 * MAX_TITLE])))
    return " ".join(text.split())[:MAX_TITLE].strip() or None
