"""The weekly check of `newscrawl run` for new articles that a site shows and none of its sources has named.

It runs after all sources of the site were read, with requests of the crawl itself: the front page, the front pages of
other languages, at most two announced sitemaps that are not declared, and a few articles whose date decides. All
answers are read, and all addresses compared, in workers.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Final

from scrapy import Request
from scrapy.http import Response

from newscrawl.crawling.failures import failure_of
from newscrawl.crawling.monitoring import watchdog
from newscrawl.crawling.spider import responses
from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.coverage import RECENT, Gap, answered, language_in, questions
from newscrawl.logs.json_lines import about
from newscrawl.model import SourceType
from newscrawl.storage.frontier import pages, sites
from newscrawl.storage.monitoring.checks import check_coverage
from newscrawl.workers.front_page_task import Named, WantedLinks
from newscrawl.workers.source_task import SourceRead, pickle_candidates

if TYPE_CHECKING:
    from newscrawl.crawling.spider.sources.source_spider import SourceSpider

MAX_SITEMAPS: Final = 2
"""Announced sitemaps that are read although the site does not declare them."""

SHOWN: Final = WantedLinks(shown=True)


async def check(spider: SourceSpider) -> None:
    """Runs the check; missing articles open an alarm."""
    gap = await _gap(spider)
    spider.count("watchdog/coverage_checks")
    watchdog.log(await spider.stored(check_coverage, spider.name, gap, spider.now()))


async def _gap(spider: SourceSpider) -> Gap | None:
    """Returns what the site shows and no source has named; None if the front page could not be fetched."""
    home = await _fetch(spider, spider.site.home)
    front = await _read(spider, home, "start") if home is not None else None
    if home is None or front is None:
        return None
    seen = [front]
    for url in front.front_pages:
        other = await _fetch(spider, url)
        read = await _read(spider, other, "start") if other is not None else None
        seen += [read] if read is not None else []
    seen += await _sitemaps(spider, front)
    named, languages = await spider.stored(sites.named_pages, spider.name)
    # In a thread, because pickling 2,000 candidates would block the event loop.
    pieces = (await asyncio.to_thread(pickle_candidates, named)).pieces
    known = await spider.stored(pages.known_keys, [key for read in seen for key in read.front_keys])
    shown = tuple(piece for read in seen for piece in read.candidates.pieces)
    languages |= {language_in(source.url) for source in spider.site.sources}
    against = Named(pieces, frozenset(known), frozenset(languages), shown)
    compared = await _read(spider, home.replace(body=b""), "start", WantedLinks(against=against))
    if compared is None or compared.gap is None:
        return None
    return answered(compared.gap, await _dates(spider, compared.gap))


async def _sitemaps(spider: SourceSpider, front: SourceRead) -> list[SourceRead]:
    """Reads the announced sitemaps that the site does not declare; of an index, the newest child."""
    declared = {key_of(source.url) for source in spider.site.sources}
    announced = [*front.found, *await spider.robots_named(spider.site.home)]
    urls = dict.fromkeys(source.url for source in announced if source.kind == "sitemap")
    sitemaps: list[SourceRead] = []
    for url in [url for url in urls if key_of(url) not in declared][:MAX_SITEMAPS]:
        answer = await _fetch(spider, url)
        read = await _read(spider, answer, "sitemap") if answer is not None else None
        if read is None:
            continue
        since = spider.now() - RECENT
        fresh = [(key, child) for key, child in read.children if child.lastmod and child.lastmod >= since]
        for child in [child.url for key, child in fresh if key not in declared][:1]:
            below = await _fetch(spider, child)
            read = await _read(spider, below, "sitemap") if below is not None else None
        sitemaps += [read] if read is not None else []
    return sitemaps


async def _dates(spider: SourceSpider, gap: Gap) -> dict[str, datetime | None]:
    """Returns the dates of the articles that decide."""
    dates: dict[str, datetime | None] = {}
    for question in questions(gap):
        answer = await _fetch(spider, question.url)
        if answer is None:
            continue
        raw = responses.raw_page(answer, requested_url=question.url, site=spider.name, discovery=None, now=spider.now())
        made = await spider.pool.extract(raw)
        if made.article is not None:
            published = made.article.metadata.published
            dates[question.url] = published.when if published else None
    return dates


async def _fetch(spider: SourceSpider, url: str) -> Response | None:
    """Returns the site's answer; None if there is none that can be read."""
    engine = spider.crawler.engine
    if engine is None:
        raise RuntimeError("the check runs only during a crawl")
    try:
        response: Response = await engine.download_async(Request(url, dont_filter=True))
    except asyncio.CancelledError:
        raise
    except Exception as error:  # noqa: BLE001  as in a spider's errback: every failure of a request gets a name
        failure = failure_of(error)
        spider.logger.info("%s: %s", url, failure.reason, extra=about(url=url, reason=failure.code))
        return None
    if responses.unreadable(response) is not None or not within(response.url, spider.site.domains):
        return None
    return response


async def _read(
    spider: SourceSpider, response: Response, kind: SourceType, wanted: WantedLinks = SHOWN
) -> SourceRead | None:
    """Reads the answer in a worker. The address is no source of the site, so its failures are not stored."""
    source = Source(response.url, kind, guessed=True)
    read, failure = await spider.read_in_worker(source, response, kind, wanted)
    return read if failure is None else None
