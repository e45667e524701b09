"""Finds articles that the chosen sources of a new site leave out, and adds sources that list them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from newscrawl.crawling.spider.sources.front_page import MAX_SITEMAPS, asked
from newscrawl.discovery.links.article_urls import looks_like_article
from newscrawl.discovery.links.front_pages import FrontPage, in_language
from newscrawl.discovery.links.learned_rules import learn_rules
from newscrawl.discovery.onboarding.search import Search
from newscrawl.discovery.proposals.coverage import (
    MIN_MISSING,
    Gap,
    compare,
    dated_entries,
    language_in,
    not_named,
)
from newscrawl.discovery.proposals.find_sources import FoundSource, rank
from newscrawl.discovery.proposals.site_page import SitePage
from newscrawl.discovery.proposals.sources import SourceTrial, choose_more
from newscrawl.model import Article, Candidate

MAX_FEEDS: Final = 6
"""Further feeds that are tried if articles are missing."""

_ARCHIVE: Final = 3
"""`find_sources.rank` of plain sitemaps."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The additions: sources, and front pages as sections with the articles that they link. `missing` are the articles
    still left out."""

    sources: tuple[SourceTrial, ...] = ()
    sections: tuple[str, ...] = ()
    linked: tuple[Candidate, ...] = ()
    missing: tuple[Candidate, ...] = ()


async def completed(
    search: Search,
    chosen: Sequence[SourceTrial],
    page: SitePage,
    now: datetime,
    article_of: Callable[[Candidate], Awaitable[Article | None]],
) -> Completion:
    """Compares the articles of the front pages and announced sitemaps with those of the chosen sources; returns the
    additions. `article_of` fetches a page and returns its article."""
    front_pages = [page.front]
    for url in page.front_pages:
        read = await search.read_page(url)
        if read is not None:
            front_pages.append(read.front)
    for source in [one for one in search.announced if rank(one, search.home) == _ARCHIVE][:MAX_SITEMAPS]:
        await search.peek(source)
    named = [candidate for trial in chosen for candidate in trial.articles]
    rule = learn_rules(one.url for one in named).rule
    shown = [link for front in front_pages for link in front.links]
    for trial in search.trials:
        shown += [
            one
            for one in in_language(tuple(dated_entries(trial.articles)), trial.language)
            if one.discovery.title or rule.accepts(one.url) or looks_like_article(one.url)
        ]
    gap = compare(named, shown, domains=search.domains, now=now, languages=languages_of(chosen))
    gap = await asked(gap, article_of)
    if not gap.counts:
        return Completion()
    await _try_more(search, front_pages, gap)
    used = {trial.source.url for trial in chosen}
    sources = choose_more([trial for trial in search.trials if trial.source.url not in used], gap.missing, search.home)
    left = not_named(gap.missing, (one for trial in sources for one in trial.articles))
    sections, linked = _linking(front_pages, left)
    left = not_named(left, linked)
    return Completion(tuple(sources), sections, linked, tuple(left) if len(left) >= MIN_MISSING else ())


def languages_of(trials: Sequence[SourceTrial]) -> list[str]:
    """Returns the languages that sources state, or that their URLs name."""
    return [language for trial in trials if (language := trial.language or language_in(trial.source.url))]


async def _try_more(search: Search, front_pages: Sequence[FrontPage], gap: Gap) -> None:
    """Try the feeds that the other front pages announce, and feeds of the missing articles' sections that were not read
    yet."""
    tried = {trial.source.url for trial in search.trials}
    sections = {urlsplit(one.url).path.strip("/").partition("/")[0] for one in gap.missing} - {""}
    of_sections = [one for one in search.announced if any(name in one.url for name in sections)]
    feeds: list[FoundSource] = [source for front in front_pages[1:] for source in front.sources] + of_sections
    for source in [one for one in feeds if one.kind == "feed" and one.url not in tried][:MAX_FEEDS]:
        await search.try_source(source)


def _linking(
    front_pages: Sequence[FrontPage], missing: Sequence[Candidate]
) -> tuple[tuple[str, ...], tuple[Candidate, ...]]:
    """Returns front pages with links to missing articles, and those links."""
    pages: list[str] = []
    linked: list[Candidate] = []
    for front in front_pages:
        left = not_named(missing, linked)
        found = [one for one in left if one not in not_named([one], front.links)]
        if len(found) >= MIN_MISSING:
            pages.append(front.url)
            linked += found
    return tuple(pages), tuple(linked)
