"""Prepares a source's answer for its worker, and reads its headers and redirects."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from scrapy.http import Response

from newscrawl.crawling.scheduling import sources
from newscrawl.crawling.spider.responses import OFFSITE, header, lower_headers
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.discovery.links.resolve import within
from newscrawl.discovery.reading import Budget
from newscrawl.model import Failure
from newscrawl.workers.source_task import EVERYTHING, SourceRead, SourceTask, WantedLinks

UNREADABLE: Final = "source/unreadable"

READ_HEADERS: Final = ("content-type", "x-robots-tag")
"""The headers of an answer that are needed to read its body."""

PERMANENT: Final = frozenset({301, 308})


def task_for(
    source: Source,
    response: Response,
    site: Site,
    left: Budget,
    now: datetime,
    wanted: WantedLinks = EVERYTHING,
) -> SourceTask:
    """Returns a worker's task for the answer."""
    headers = {name: text for name in READ_HEADERS if (text := header(response, name)) is not None}
    return SourceTask(
        response.url,
        source.kind,
        headers,
        response.body,
        site.rule,
        site.domains,
        site.source_domains(source),
        left,
        now,
        wanted,
    )


def unusable(read: SourceRead) -> Failure | None:
    """Returns why a source names nothing at all, if there was a problem with it; else None."""
    return Failure(UNREADABLE, read.unusable) if read.unusable is not None else None


def moved_away(response: Response, site: Site, source: Source) -> Failure | None:
    """Returns a failure if a source has moved outside the site and the domain that served it: it may be hijacked."""
    if within(response.url, site.source_domains(source)):
        return None
    return Failure(OFFSITE, f"leads to another site: {response.url}")


def not_before(response: Response, found: SourceRead, now: datetime) -> datetime | None:
    """Returns the earliest next visit that the source allows, by its headers and a feed's update hints."""
    hints = found.update_hints
    return sources.not_before(
        lower_headers(response),
        now,
        update_interval=hints.interval or None,
        skip_hours=hints.skip_hours,
        skip_days=hints.skip_days,
    )


def moved_to(response: Response, source: Source) -> str | None:
    """Returns where the source moved permanently: all redirects on the way must be permanent. None otherwise."""
    redirected = response.meta.get("redirect_urls")
    reasons = response.meta.get("redirect_reasons", ())
    if not redirected or redirected[0] != source.url or not PERMANENT.issuperset(reasons):
        return None
    return response.url
