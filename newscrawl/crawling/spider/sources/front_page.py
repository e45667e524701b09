"""Finds new articles that a site shows and that none of its sources names.

A site shows as new what its front pages link to, one for each language, and the dated entries of the sitemaps that it
announces. The front page is compared with the sources

- by `find_gap`, which requests what is shown and a few articles whose date decides: once a week in `newscrawl run`,
  after all sources were read, and in `newscrawl check --live`;
- by `FrontPage`, in the crawl of a site whose sources were found on its front page, which was read before them.

Pages and sitemaps are read, and all addresses compared, in workers (newscrawl.workers.source_task).
`newscrawl add-site` searches for sources as well, so it reads more of a site (newscrawl.discovery.onboarding.search).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from scrapy.http import Response

from newscrawl.config.logs.lines import about
from newscrawl.crawling.runtime.site_client import SiteAnswer, SiteClient
from newscrawl.crawling.spider import crawl_plan
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.coverage import MIN_MISSING, RECENT, Gap, answered, language_in, questions
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.model import Article, Candidate, SourceType
from newscrawl.workers.source_task import EVERYTHING, SHOWN, Named, SourceRead, WantedLinks, pickle_candidates

if TYPE_CHECKING:
    from newscrawl.extraction.article.make import ArticleOptions

logger = logging.getLogger(__name__)

MAX_SITEMAPS: Final = 2
"""Announced sitemaps that are read although the site does not declare them."""

MAX_NAMED: Final = 64_000_000
"""Bytes of candidates that a site is compared with: 300,000 usual ones. `check --live` has all entries of the
sources."""

PIECES: Final = 4
"""Pieces of 250 candidates that `FrontPage` keeps of each source, the newest. A news sitemap may have 1,000 entries."""

MAX_KEPT: Final = 4_000_000
"""Bytes of candidates that `FrontPage` keeps of all sources: 20,000 usual ones."""


async def _none_known(_keys: Collection[str]) -> Collection[str]:
    return ()


async def find_gap(
    client: SiteClient,
    reader: SiteReader,
    site: Site,
    named: Sequence[Candidate],
    now: datetime,
    *,
    languages: Iterable[str] = (),
    known: Callable[[Collection[str]], Awaitable[Collection[str]]] = _none_known,
    options: ArticleOptions | None = None,
) -> Gap | None:
    """Returns the new articles that the site shows and that `named` does not contain; None if the front page cannot be
    fetched or read.

    `languages` are those of the sources; `known` returns which of the URL keys lead to known pages. Articles are
    extracted with `options`, by default the workers'.
    """

    async def ask(url: str) -> SiteAnswer | None:
        answer = await client.get(url)
        if answer.failure is not None:
            extra = about(site.name, url, answer.failure.code)
            logger.info("%s: %s", url, answer.failure.reason, extra=extra)
        return answer if answer.readable and within(answer.final_url, site.domains) else None

    async def shown(url: str, kind: SourceType) -> list[SourceRead]:
        answer = await ask(url)
        read = await reader.links(answer, kind, site, now, SHOWN) if answer is not None else None
        return [read] if isinstance(read, SourceRead) else []

    async def shown_in_sitemap(url: str) -> list[SourceRead]:
        """Of an index, the newest child is read."""
        read = await shown(url, "sitemap")
        children = read[0].children if read else ()
        fresh = [(key, child.url) for key, child in children if child.lastmod and child.lastmod >= now - RECENT]
        newest = [url for key, url in fresh if key not in declared][:1]
        return await shown(newest[0], "sitemap") if newest else read

    async def article_of(link: Candidate) -> Article | None:
        answer = await ask(link.url)
        return (await reader.article(answer.raw_page(site.name), options)).article if answer is not None else None

    front = await shown(site.home, "start")
    if not front:
        return None
    seen = list(front)
    for url in front[0].front_pages:
        seen += await shown(url, "start")
    declared = {key_of(source.url) for source in site.sources}
    announced = [source.url for source in front[0].found if source.kind == "sitemap"]
    announced += await client.sitemaps(site.home)
    for url in [url for url in dict.fromkeys(announced) if key_of(url) not in declared][:MAX_SITEMAPS]:
        seen += await shown_in_sitemap(url)
    # In a thread, because pickling 2,000 candidates would block the event loop.
    pieces = (await asyncio.to_thread(pickle_candidates, named, MAX_NAMED)).pieces
    keys = frozenset(await known([key for read in seen for key in read.shown_keys]))
    spoken = {*languages, *(language_in(source.url) for source in site.sources)}
    everything = tuple(piece for read in seen for piece in read.shown.pieces)
    against = WantedLinks(against=Named(pieces, keys, frozenset(spoken), everything))
    home = SiteAnswer(site.home, site.home, now)
    compared = await reader.links(home, "start", site, now, against)
    if not isinstance(compared, SourceRead) or compared.gap is None:
        return None
    return await asked(compared.gap, article_of)


async def asked(gap: Gap, article_of: Callable[[Candidate], Awaitable[Article | None]]) -> Gap:
    """Returns the gap after the pages that decide on sections without dates were fetched. `article_of` returns the
    article of a page, None if there is none."""
    dates: dict[str, datetime | None] = {}
    for link in questions(gap):
        article = await article_of(link)
        if article is not None:
            published = article.metadata.published
            dates[link.url] = published.when if published else None
    return answered(gap, dates)


@dataclass(frozen=True, slots=True)
class ReadFrontPage:
    """A front page that was read, without its body, and the sitemaps that it announces beside the sources."""

    url: str
    response: Response
    read: SourceRead
    beside: tuple[Source, ...] = ()


class FrontPage:
    """The front page of a crawl's site, and what the sources found on it name: links and candidates as workers pickled
    them, up to `MAX_KEPT` bytes. Nothing is kept for a site whose front page is not read."""

    def __init__(self) -> None:
        self._front: ReadFrontPage | None = None
        self._partly: Collection[str | None] = ()
        self._pieces: list[bytes] = []
        self._kept = 0
        self._languages: set[str] = set()

    def stored(self, to_read: Sequence[Source], home: str) -> None:
        """Sets the sources to those that an earlier crawl found."""
        self._partly = crawl_plan.partly_read(to_read, home)

    def found(
        self,
        announced: Sequence[FoundSource],
        url: str,
        home: tuple[SourceRead, Response | None],
        known: Collection[str | None],
    ) -> list[Source]:
        """Returns the sources to read among those that the front page and robots.txt announce, with those that an
        earlier crawl needed in addition, because the others left articles out. `known` are the URL keys of the sources
        that earlier crawls read."""
        chosen = crawl_plan.sources_found(announced)
        beside = crawl_plan.sources_left_out(announced, chosen, url)
        chosen += [source for source in beside if key_of(source.url) in known]
        read, response = home
        if chosen:
            self._partly = crawl_plan.partly_read([*chosen, *beside], url)
            if response is not None and read.shown_keys:
                self._front = ReadFrontPage(url, response.replace(body=b""), read, tuple(beside))
        return chosen

    def wanted(self, source: Source) -> WantedLinks:
        """Returns what is wanted of the source: of an archive beside feeds, only the recent entries."""
        if key_of(source.parent or source.url) not in self._partly:
            return EVERYTHING
        return WantedLinks(recent=frozenset(self._front.read.shown_keys if self._front is not None else ()))

    def take(self, read: SourceRead) -> None:
        """Records that a source was read, and keeps some of its candidates."""
        if self._front is None:
            return
        self._languages.add(read.language)
        for piece in read.candidates.pieces[:PIECES]:
            if self._kept + len(piece) <= MAX_KEPT:
                self._kept += len(piece)
                self._pieces.append(piece)

    def due(self) -> ReadFrontPage | None:
        """Returns, once and after all sources were read, the front page that is to be compared with them; else None."""
        front, self._front = self._front, None
        return front

    def again(self, front: ReadFrontPage) -> None:
        """Records that the sitemaps beside the sources are read now. The comparison is repeated after them."""
        self._front = replace(front, beside=())

    def against(self, front: ReadFrontPage, known: Collection[str]) -> WantedLinks | None:
        """Returns the comparison of the front page with the sources; None if too few of its links lead to unknown
        pages. `known` are the URL keys of those that lead to known ones."""
        if len(set(front.read.shown_keys).difference(known)) < MIN_MISSING:
            return None
        named = Named(tuple(self._pieces), frozenset(known), frozenset(self._languages), front.read.shown.pieces)
        return WantedLinks(against=named)
