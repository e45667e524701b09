"""Makes a page of a response, or of an item with `url` and `body`, which a spider of any project yields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from itemadapter import ItemAdapter
from scrapy.http import Headers, Response

from newscrawl.crawling.spider import responses
from newscrawl.model import RawPage

_FIELDS: Final = tuple(field.name for field in fields(RawPage))
_SHOWN: Final = 80
"""Characters of a wrong value that an error shows."""
HTML_AS_UTF8: Final = {"content-type": "text/html; charset=utf-8"}
"""The headers of a body that is given as text, which is encoded in UTF-8."""


def page_of(item: Any, site: str, now: datetime) -> RawPage | None:
    """Returns the page; None for an item that is no page. `site` and `now` (UTC) are used if the item does not state
    them.

    A body is bytes, or text; `fetched_at` is a time with a zone, or its ISO 8601 text; `status` is a number, or its
    digits. Raises TypeError for a value of another type, and ValueError for an address that is not of the web and for a
    time without a zone.
    """
    if isinstance(item, RawPage):
        return item
    if isinstance(item, Response):
        request = item.request
        redirected = request.meta.get("redirect_urls") if request is not None else None
        requested_url = str(redirected[0]) if redirected else item.url
        return responses.raw_page(item, requested_url=requested_url, site=site, discovery=None, now=now)
    if not ItemAdapter.is_item(item):
        return None
    adapter = ItemAdapter(item)
    if adapter.get("url") is None or adapter.get("body") is None:
        return None
    return _page(adapter, site, now)


def _page(adapter: ItemAdapter, site: str, now: datetime) -> RawPage:
    url, body = str(adapter["url"]), adapter["body"]
    if not isinstance(body, bytes | str):
        raise TypeError(f"the item's body is {type(body).__name__}: give response.body (bytes) or response.text")
    given = {name: adapter[name] for name in _FIELDS if adapter.get(name) is not None}
    for name, read in _READ.items():
        if name in given:
            given[name] = read(given[name])
    headers = _headers(given.get("headers", {}))
    if isinstance(body, str):
        body, headers = body.encode("utf-8", "replace"), {**headers, **HTML_AS_UTF8}
    standard = {"final_url": url, "status": 200, "fetched_at": now, "site": site}
    return RawPage(**{**standard, **given, "url": _address(url), "body": body, "headers": headers})


def _address(url: object) -> str:
    text = str(url)
    if not text.strip():
        raise ValueError("the item's url is empty")
    parts = urlsplit(text.strip())
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"the item's address is {text[:_SHOWN]!r}: give one that begins with https:// or http://")
    return text


def _time(moment: object) -> datetime:
    """Returns a time, also of its ISO 8601 text, as JSON and item loaders have it."""
    if isinstance(moment, str):
        text = moment
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(f"the item's fetched_at is {text[:_SHOWN]!r}: give a time of ISO 8601") from None
    if not isinstance(moment, datetime):
        raise TypeError(f"the item's fetched_at is {type(moment).__name__}: give a datetime with a time zone")
    if moment.utcoffset() is None:
        raise ValueError("the item's fetched_at has no time zone: give datetime.now(UTC)")
    return moment


def _status(status: object) -> int:
    if isinstance(status, bool) or not isinstance(status, int | str) or not str(status).isdecimal():
        raise TypeError(f"the item's status is {str(status)[:_SHOWN]!r}: give the number, like 200")
    return int(status)


def _headers(given: object) -> dict[str, str]:
    if isinstance(given, Headers):
        return responses.lower_headers(Response("about:blank", headers=given))
    if not isinstance(given, Mapping):
        raise TypeError(f"the item's headers are {type(given).__name__}: give a mapping of names to values")
    return {str(name).lower(): str(value) for name, value in given.items()}


_READ: Final[Mapping[str, Callable[[object], object]]] = MappingProxyType(
    {"final_url": _address, "fetched_at": _time, "status": _status, "site": str}
)
"""How fields are read that an item loader, or a JSON file, gives as text."""
