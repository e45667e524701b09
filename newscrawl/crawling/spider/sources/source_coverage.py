"""Finds new articles that a declared site shows and its sources do not name: makes the requests for
`newscrawl.discovery.proposals.coverage`.

`newscrawl check --live` requests the front page, the front pages of other languages, at most two announced sitemaps
that are not declared, and a few articles whose date decides.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from newscrawl.crawling.runtime.site_client import SiteAnswer, SiteClient
from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.links.front_pages import in_language
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.coverage import RECENT, Gap, answered, compare, dated_entries, language_in, questions
from newscrawl.discovery.proposals.site_page import SitePage
from newscrawl.discovery.reading import SourceContents
from newscrawl.discovery.sitemaps.child_choice import choose_children
from newscrawl.model import Candidate, Failure
from newscrawl.workers.front_page_task import is_article

if TYPE_CHECKING:
    from newscrawl.article.make import ArticleOptions

MAX_SITEMAPS: Final = 2
"""Announced sitemaps that are read although the site does not declare them."""

Report = Callable[[str], None]


async def find_gap(
    visitor: SiteClient,
    reader: SiteReader,
    site: Site,
    named: Iterable[Candidate],
    now: datetime,
    options: ArticleOptions,
    *,
    languages: Iterable[str] = (),
    report: Report = lambda _: None,
) -> Gap | None:
    """Returns the new articles that the front pages and announced sitemaps show and `named` does not contain; None if
    the front page cannot be fetched."""

    async def ask(url: str) -> SiteAnswer | None:
        report(url)
        answer = await visitor.get(url)
        return answer if answer.readable and within(answer.final_url, site.domains) else None

    named, languages = list(named), [*languages, *(language_in(source.url) for source in site.sources)]

    async def read(url: str) -> SitePage | None:
        answer = await ask(url)
        contents = await reader.page(answer, site.domains, site.rule) if answer is not None else None
        return None if isinstance(contents, Failure) else contents

    home = await read(site.home)
    if home is None:
        return None
    pages = [home, *[page for url in home.front_pages if (page := await read(url)) is not None]]
    shown = [link for page in pages for link in page.front.links]
    shown += await _in_sitemaps(visitor, reader, ask, site, home, now)
    shown = [entry for entry in shown if is_article(site.rule, entry, languages)]
    gap = compare(named, shown, domains=site.domains, now=now, languages=languages)
    dates: dict[str, datetime | None] = {}
    for question in questions(gap):
        answer = await ask(question.url)
        made = await reader.article(answer.raw_page(site.name), options) if answer is not None else None
        if made is not None and made.article is not None:
            published = made.article.metadata.published
            dates[question.url] = published.when if published else None
    return answered(gap, dates)


async def _in_sitemaps(
    visitor: SiteClient,
    reader: SiteReader,
    ask: Callable[[str], Awaitable[SiteAnswer | None]],
    site: Site,
    home: SitePage,
    now: datetime,
) -> list[Candidate]:
    """Returns dated entries of the announced sitemaps that the site does not declare; of an index, the newest
    child's."""
    declared = {key_of(source.url) for source in site.sources}
    announced = [source.url for source in home.sources if source.kind == "sitemap"]
    announced += await visitor.sitemaps(site.home)
    entries: list[Candidate] = []
    for url in [url for url in dict.fromkeys(announced) if key_of(url) not in declared][:MAX_SITEMAPS]:
        answer = await ask(url)
        if answer is None:
            continue
        read = await _listing(reader, answer)
        fresh = [child.url for child in choose_children(read.children, now, since=now - RECENT) if child.lastmod]
        for child in [url for url in fresh if key_of(url) not in declared][:1]:
            below = await ask(child)
            if below is not None:
                read = await _listing(reader, below)
        entries += in_language(tuple(dated_entries(read.candidates)), read.language)
    return entries


async def _listing(reader: SiteReader, answer: SiteAnswer) -> SourceContents:
    reading = await reader.source(answer, "sitemap")
    return SourceContents() if isinstance(reading, Failure) else reading
