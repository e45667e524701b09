"""Converts Scrapy's responses to newscrawl's values, and decides why an answer is not a page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from scrapy import Request
from scrapy.http import Headers, Response
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.crawling.failures import answered
from newscrawl.discovery.links.article_urls import is_home
from newscrawl.discovery.links.resolve import within
from newscrawl.model import Discovery, Exchange, Failure, RawPage

OFFSITE: Final = "redirect/offsite"
HOME: Final = "redirect/home"
UNCHANGED: Final = 304


def raw_page(
    response: Response, *, requested_url: str, site: str, discovery: Discovery | None, now: datetime
) -> RawPage:
    """Returns an article's answer as the item that spiders yield. A 304 has no body."""
    return RawPage(
        requested_url,
        response.url,
        response.status,
        lower_headers(response),
        None if response.status == UNCHANGED else response.body,
        now,
        site,
        discovery,
        exchange_of(response),
    )


def exchange_of(response: Response) -> Exchange | None:
    """Returns how the answer was requested."""
    request = response.request
    if request is None:
        return None
    redirects = tuple(request.meta.get("redirect_urls", ()))
    address = str(response.ip_address) if response.ip_address is not None else None
    return Exchange(_lower(request.headers), address, redirects)


def no_page(response: Response, requested_url: str, domains: Sequence[str]) -> Failure | None:
    """Returns why an article's answer has no article; None for 200 with a body and for 304, both from the right
    address."""
    if not within(response.url, domains):
        return Failure(OFFSITE, f"leads to another site: {response.url}")
    if is_home(response.url) and not is_home(requested_url):
        return Failure(HOME, f"leads to the home page {response.url}: the article is gone")
    return unreadable(response)


def unreadable(response: Response) -> Failure | None:
    """Returns why an answer cannot be read; None for 200 with a body and for 304."""
    if response.status == UNCHANGED:
        return None
    if response.status != 200:
        return answered(response)
    if response.body.strip():
        return None
    from newscrawl.extraction.article.make import EMPTY_ANSWER  # loads the extractors, as a crawl does at its start

    return EMPTY_ANSWER


def lower_headers(response: Response) -> dict[str, str]:
    """Returns header names in lower case with values as text; repeated ones are joined by a comma."""
    return _lower(response.headers)


def _lower(headers: Headers) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): ", ".join(value.decode("utf-8", "replace") for value in values)
        for name, values in headers.items()
    }


def status_of(failed: TwistedFailure) -> int | None:
    """Returns the status of the answer that failed, if there was one."""
    return getattr(getattr(failed.value, "response", None), "status", None)


def header(response: Response, name: str) -> str | None:
    """Returns one header as text, None if it is absent or blank."""
    value = response.headers.get(name)
    return (value.decode("utf-8", "replace").strip() or None) if value else None


def made_conditional(request: Request, etag: str | None, last_modified: str | None) -> Request:
    """Returns the request made conditional on these validators."""
    if etag:
        request.headers["If-None-Match"] = etag
    if last_modified:
        request.headers["If-Modified-Since"] = last_modified
    return request
