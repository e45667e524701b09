"""The sources of a site: requests for them, and what is stored of their answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from scrapy import Request
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.config.derived.intervals import by_timetable, edit_follower, source_planner
from newscrawl.crawling.downloader.middlewares.retry import FAILED_BEFORE, RETRY_PRIORITY
from newscrawl.crawling.downloader.middlewares.robots import RobotsMiddleware
from newscrawl.crawling.downloader.scrapy_internals import is_closing
from newscrawl.crawling.failures import failure_of
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.spider import crawl_plan, responses
from newscrawl.crawling.spider.article_spider import NOT_SENT, ArticleSpider
from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.crawling.spider.sources import source_answers
from newscrawl.crawling.spider.sources.front_page_comparison import FrontPageComparison, after_sources
from newscrawl.crawling.spider.sources.source_reader import TREE_FAILURE, SourceReader
from newscrawl.discovery.budget import CPU, DOCUMENTS
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.errors import WorkerDied
from newscrawl.logs.json_lines import about
from newscrawl.model import HARMFUL, Failure, SourceType
from newscrawl.storage.frontier.source_state import Reading, Recovery, SourceFailure
from newscrawl.storage.records import DuePage, PlanSource, SourceAnswer, SourceRow
from newscrawl.workers.front_page_task import EVERYTHING, WantedLinks
from newscrawl.workers.source_task import NOTHING, SourceRead

NOT_ITS_FAULT: Final = NOT_SENT | {CPU}
"""Failures of an answer that are not the source's fault; with CPU, other documents of its sitemap index cost too
much."""

NO_WORKERS: Final = "no_workers"
"""Finish reason of a crawl that cannot start workers to read its sources."""


class SourceSpider(ArticleSpider):
    """Reads the sources of a declared site, and requests the pages that they name."""

    known_sources: Sequence[SourceRow] = ()
    _rows: Mapping[str | None, SourceRow] = MappingProxyType({})
    _rows_of: Sequence[SourceRow] = ()
    _reader: SourceReader | None = None
    _compared: FrontPageComparison | None = None
    is_coverage_due: bool = False
    """Whether the watchdog checks the site after all sources were read."""

    @property
    def rows_by_key(self) -> Mapping[str | None, SourceRow]:
        """The known sources by URL key."""
        if self._rows_of is not self.known_sources:
            self._rows_of, self._rows = self.known_sources, {key_of(row.url): row for row in self.known_sources}
        return self._rows

    @property
    def comparison(self) -> FrontPageComparison:
        """Returns the comparison of the front page with the sources found on it."""
        if self._compared is None:
            self._compared = FrontPageComparison()
        return self._compared

    def source_requests(self, to_read: Iterable[Source]) -> Iterator[Request]:
        """Yields one conditional request for each source that was not read yet."""
        rows = self.rows_by_key
        for source in to_read:
            if self.progress.knows_source(source.url):
                continue
            refused = self.source_budgets.check_request(source)
            for limit in refused:
                self.count(limit)
            if not refused and self.progress.take_source(source.url):
                self.count("discovery/sources_requested")
                self.source_budgets.note_request(source)
                row = rows.get(key_of(source.url))
                address = row.address if row else source.url
                request = self.reading_request(address, self.read_source, self.source_failed, source=source)
                request.meta["handle_httpstatus_list"] = [responses.UNCHANGED]
                if not self.site.owns(address):
                    request.meta["allow_offsite"] = True  # a declared feed at a feed service
                yield responses.made_conditional(request, *(row.validators(self.now()) if row else (None, None)))

    async def read_source(self, response: Response, source: Source) -> AsyncIterator[Request]:
        """Stores a source's candidates, then yields requests for those that are due and for further sitemaps."""
        self.progress.read.add(key_of(response.url) or source.url)
        failure = responses.unreadable(response) or source_answers.moved_away(response, self.site, source)
        read = NOTHING
        if failure is None and response.status != responses.UNCHANGED:
            read, failure = await self.read_in_worker(source, response, wanted=self.comparison.wanted(source))
            self.comparison.take(read)
        if failure is not None:
            self.count(failure.code)
            await self.record_source_failure(source, failure, response.status)
            async for request in self.source_ended(source, good=failure.code in NOT_ITS_FAULT):
                yield request
            return
        async for request in self.due_requests(await self.record_answer(source, response, read)):
            yield request
        self.count("discovery/source_unchanged", response.status == responses.UNCHANGED)
        if response.status == responses.UNCHANGED and self.arguments.max_articles is not None:
            async for request in self.pending_requests():
                yield request
        for request in self.children_requests(source, read):
            yield request
        async for request in self.source_ended(source, good=True):
            yield request

    async def read_in_worker(
        self, source: Source, response: Response, kind: SourceType | None = None, wanted: WantedLinks = EVERYTHING
    ) -> tuple[SourceRead, Failure | None]:
        """Returns the result of a worker for the answer, and why it cannot be used. A source of the site that has used
        up its budget, with the documents it leads to, is recorded as failed."""
        if self._reader is None:
            self._reader = SourceReader(self.site, self.source_budgets, lambda: is_closing(self.crawler))
        try:
            result = await self._reader.read(self.pool, source, response, self.now(), kind, wanted)
        except WorkerDied as error:
            self.logger.error("the crawl ends: %s", error)  # noqa: TRY400  its one line says all
            raise CloseSpider(NO_WORKERS) from error
        if result.failure is not None and result.failure.code in HARMFUL:
            self.source_budgets.note_harm(source)
        if result.blamed is not None:
            self.count(TREE_FAILURE.code)
            await self.record_source_failure(result.blamed, TREE_FAILURE, response.status)
        return result.read, result.failure

    def children_requests(self, source: Source, found: SourceRead) -> Iterator[Request]:
        """Yields requests for the sitemaps that an index names."""
        if not found.children:
            return
        children = crawl_plan.children_to_read(source, found.children, self.rows_by_key, self.now())
        self.count(DOCUMENTS, children.left_out)
        if children.in_backoff:
            self.source_budgets.note_harm(source)
        yield from self.source_requests(children.wanted)

    async def record_answer(self, source: Source, response: Response, found: SourceRead) -> list[DuePage]:
        """Stores in one transaction that the source was read and what it named. Returns the pages to fetch."""
        self.count(f"discovery/{source.kind}_read")
        self.count("discovery/candidates", len(found.candidates))
        self.count("discovery/offsite", found.offsite)
        self.count("discovery/not_article", found.not_article)
        self.count("discovery/over_limit", found.over_limit)
        # Validators are stored only if everything was read, or a later 304 would hide the rest forever. That also
        # holds for an index: if it did not change, a 304 would hide a child that could not be read this time. Nor are
        # they stored if all entries were refused: the site's rule may be wrong and be corrected later.
        whole = not (found.over_limit or found.is_index or found.problems or found.all_refused)
        now = self.now()
        answer = SourceAnswer(
            self.name,
            source.url,
            source.kind,
            response.status,
            now,
            responses.header(response, "ETag") if whole else None,
            responses.header(response, "Last-Modified") if whole else None,
            content_hash=found.content_hash,
            not_before=source_answers.not_before(response, found, now),
            moved_to=source_answers.moved_to(response, source),
            parent=source.parent,
            whole=whole,
            is_settled=source.parent is not None or not found.is_index,
        )
        reading = Reading(answer, found.candidates, now, self.plan_source, edit_follower(self.crawl_config))
        due = await self.recorded(reading)
        withdrawn = sum(page.announced == "withdrawn" for page in due)
        self.count("discovery/known", len(found.candidates) - len(due) + withdrawn)
        self.count("discovery/announced_edits", sum(page.announced is not None for page in due))
        return due

    async def source_failed(self, failed: TwistedFailure) -> AsyncIterator[Request]:
        """Handles a source that could not be fetched. A request that is not repeated, because its host rests or the
        crawl ends, has failed all the same."""
        request: Request = failed.request  # type: ignore[attr-defined]
        source: Source = request.cb_kwargs["source"]
        failure, status = self.counted(failed), responses.status_of(failed)
        was_sent = failure.code not in NOT_SENT
        if not was_sent and FAILED_BEFORE in request.meta:
            failure, status = request.meta[FAILED_BEFORE]
            self.count(failure.code)
        await self.record_source_failure(source, failure, status)
        async for request in self.source_ended(source, good=not was_sent):
            yield request

    async def source_ended(self, source: Source, *, good: bool) -> AsyncIterator[Request]:
        """Requests the front page if every source of the site has failed, because it has at least some links.

        This does not hold for guessed addresses, which are tried after the front page had no links.
        """
        if self.source_budgets.note_end(source) and not is_closing(self.crawler):
            await self.record_recovery(source)
        if self.progress.end_source(good=good) and not source.guessed:
            self.logger.warning("no source of %s could be read: using the links of its front page", self.site)
            self.count("discovery/front_page_instead")
            yield self.reading_request(self.site.home, self.read_instead, self.instead_unread, dont_filter=True)
        elif not self.progress.sources_open and not is_closing(self.crawler):
            async for request in after_sources(self):
                yield request

    async def read_instead(self, response: Response) -> AsyncIterator[Request]:
        """Reads the front page's links if no source could be read."""
        source = Source(self.site.home, "section")
        failure = responses.unreadable(response) or source_answers.moved_away(response, self.site, source)
        if failure is not None:
            self.count(failure.code)
            await self.record_source_failure(source, failure, response.status)
            return
        read, failure = await self.read_in_worker(source, response)
        if failure is not None and failure.code != source_answers.UNREADABLE:
            self.count(failure.code)
            await self.record_source_failure(source, failure, response.status)
            return
        async for request in self.due_requests(await self.record_answer(source, response, read)):
            yield request

    async def instead_unread(self, failed: TwistedFailure) -> None:
        """Handles a front page that could not be fetched either. This is only logged: the failures of the sources that
        it replaced are counted and stored."""
        failure = failure_of(failed)
        extra = about(url=self.site.home, reason=failure.code)
        self.logger.warning("%s: %s (%s)", self.site.home, failure.reason, failure.code, extra=extra)

    async def record_source_failure(self, source: Source, failure: Failure, status: int | None) -> None:
        """Stores why a source gave nothing. A guessed address is no source of the site, so its failure is only
        counted."""
        if failure.code in NOT_ITS_FAULT:
            return
        if source.guessed:
            self.count("discovery/guess_failed")
            return
        self.count("discovery/source_failed")
        extra = about(url=source.url, reason=failure.code)
        self.logger.warning("source %s: %s (%s)", source.url, failure.reason, failure.code, extra=extra)
        named = (self.name, source.url, source.kind, failure.code, status, self.now())
        await self.recorded(SourceFailure(*named, self.plan_source, source.parent, failure.reason))

    async def record_recovery(self, source: Source) -> None:
        """Ends the failure of a source that had cost too much and was now read with all documents that it leads to."""
        row = self.rows_by_key.get(key_of(source.parent or source.url))
        if row is not None and row.failure_kind in HARMFUL:
            await self.recorded(Recovery(self.name, row.url, self.now(), self.plan_source))

    @property
    def plan_source(self) -> PlanSource:
        """Returns when to read a source again, according to the settings and the site's own timetable."""
        plan, fleet = source_planner(self.crawl_config), self.session.fleet
        next_crawl = fleet.next_crawl if fleet is not None else None
        return plan if next_crawl is None else by_timetable(plan, next_crawl)

    async def robots_named(self, url: str) -> list[FoundSource]:
        """Returns the sitemaps in robots.txt, which the robots middleware has already read. Many sites name none."""
        middleware = self.crawler.get_downloader_middleware(RobotsMiddleware)
        try:
            named = await middleware.sitemaps_of(url) if middleware else ()
        except (ValueError, Refused):
            return []  # the front page was refused for the same reason, which is counted
        return [FoundSource(address, "sitemap") for address in named]

    def reading_request(
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
