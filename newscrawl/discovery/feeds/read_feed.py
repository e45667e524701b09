"""Reads feeds of any format (RSS, RDF, Atom, JSON Feed 1 and 1.1), and sitemaps and HTML pages that are found in their
place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from newscrawl.discovery.feeds.syndication import MAX_BYTES, MAX_ENTRIES, Entries, plain, read_syndication
from newscrawl.discovery.feeds.text_repair import decoded
from newscrawl.discovery.links.resolve import resolve
from newscrawl.discovery.proposals.find_sources import find_sources
from newscrawl.discovery.reading import (
    CUT,
    CUT_JSON,
    EMPTY,
    HTML_INSTEAD,
    NO_FEED,
    SourceContents,
    UnpackError,
    gunzip,
    is_sitemap,
    starts_as_html,
)
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.model.written_dates.parse_date import read_source_date
from newscrawl.page import parse

MAX_PACKED: Final = 20_000_000
"""Bytes that a compressed feed may have after decompression."""

_ITEMS: Final = re.compile(r'"items"\s*:\s*\[')
_BETWEEN: Final = re.compile(r"[\s,]*")
_VERSION: Final = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/", re.IGNORECASE)


def read_feed(body: bytes, url: str, headers: Mapping[str, str] | None = None) -> SourceContents:
    """Returns the entries of a feed as candidates, in its order. `url` is its final address, `headers` have lower-case
    names.

    A sitemap in place of a feed is read as a sitemap. For an HTML page, the feeds that it announces are returned
    (`announced`). Never raises: an unreadable body gives no candidates and a problem.
    """
    try:
        body = gunzip(body, MAX_PACKED)[:MAX_BYTES].lstrip(b" \t\r\n")
    except UnpackError as error:
        return SourceContents(problems=(str(error),))
    if not body.strip(b" \t\r\n\x00"):
        return SourceContents(problems=(EMPTY,))
    content_type = (headers or {}).get("content-type", "")
    if is_sitemap(body):
        return read_sitemap(body, url, max_urls=MAX_ENTRIES)
    if starts_as_html(body):
        sources = find_sources(parse(body, url=url, content_type=content_type), url)
        return SourceContents(problems=(HTML_INSTEAD,), announced=tuple(s.url for s in sources if s.kind == "feed"))
    text = decoded(body, content_type)
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return read_json_feed(text, url)
    return read_syndication(text, url)


def read_json_feed(text: str, url: str) -> SourceContents:
    """Returns the items as candidates, by `url`, else `external_url`, else an `id` that is an address.

    Of a truncated document the complete items are read. A document that does not state the JSON Feed version has to
    name at least one item with an address.
    """
    text = text.lstrip("\ufeff \t\r\n")
    problems: tuple[str, ...] = ()
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        feed = {"items": list(_whole_items(text)), "version": text[:500]}
        problems = (CUT_JSON,)
    items = feed.get("items")
    if not isinstance(items, list):
        return SourceContents(problems=(NO_FEED,))
    entries = Entries(url)
    for item in items[:MAX_ENTRIES]:
        if isinstance(item, dict):
            _add(entries, item, url)
    if not entries.found and not _VERSION.search(str(feed.get("version"))):
        return SourceContents(problems=(NO_FEED,))
    if len(items) > MAX_ENTRIES:
        problems += (CUT,)
    home, language = feed.get("home_page_url"), feed.get("language")
    return SourceContents(
        entries.candidates(),
        problems=problems,
        title=plain(_text(feed.get("title"))),
        home=resolve(url, home) if isinstance(home, str) else None,
        language=language[:35] if isinstance(language, str) else None,
    )


def _add(entries: Entries, item: dict[str, Any], base: str) -> None:
    identifier = _text(item.get("id"))
    links = [_text(item.get("url")), _text(item.get("external_url"))]
    links += [identifier] if identifier.lower().startswith(("http://", "https://")) else []
    published, modified = (read_source_date(_text(item.get(key))) for key in ("date_published", "date_modified"))
    entries.add(base, links, _text(item.get("title")), published or modified, modified)


def _whole_items(text: str) -> Iterator[Any]:
    """Yields the items of a broken document, up to the first incomplete one."""
    start = _ITEMS.search(text)
    position = start.end() if start else len(text)
    decoder = json.JSONDecoder()
    while position < len(text):
        between = _BETWEEN.match(text, position)
        try:
            item, position = decoder.raw_decode(text, between.end() if between else position)
        except (ValueError, RecursionError):
            return
        yield item


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
