"""The sources of a crawl's site, from their requests to what is stored of their answers.

first_requests   the sources: declared, stored, or the front page on which `found` finds them
read, failed     a source's candidates into storage together with its validators, or why it gave nothing; then
                 requests for the pages that are due, and for further sitemaps
ended            after the last source: the front page if none could be read, else what the sources leave out
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from scrapy import Request
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.config.derived.intervals import by_timetable, edit_follower, source_planner
from newscrawl.config.logs.lines import about
from newscrawl.crawling.downloader.middlewares.retry import FAILED_BEFORE, RETRY_PRIORITY
from newscrawl.crawling.downloader.scrapy_internals import is_closing
from newscrawl.crawling.failures import failure_of
from newscrawl.crawling.runtime.site_client import EngineSiteClient
from newscrawl.crawling.spider import crawl_plan, responses
from newscrawl.crawling.spider.limits import NOT_SENT
from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.crawling.spider.sources import site_reader
from newscrawl.crawling.spider.sources.front_page import FrontPage, find_gap
from newscrawl.crawling.spider.sources.site_reader import GIVEN_UP, SiteReader, unless_ending
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.proposals.coverage import MIN_MISSING
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.discovery.reading import BODY_SECONDS, CPU, DOCUMENTS, TREE_SECONDS
from newscrawl.errors import WorkerDied
from newscrawl.model import HARMFUL, TOO_COSTLY, Failure
from newscrawl.monitoring import watchdog
from newscrawl.storage.frontier import pages, sites
from newscrawl.storage.frontier.source_state import Reading, Recovery, SourceFailure
from newscrawl.storage.monitoring.checks import check_coverage
from newscrawl.storage.records import DuePage, PlanSource, SourceAnswer, SourceRow
from newscrawl.workers.source_task import EVERYTHING, NOTHING, SourceRead, WantedLinks, read_source

if TYPE_CHECKING:
    from newscrawl.crawling.spider.news_spider import NewsSpider

NOT_ITS_FAULT: Final = NOT_SENT | {CPU}
"""Failures of an answer that are not the source's fault; with CPU, other documents of its sitemap index cost too
much."""

NOT_READ: Final = Failure(CPU, "not read: its sitemap index has used up its CPU time")
TREE_FAILURE: Final = Failure(TOO_COSTLY, f"reading it and what it names took more than {TREE_SECONDS:g} s of CPU time")

NO_WORKERS: Final = "no_workers"
"""Finish reason of a crawl that cannot start workers to read its sources."""


class SourceReader:
    """The sources of one crawl."""

    def __init__(self, spider: NewsSpider) -> None:
        self.rows: Mapping[str | None, SourceRow] = {}
        """The sources that earlier crawls read, by URL key."""
        self._spider = spider
        self._accounts = crawl_plan.Accounts()
        self._front = FrontPage()
        self._turn = asyncio.Lock()
        self._compares = False
        """Whether the front page is compared with the declared sources after all were read."""

    # --- requests ---

    async def first_requests(self) -> list[Request]:
        """Returns requests for the site's sources, or for the front page to find them; in a fleet, for those due."""
        spider = self._spider
        known = await spider.stored_sources()
        self.rows = {key_of(row.url): row for row in known}
        to_read = crawl_plan.sources_to_read(spider.site, known)
        if not to_read:
            return [self.request(spider.site.home, self.read_home, self.home_failed)]
        if not spider.site.sources:
            self._front.stored(to_read, spider.site.home)
        fleet, begun = spider.session.fleet, spider.session.begun
        if fleet is not None:
            self._compares = begun is not None and begun.is_comparison_due
            everything = fleet.reads_all or self._compares
            to_read = crawl_plan.sources_now(to_read, known, spider.now(), everything=everything)
        return list(self.requests(to_read))

    def requests(self, to_read: Iterable[Source]) -> Iterator[Request]:
        """Yields one conditional request for each source that was not read yet."""
        spider = self._spider
        for source in to_read:
            is_wanted, limits = self._accounts.take(source)
            for limit in limits:
                spider.count(limit)
            if not is_wanted:
                continue
            spider.count("discovery/sources_requested")
            row = self.rows.get(key_of(source.url))
            address = row.address if row else source.url
            request = self.request(address, self.read, self.failed, source=source)
            request.meta["handle_httpstatus_list"] = [responses.UNCHANGED]
            if not spider.site.owns(address):
                request.meta["allow_offsite"] = True  # a declared feed at a feed service
            yield responses.made_conditional(request, *(row.validators(spider.now()) if row else (None, None)))

    def request(
        self,
        url: str,
        callback: Callable[..., Any],
        errback: Callable[..., Any],
        *,
        dont_filter: bool = False,
        **kwargs: Any,
    ) -> Request:
        """Returns a request for something that is read for links. It goes before articles, but its repetition after a
        failure does not go before those of the last day."""
        return Request(
            url,
            callback,
            errback=errback,
            cb_kwargs=kwargs,
            meta={RETRY_PRIORITY: crawl_plan.SOURCE_RETRY_PRIORITY},
            priority=crawl_plan.SOURCE_PRIORITY,
            dont_filter=dont_filter,
        )

    # --- answers of sources ---

    async def read(self, response: Response, source: Source) -> AsyncIterator[Request]:
        """Stores a source's candidates, then yields requests for those that are due and for further sitemaps."""
        spider = self._spider
        self._accounts.note_address(source, response.url)
        read, failure = await self._usable(source, response, self._front.wanted(source))
        if failure is not None:
            await self._failed(source, failure, response.status)
            async for request in self.ended(source, good=failure.code in NOT_ITS_FAULT):
                yield request
            return
        self._front.take(read)
        async for request in self._due(source, response, read):
            yield request
        if response.status == responses.UNCHANGED:
            spider.count("discovery/source_unchanged")
            if spider.arguments.max_articles is not None:
                async for request in spider.pending_requests():
                    yield request
        for request in self._children(source, read):
            yield request
        async for request in self.ended(source, good=True):
            yield request

    async def failed(self, failed: TwistedFailure) -> AsyncIterator[Request]:
        """Handles a source that could not be fetched. A request that is not repeated, because its host rests or the
        crawl ends, has failed all the same."""
        request: Request = failed.request  # type: ignore[attr-defined]
        source: Source = request.cb_kwargs["source"]
        failure, status = self._spider.counted(failed), responses.status_of(failed)
        was_sent = failure.code not in NOT_SENT
        if not was_sent and FAILED_BEFORE in request.meta:
            failure, status = request.meta[FAILED_BEFORE]
            self._spider.count(failure.code)
        await self.record_failure(source, failure, status)
        async for further in self.ended(source, good=not was_sent):
            yield further

    async def ended(self, source: Source, *, good: bool) -> AsyncIterator[Request]:
        """If every source of the site has failed, requests the front page, which has at least some links. If all
        were read, yields requests for what they leave out, or runs the weekly check.

        This does not hold for guessed addresses, which are tried after the front page had no links.
        """
        spider = self._spider
        is_well = self._accounts.end(source, good=good)
        is_over, all_failed = not self._accounts.open, self._accounts.all_failed
        if is_well and not self._is_ending():
            await self._record_recovery(source)
        if all_failed and not source.guessed:
            spider.logger.warning("no source of %s could be read: using the links of its front page", spider.site)
            spider.count("discovery/front_page_instead")
            yield self.request(spider.site.home, self.read_instead, self.instead_failed, dont_filter=True)
        elif is_over and not self._is_ending():
            async for request in self.left_out():
                is_over = False
                yield request
            if is_over and self._compares:
                self._compares = False
                await self._check_coverage()

    def _children(self, source: Source, found: SourceRead) -> Iterator[Request]:
        """Yields requests for the sitemaps that an index names."""
        if not found.children:
            return
        wanted, left_out, in_backoff = crawl_plan.children_to_read(
            source, found.children, self.rows, self._spider.now()
        )
        self._spider.count(DOCUMENTS, left_out)
        if in_backoff:
            self._accounts.note_harm(source)
        yield from self.requests(wanted)

    # --- the front page ---

    async def read_home(self, response: Response) -> AsyncIterator[Request]:
        """Reads the announcements of the front page, and then those of robots.txt."""
        home = Source(self._spider.site.home, "start")
        read, failure = await self.in_worker(home, response)
        if failure is not None and failure.code != site_reader.UNREADABLE:
            await self._failed(home, failure, response.status)
        async for request in self.found(response.url, read, response):
            yield request

    async def home_failed(self, failed: TwistedFailure) -> AsyncIterator[Request]:
        """Handles a missing front page: robots.txt may still name sitemaps."""
        spider = self._spider
        home = Source(spider.site.home, "start")
        await self.record_failure(home, spider.counted(failed), responses.status_of(failed))
        async for request in self.found(spider.site.home, NOTHING, None):
            yield request

    async def found(self, url: str, read: SourceRead, home: Response | None) -> AsyncIterator[Request]:
        """Yields requests for the sources found; without any, uses the front page's own links; else, the usual
        addresses."""
        in_robots = await EngineSiteClient(self._spider.crawler).sitemaps(url)  # many sites name none
        announced = [*read.found, *(FoundSource(address, "sitemap") for address in in_robots)]
        chosen = self._front.found(announced, url, (read, home), self.rows)
        self._spider.count("discovery/sources_found", len(chosen))
        if chosen or home is None or not read.names_pages:
            for request in self.requests(chosen or crawl_plan.guessed_sources(url)):
                yield request
            return
        async for request in self._due(Source(url, "section"), home, read):
            yield request

    async def read_instead(self, response: Response) -> AsyncIterator[Request]:
        """Reads the front page's links if no source could be read."""
        source = Source(self._spider.site.home, "section")
        read, failure = await self._usable(source, response)
        if failure is not None and failure.code != site_reader.UNREADABLE:
            await self._failed(source, failure, response.status)
            return
        async for request in self._due(source, response, read):
            yield request

    async def instead_failed(self, failed: TwistedFailure) -> None:
        """Handles a front page that could not be fetched either. This is only logged: the failures of the sources that
        it replaced are counted and stored."""
        home, failure = self._spider.site.home, failure_of(failed)
        extra = about(url=home, reason=failure.code)
        self._spider.logger.warning("%s: %s (%s)", home, failure.reason, failure.code, extra=extra)

    async def left_out(self) -> AsyncIterator[Request]:
        """Yields requests after all sources found on the front page were read. If the front page links to new articles
        that none of them names, these are requests for the sitemaps announced beside them; if those do not name them
        either, for the articles."""
        spider, front = self._spider, self._front.due()
        if front is None or spider.taken.left <= 0:
            return
        against = self._front.against(front, await spider.stored(pages.known_keys, front.read.shown_keys))
        if against is None:
            return
        compared, failure = await self.in_worker(Source(front.url, "start"), front.response, against)
        if failure is not None:
            spider.count(failure.code)
            return
        number = len(compared.candidates)
        if number < MIN_MISSING:
            return
        spider.logger.info("%d links of %s that no source names", number, front.url)
        is_uncovered = compared.gap is not None and compared.gap.is_uncovered
        beside = list(self.requests(front.beside)) if is_uncovered else []
        if beside:
            self._front.again(front)
            for request in beside:
                yield request
            return
        spider.count("discovery/left_out", number)
        read = replace(compared, content_hash=front.read.content_hash)
        async for request in self._due(Source(front.url, "section"), front.response, read):
            yield request

    async def _check_coverage(self) -> None:
        """Compares what the site shows with all that its sources have named. Missing articles open an alarm."""
        spider = self._spider
        named, languages = await spider.stored(sites.named_pages, spider.name)

        async def known(keys: Collection[str]) -> Collection[str]:
            return await spider.stored(pages.known_keys, keys)

        client, reader = EngineSiteClient(spider.crawler), SiteReader(spider.pool, self._is_ending)
        try:
            gap = await find_gap(client, reader, spider.site, named, spider.now(), languages=languages, known=known)
        except WorkerDied as error:
            raise self._without_workers(error) from error
        spider.count("watchdog/coverage_checks")
        watchdog.log(await spider.stored(check_coverage, spider.name, gap, spider.now()))

    # --- reading ---

    async def in_worker(
        self, source: Source, response: Response, wanted: WantedLinks = EVERYTHING
    ) -> tuple[SourceRead, Failure | None]:
        """Returns the result of a worker for the answer, and why it cannot be used.

        The answers of a site are read one after the other, so that no two of them use the same budget and a site has
        at most one worker. A source of the site that has used up its budget, with the documents it leads to, is
        recorded as failed.
        """
        async with self._turn:
            read, failure, blamed = await self._in_turn(source, response, wanted)
        if failure is not None and failure.code in HARMFUL:
            self._accounts.note_harm(source)
        if blamed is not None:
            await self._failed(blamed, TREE_FAILURE, response.status)
        return read, failure

    async def _in_turn(
        self, source: Source, response: Response, wanted: WantedLinks
    ) -> tuple[SourceRead, Failure | None, Source | None]:
        """Returns a worker's result, why it cannot be used, and the site's own source whose time this has used up. An
        answer that had less CPU time than a body may take, because other documents of its account used the rest, is not
        blamed."""
        spider, accounts = self._spider, self._accounts
        left = accounts.left(source)
        if self._is_ending():
            return NOTHING, GIVEN_UP, None
        if left.seconds <= 0:
            return NOTHING, NOT_READ, None
        allowed = min(BODY_SECONDS, left.seconds)
        task = site_reader.task_for(source, response, spider.site, left, spider.now(), wanted)
        try:
            work = spider.pool.call(read_source, task, subject=task.url, cpu=allowed)
            outcome = await unless_ending(work, self._is_ending)
        except WorkerDied as error:
            raise self._without_workers(error) from error
        if outcome is None:
            return NOTHING, GIVEN_UP, None
        blamed = accounts.note_cpu_time(source, outcome.seconds)
        if outcome.value is not None:
            accounts.note_answer(source, response.url, outcome.value.size, outcome.value.entries)
            return outcome.value, site_reader.unusable(outcome.value), blamed
        failure = outcome.failure
        if failure is not None and failure.code == TOO_COSTLY and allowed < BODY_SECONDS:
            failure = NOT_READ
        return NOTHING, failure, blamed

    async def _usable(
        self, source: Source, response: Response, wanted: WantedLinks = EVERYTHING
    ) -> tuple[SourceRead, Failure | None]:
        """Returns what an answer of the site names, and why it cannot be used."""
        failure = responses.unreadable(response) or site_reader.moved_away(response, self._spider.site, source)
        if failure is not None or response.status == responses.UNCHANGED:
            return NOTHING, failure
        return await self.in_worker(source, response, wanted)

    def _is_ending(self) -> bool:
        return is_closing(self._spider.crawler)

    def _without_workers(self, error: WorkerDied) -> CloseSpider:
        self._spider.logger.error("the crawl ends: %s", error)
        return CloseSpider(NO_WORKERS)

    # --- storage ---

    async def _due(self, source: Source, response: Response, read: SourceRead) -> AsyncIterator[Request]:
        """Stores an answer, then yields requests for the pages that are due."""
        async for request in self._spider.due_requests(await self._record_answer(source, response, read)):
            yield request

    async def _record_answer(self, source: Source, response: Response, found: SourceRead) -> list[DuePage]:
        """Stores in one transaction that the source was read and what it named. Returns the pages to fetch."""
        spider = self._spider
        spider.count(f"discovery/{source.kind}_read")
        spider.count("discovery/candidates", len(found.candidates))
        spider.count("discovery/offsite", found.offsite)
        spider.count("discovery/not_article", found.not_article)
        spider.count("discovery/over_limit", found.over_limit)
        # Validators are stored only if everything was read, or a later 304 would hide the rest forever. That also
        # holds for an index: if it did not change, a 304 would hide a child that could not be read this time. Nor are
        # they stored if all entries were refused: the site's rule may be wrong and be corrected later.
        whole = not (found.over_limit or found.is_index or found.problems or found.all_refused)
        now = spider.now()
        answer = SourceAnswer(
            spider.name,
            source.url,
            source.kind,
            response.status,
            now,
            responses.header(response, "ETag") if whole else None,
            responses.header(response, "Last-Modified") if whole else None,
            content_hash=found.content_hash,
            not_before=site_reader.not_before(response, found, now),
            moved_to=site_reader.moved_to(response, source),
            parent=source.parent,
            whole=whole,
            is_settled=source.parent is not None or not found.is_index,
        )
        due = await spider.recorded(
            Reading(answer, found.candidates, now, self._plan(), edit_follower(spider.crawl_config))
        )
        withdrawn = sum(page.announced == "withdrawn" for page in due)
        spider.count("discovery/known", len(found.candidates) - len(due) + withdrawn)
        spider.count("discovery/announced_edits", sum(page.announced is not None for page in due))
        return due

    async def _failed(self, source: Source, failure: Failure, status: int | None) -> None:
        """Counts and stores why an answer cannot be used."""
        self._spider.count(failure.code)
        await self.record_failure(source, failure, status)

    async def record_failure(self, source: Source, failure: Failure, status: int | None) -> None:
        """Stores why a source gave nothing. A guessed address is no source of the site, so its failure is only
        counted."""
        spider = self._spider
        if failure.code in NOT_ITS_FAULT:
            return
        if source.guessed:
            spider.count("discovery/guess_failed")
            return
        spider.count("discovery/source_failed")
        extra = about(url=source.url, reason=failure.code)
        spider.logger.warning("source %s: %s (%s)", source.url, failure.reason, failure.code, extra=extra)
        named = (spider.name, source.url, source.kind, failure.code, status, spider.now())
        await spider.recorded(SourceFailure(*named, self._plan(), source.parent, failure.reason))

    async def _record_recovery(self, source: Source) -> None:
        """Ends the failure of a source that had cost too much and was now read with all documents that it leads to."""
        row = self.rows.get(key_of(source.parent or source.url))
        if row is not None and row.failure_kind in HARMFUL:
            await self._spider.recorded(Recovery(self._spider.name, row.url, self._spider.now(), self._plan()))

    def _plan(self) -> PlanSource:
        """Returns when to read a source again, according to the settings and the site's own timetable."""
        plan, fleet = source_planner(self._spider.crawl_config), self._spider.session.fleet
        next_crawl = fleet.next_crawl if fleet is not None else None
        return plan if next_crawl is None else by_timetable(plan, next_crawl)
