"""A source's answer by its kind: which reader takes it, what it may name, and when it says nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Final

from scrapy.http import Response

from newscrawl.article.use import directives
from newscrawl.crawling.answers import OFFSITE, UNCHANGED, header, lower_headers
from newscrawl.crawling.site import Site, Source
from newscrawl.discovery import (
    LIKELY,
    ArticleRule,
    Budget,
    Reading,
    never_an_article,
    read_feed,
    read_sitemap,
    section_links,
)
from newscrawl.discovery.links import within
from newscrawl.discovery.sitemaps import MAX_BYTES, MAX_URLS
from newscrawl.model import Candidate, Failure
from newscrawl.page import Page, parse
from newscrawl.scheduling import floors

NOTHING: Final = Reading()
NOFOLLOW: Final = frozenset({"nofollow", "none"})
UNREADABLE: Final = "source/unreadable"

PERMANENT: Final = frozenset({301, 308})

_SITEMAP_ROOTS: Final = (b"<urlset", b"<sitemapindex")


def read(source: Source, response: Response, rule: ArticleRule, left: Budget) -> Reading:
    """What the source names, as far as its budget goes; never raises. Runs in a thread: a large feed takes seconds."""
    if source.kind == "section":
        told = header(response, "X-Robots-Tag") or ""
        if not NOFOLLOW.isdisjoint(directives([told], scoped=True)):
            return Reading(problems=("its X-Robots-Tag forbids following its links",))
        return section_links(parse_page(response), response.url, rule)
    if source.kind == "sitemap" or any(root in response.body[:2_000] for root in _SITEMAP_ROOTS):
        most, size = min(left.entries, MAX_URLS), min(left.bytes, MAX_BYTES)
        return read_sitemap(response.body, response.url, max_urls=most, max_bytes=size)
    return read_feed(response.body, response.url, lower_headers(response))


def parse_page(response: Response) -> Page:
    """An HTML answer as a page."""
    return parse(response.body, url=response.url, content_type=header(response, "Content-Type"))


def filter_for(rule: ArticleRule) -> Callable[[Candidate], bool]:
    """Which candidates are articles by the site's rule.

    Without declared expressions, feeds and news sitemaps are believed: they list articles by definition, and the
    general judgement knows addresses only. So are links that were judged with their words and place in the page.
    """

    def accepts(candidate: Candidate) -> bool:
        found = candidate.discovery
        listed = found.kind == "feed" or (found.kind == "sitemap" and found.title is not None)
        listed = listed or (found.kind == "section" and (candidate.confidence or 0) >= LIKELY)
        if listed and not rule.patterns:
            return not never_an_article(candidate.url)
        return rule.accepts(candidate.url)

    return accepts


def unusable(reading: Reading) -> Failure | None:
    """Why a source that was read names nothing at all, when something was wrong with it."""
    if reading.problems and not (reading.candidates or reading.children):
        return Failure(UNREADABLE, reading.problems[0])
    return None


def moved_away(response: Response, site: Site, source: Source) -> Failure | None:
    """A source may only move within the site or the domain that served it (a hijacked feed names what it likes)."""
    if within(response.url, site.source_domains(source)):
        return None
    return Failure(OFFSITE, f"leads to another site: {response.url}")


def body_hash(response: Response) -> str | None:
    """What tells a body from another, whatever the validators say of it; None for a 304, which has none."""
    if response.status == UNCHANGED:
        return None
    return hashlib.blake2b(response.body, digest_size=16).hexdigest()


def not_before(response: Response, found: Reading, now: datetime) -> datetime | None:
    """The earliest next visit that the source allows: its headers, and what a feed says of its own pace."""
    pace = found.pace
    return floors.not_before(
        lower_headers(response),
        now,
        pace=pace.interval or None,
        skip_hours=pace.skip_hours,
        skip_days=pace.skip_days,
    )


def moved_to(response: Response, source: Source) -> str | None:
    """Where the source moved for good: every redirect on the way there says so."""
    asked = response.meta.get("redirect_urls")
    reasons = response.meta.get("redirect_reasons", ())
    if not asked or asked[0] != source.url or not PERMANENT.issuperset(reasons):
        return None
    return response.url
