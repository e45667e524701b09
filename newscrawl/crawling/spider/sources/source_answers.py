"""Prepares a source's answer for its worker, and reads its headers and redirects."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from scrapy.http import Response

from newscrawl.crawling.downloader.middlewares.lazy_decoding import PackedResponse
from newscrawl.crawling.spider.responses import OFFSITE, header, lower_headers
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.discovery import Budget
from newscrawl.discovery.links.resolve import within
from newscrawl.model import Failure, SourceKind
from newscrawl.scheduling import cache_freshness
from newscrawl.workers.front_page_task import EVERYTHING, WantedLinks
from newscrawl.workers.source_task import SourceRead, SourceTask

UNREADABLE: Final = "source/unreadable"

READ_HEADERS: Final = ("content-type", "x-robots-tag")
"""What of an answer's headers its body is read with."""

PERMANENT: Final = frozenset({301, 308})


def task_for(
    source: Source,
    response: Response,
    site: Site,
    left: Budget,
    now: datetime,
    kind: SourceKind | None = None,
    wanted: WantedLinks = EVERYTHING,
) -> SourceTask:
    """What a worker needs to read the answer; `kind` is the source's unless given."""
    headers = {name: text for name in READ_HEADERS if (text := header(response, name)) is not None}
    return SourceTask(
        response.url,
        kind or source.kind,
        headers,
        response.body,
        response.packing if isinstance(response, PackedResponse) else None,
        site.rule,
        site.domains,
        site.source_domains(source),
        left,
        now,
        wanted,
    )


def unusable(read: SourceRead) -> Failure | None:
    """Why a source that was read names nothing at all, when something was wrong with it."""
    return Failure(UNREADABLE, read.unusable) if read.unusable is not None else None


def moved_away(response: Response, site: Site, source: Source) -> Failure | None:
    """A source may only move within the site or the domain that served it (a hijacked feed names what it likes)."""
    if within(response.url, site.source_domains(source)):
        return None
    return Failure(OFFSITE, f"leads to another site: {response.url}")


def not_before(response: Response, found: SourceRead, now: datetime) -> datetime | None:
    """The earliest next visit that the source allows: its headers, and what a feed says of its own pace."""
    pace = found.pace
    return cache_freshness.not_before(
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
