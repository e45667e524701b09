"""Makes a page of a response, or of an item with `url` and `body`, which a spider of any project yields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from itemadapter import ItemAdapter
from scrapy.http import Headers, Response

from newscrawl.crawling.spider import responses
from newscrawl.model import RawPage

_FIELDS: Final = tuple(field.name for field in fields(RawPage))
HTML_AS_UTF8: Final = {"content-type": "text/html; charset=utf-8"}
"""The headers of a body that is given as text, which is encoded in UTF-8."""


def page_of(item: Any, site: str, now: datetime) -> RawPage | None:
    """Returns the page; None for an item that is no page. `site` and `now` (UTC) are used if the item does not state
    them.

    A body is bytes, or text. Raises TypeError for any other, and ValueError for an item whose `url` is empty.
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
    if not url.strip():
        raise ValueError("the item's url is empty")
    if not isinstance(body, bytes | str):
        raise TypeError(f"the item's body is {type(body).__name__}: give response.body (bytes) or response.text")
    given = {name: adapter[name] for name in _FIELDS if adapter.get(name) is not None}
    headers = _headers(given.get("headers", {}))
    if isinstance(body, str):
        body, headers = body.encode("utf-8", "replace"), {**headers, **HTML_AS_UTF8}
    standard = {"final_url": url, "status": 200, "fetched_at": now, "site": site}
    return RawPage(**{**standard, **given, "url": url, "body": body, "headers": headers})


def _headers(given: Mapping[Any, Any]) -> dict[str, str]:
    if isinstance(given, Headers):
        return responses.lower_headers(Response("about:blank", headers=given))
    return {str(name).lower(): str(value) for name, value in given.items()}
