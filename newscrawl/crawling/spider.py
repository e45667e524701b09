"""NewsSpider: the way from a site's declaration to raw pages.

    start           pages known and still to fetch, then the sources: declared, stored, or found (home page, robots.txt)
    read_source     candidates into storage together with the source's validators, then requests for those that are due
    read_article    RawPage

Every article request ends in a RawPage, or in a failure that is counted and stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from scrapy import Request
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from newscrawl import failpoints
from newscrawl.crawling import answers, plan, reading
from newscrawl.crawling.declared import DeclaredSpider
from newscrawl.crawling.downloader import BUDGET
from newscrawl.crawling.pace import source_planner
from newscrawl.crawling.packed import STAYS_PACKED
from newscrawl.crawling.politeness import RESTING, STOPPED, UNWRITTEN
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.robots import RobotsMiddleware
from newscrawl.crawling.shared import round_of
from newscrawl.crawling.site import Source
from newscrawl.discovery import (
    FoundSource,
    Reading,
    choose,
    find_sources,
    is_older,
    section_links,
)
from newscrawl.discovery.links import key_of
from newscrawl.model import Discovery, Failure, RawPage
from newscrawl.page import Page, parse
from newscrawl.storage import events, pages, sources
from newscrawl.storage.records import DuePage, PlanSource, SourceAnswer, SourceRow

PENDING_LIMIT: Final = 10_000
"""Known pages taken up in one crawl."""

NOT_ASKED: Final = frozenset({RESTING, STOPPED, BUDGET, UNWRITTEN})
"""Refusals of a request that say nothing of its page: the host wants rest, the crawl is ending, the day's requests are
spent, or the database is away."""


class NewsSpider(DeclaredSpider):
    """Base of all sites; a subclass declares, see DeclaredSpider's attributes."""

    known_sources: Sequence[SourceRow] = ()
    pending_domain: str | None = None
    """Registrable domain of the pages taken up, where the spider's name stands for several sites."""

    async def start(self) -> AsyncIterator[Any]:
        """The one page asked for, or else everything."""
        if self.arguments.url:
            yield self.article_request(self.arguments.url, Discovery("start", self.arguments.url))
            return
        if self.arguments.max_articles is None:
            # A crawl of a few articles wants the newest: what is pending would use them up before a source is read.
            for request in await self.pending_requests():
                yield request
        for request in await self.first_source_requests():
            yield request

    async def pending_requests(self) -> list[Request]:
        """Pages an earlier crawl found and did not fetch, and those due again."""
        due = await self.stored(pages.due, self.name, self.now(), PENDING_LIMIT, domain=self.pending_domain)
        return list(self.due_requests(page for page in due if self.site.owns(page.url)))

    async def first_source_requests(self) -> list[Request]:
        """The site's sources, or the front page to find them; in a fleet, those that are due."""
        self.known_sources = await self.stored_sources()
        to_read = plan.sources_to_read(self.site, self.known_sources)
        if not to_read:
            return [self.home_request()]
        round_ = round_of(self.crawler)
        if round_ is not None:
            everything = round_.sources == "all"
            to_read = plan.sources_now(to_read, self.known_sources, self.now(), everything=everything)
        return list(self.source_requests(to_read))

    async def stored_sources(self) -> Sequence[SourceRow]:
        """The sources this site has been read from, with their validators."""
        return await self.stored(sources.of_site, self.name)

    # Articles

    def due_requests(self, due: Iterable[DuePage]) -> Iterator[Request]:
        """Requests for pages that are due, as far as the crawl's arguments want them; the others stay `found`."""
        for page in due:
            published = page.discovery.published if page.discovery else None
            if is_older(published, self.arguments.since):
                self.count("discovery/too_old")
            elif self.progress.take_article(page.url):
                request = self.article_request(page.url, page.discovery)
                yield answers.made_conditional(request, page.etag, page.last_modified)

    def article_request(self, url: str, discovery: Discovery | None) -> Request:
        """A request whose answer becomes an item; younger articles go first. Nothing here reads the body: it comes
        packed, as a PackedResponse."""
        return Request(
            url,
            self.read_article,
            errback=self.article_failed,
            cb_kwargs={"asked": url, "discovery": discovery},
            meta={"handle_httpstatus_list": [answers.UNCHANGED], STAYS_PACKED: True},
            priority=plan.article_priority(discovery.published if discovery else None, self.now()),
        )

    async def read_article(self, response: Response, asked: str, discovery: Discovery | None) -> AsyncIterator[RawPage]:
        """The raw page, unless the answer is none or comes from elsewhere."""
        self.progress.asked.add(key_of(response.url) or asked)
        failure = answers.no_page(response, asked, self.site.domains)
        if failure is None:
            yield answers.raw_page(response, asked=asked, site=self.name, discovery=discovery, now=self.now())
        else:
            self.count(failure.kind)
            await self.record_article_failure(asked, failure, response.status)

    async def article_failed(self, failed: TwistedFailure) -> None:
        """An article that could not be fetched."""
        asked = failed.request.cb_kwargs["asked"]  # type: ignore[attr-defined]
        await self.record_article_failure(asked, self.counted(failed), answers.status_of(failed))

    async def record_article_failure(self, url: str, failure: Failure, status: int | None) -> None:
        """Store why this page has no article; when it is asked for again is storage's to say.

        A page that was not asked for after all stays as it is: the next crawl takes it up.
        """
        self.logger.info("%s: %s (%s)", url, failure.reason, failure.kind)
        if failure.kind == RESTING:
            await self.stored(events.record, url, self.name, failure.kind, failure.reason, None, self.now())
        if failure.kind in NOT_ASKED:
            return
        await self.stored(pages.record_failure, url, self.name, failure, status, self.now())

    # Sources

    def source_requests(self, to_read: Iterable[Source]) -> Iterator[Request]:
        """One conditional request for each source not read yet."""
        rows = {key_of(row.url): row for row in self.known_sources}
        for source in to_read:
            if self.progress.knows_source(source.url):
                continue
            refused = self.spending.asks(source)
            for limit in refused:
                self.count(limit)
            if not refused and self.progress.take_source(source.url):
                self.count("discovery/sources_asked")
                row = rows.get(key_of(source.url))
                address = row.address if row else source.url
                request = self.reading_request(address, self.read_source, self.source_failed, source=source)
                request.meta["handle_httpstatus_list"] = [answers.UNCHANGED]
                if not self.site.owns(address):
                    request.meta["allow_offsite"] = True  # a declared feed at a feed service
                yield answers.made_conditional(request, *(row.validators(self.now()) if row else (None, None)))

    async def read_source(self, response: Response, source: Source) -> AsyncIterator[Request]:
        """A source's candidates into storage, then requests for those that are due and for further sitemaps."""
        self.progress.read.add(key_of(response.url) or source.url)
        failure = answers.unreadable(response) or reading.moved_away(response, self.site, source)
        found = reading.NOTHING
        if failure is None and response.status != answers.UNCHANGED:
            left = self.spending.left(source)
            found = await asyncio.to_thread(reading.read, source, response, self.site.rule, left)
            self.spending.answered(source, response.url, len(response.body), found.entries)
            failure = reading.unusable(found)
        if failure is not None:
            self.count(failure.kind)
            await self.record_source_failure(source, failure, response.status)
            for request in self.source_ended(source, good=False):
                yield request
            return
        for request in self.due_requests(await self.record_answer(source, response, found)):
            yield request
        self.count("discovery/source_unchanged", response.status == answers.UNCHANGED)
        if response.status == answers.UNCHANGED and self.arguments.max_articles is not None:
            for request in await self.pending_requests():
                yield request
        children = plan.children_to_read(self.site, source, found.children, self.known_sources, self.now())
        for request in self.source_requests(children):
            yield request
        for request in self.source_ended(source, good=True):
            yield request

    async def record_answer(self, source: Source, response: Response, found: Reading) -> list[DuePage]:
        """One transaction: that the source was read, and what it named. Returns the pages to fetch."""
        accepts = reading.filter_for(self.site.rule)
        chosen = choose(
            found.candidates, domains=self.site.domains, accepts=accepts, now=self.now(), limit=plan.MAX_CANDIDATES
        )
        self.count(f"discovery/{source.kind}_read")
        self.count("discovery/candidates", len(chosen.candidates))
        self.count("discovery/offsite", chosen.offsite)
        self.count("discovery/not_article", chosen.not_article)
        self.count("discovery/over_limit", chosen.over_limit)
        # Validators only of what was read whole, or a later 304 would hide the rest for ever. That holds for an index
        # too: unchanged, it would hide a child that could not be read this time.
        # Nor where all of it was refused: it may be the site's rule that is wrong, and is corrected tomorrow.
        all_refused = not chosen.candidates and bool(chosen.not_article or chosen.offsite)
        whole = not (chosen.over_limit or found.children or found.problems or all_refused)
        now = self.now()
        answer = SourceAnswer(
            self.name,
            source.url,
            source.kind,
            response.status,
            now,
            answers.header(response, "ETag") if whole else None,
            answers.header(response, "Last-Modified") if whole else None,
            content_hash=reading.body_hash(response),
            not_before=reading.not_before(response, found, now),
            moved_to=reading.moved_to(response, source),
            parent=source.parent,
        )
        mentioned = (*chosen.mentions, *found.mentions)
        due = await self.stored(
            sources.record_answer, answer, chosen.candidates, now, mentioned=mentioned, plan=self.plan_source
        )
        failpoints.hit(failpoints.AFTER_SOURCE_ANSWER)
        self.count("discovery/known", len(chosen.candidates) - len(due))
        return due

    async def source_failed(self, failed: TwistedFailure) -> AsyncIterator[Request]:
        """A source that could not be fetched."""
        source: Source = failed.request.cb_kwargs["source"]  # type: ignore[attr-defined]
        failure = self.counted(failed)
        await self.record_source_failure(source, failure, answers.status_of(failed))
        for request in self.source_ended(source, good=failure.kind in NOT_ASKED):
            yield request

    def source_ended(self, source: Source, *, good: bool) -> Iterator[Request]:
        """Where every source of the site has failed, its front page: its links are better than nothing.

        Not for guessed addresses, which belong to nobody: they are tried after the front page had no links.
        """
        if self.progress.end_source(good=good) and not source.guessed:
            self.logger.warning("no source of %s could be read: its front page's links are taken", self.site)
            self.count("discovery/front_page_instead")
            yield self.reading_request(self.site.home, self.read_instead, self.instead_unread, dont_filter=True)

    async def read_instead(self, response: Response) -> AsyncIterator[Request]:
        """The front page's links, where no source could be read."""
        source = Source(self.site.home, "section")
        failure = answers.unreadable(response) or reading.moved_away(response, self.site, source)
        if failure is not None:
            self.count(failure.kind)
            await self.record_source_failure(source, failure, response.status)
            return
        left = self.spending.left(source)
        found = await asyncio.to_thread(reading.read, source, response, self.site.rule, left)
        for request in self.due_requests(await self.record_answer(source, response, found)):
            yield request

    async def instead_unread(self, failed: TwistedFailure) -> None:
        """Nor could the front page: it stands in for sources that have their own failures stored, and has no row."""
        failure = self.counted(failed)
        self.logger.warning("%s: %s (%s)", self.site.home, failure.reason, failure.kind)

    async def record_source_failure(self, source: Source, failure: Failure, status: int | None) -> None:
        """Store why a source gave nothing; a guessed address belongs to nobody and is only counted."""
        if failure.kind in NOT_ASKED:
            return
        if source.guessed:
            self.count("discovery/guess_failed")
            return
        self.count("discovery/source_failed")
        self.logger.warning("source %s: %s (%s)", source.url, failure.reason, failure.kind)
        named = (self.name, source.url, source.kind, failure.kind, status, self.now())
        await self.stored(sources.record_failure, *named, parent=source.parent, plan=self.plan_source)

    @property
    def plan_source(self) -> PlanSource:
        """When to come to a source again, as the settings want it."""
        return source_planner(self.crawler.settings)

    # Finding the sources of a site that declares none

    def home_request(self) -> Request:
        """The front page. Not conditional: its body is needed."""
        return self.reading_request(self.site.home, self.read_home, self.home_failed)

    async def read_home(self, response: Response) -> AsyncIterator[Request]:
        """What the front page announces; what robots.txt lists comes next."""
        page = await asyncio.to_thread(reading.parse_page, response)
        for request in await self.found_requests(page, response):
            yield request

    async def home_failed(self, failed: TwistedFailure) -> AsyncIterator[Request]:
        """Without a front page robots.txt may still name sitemaps."""
        await self.home_unread(failed)
        for request in await self.found_requests(parse(b"", url=self.site.home), None):
            yield request

    async def home_unread(self, failed: TwistedFailure) -> None:
        """A front page that could not be fetched."""
        home = Source(self.site.home, "start")
        await self.record_source_failure(home, self.counted(failed), answers.status_of(failed))

    async def robots_named(self, url: str) -> list[FoundSource]:
        """The sitemaps that robots.txt names, which the robots middleware has read already. Many sites have none."""
        middleware = self.crawler.get_downloader_middleware(RobotsMiddleware)
        try:
            named = await middleware.sitemaps_of(url) if middleware else ()
        except (ValueError, Refused):
            return []  # the front page was refused for the same reason, and that is counted
        return [FoundSource(address, "sitemap") for address in named]

    async def found_requests(self, page: Page, home: Response | None) -> list[Request]:
        """The sources found; without any, the front page's own links; without those, the usual addresses."""
        url = page.url or self.site.home
        found = plan.sources_found([*find_sources(page, url), *await self.robots_named(url)])
        self.count("discovery/sources_found", len(found))
        if found:
            return list(self.source_requests(found))
        links = section_links(page, url, self.site.rule)
        if links.candidates and home is not None:
            return list(self.due_requests(await self.record_answer(Source(url, "section"), home, links)))
        return list(self.source_requests(plan.guessed_sources(url)))

    def reading_request(
        self,
        url: str,
        callback: Callable[..., Any],
        errback: Callable[..., Any],
        *,
        dont_filter: bool = False,
        **kwargs: Any,
    ) -> Request:
        """A request for what is read for links; it goes before articles."""
        priority = plan.SOURCE_PRIORITY
        return Request(url, callback, errback=errback, cb_kwargs=kwargs, priority=priority, dont_filter=dont_filter)
