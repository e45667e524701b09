"""Reads JSON Feed 1 and 1.1 (jsonfeed.org)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from newscrawl.discovery.dates import from_text
from newscrawl.discovery.feeds.entries import Entries, plain
from newscrawl.discovery.links.resolve import resolve
from newscrawl.discovery.reading import CUT, CUT_JSON, NO_FEED, SourceContents

_ITEMS: Final = re.compile(r'"items"\s*:\s*\[')
_BETWEEN: Final = re.compile(r"[\s,]*")
_VERSION: Final = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/", re.IGNORECASE)


def looks_like_json(text: str) -> bool:
    """Returns whether the body begins as a JSON object."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def read_json_feed(text: str, url: str, max_entries: int) -> SourceContents:
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
    for item in items[:max_entries]:
        if isinstance(item, dict):
            _add(entries, item, url)
    if not entries.found and not _VERSION.search(str(feed.get("version"))):
        return SourceContents(problems=(NO_FEED,))
    if len(items) > max_entries:
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
    published, modified = (from_text(_text(item.get(key))) for key in ("date_published", "date_modified"))
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
