"""Proposes a declaration from what was read of an unknown site: the pure part of onboarding."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import unquote, urlsplit

from newscrawl.discovery.links.article_urls import is_home, never_an_article
from newscrawl.discovery.links.extraction import LIKELY, FoundLink
from newscrawl.discovery.links.learned_rules import LearnedRule, learn_rules
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.declaration import Declaration, country_of, language_of, spider_name
from newscrawl.discovery.proposals.find_sources import FoundSource, rank
from newscrawl.discovery.proposals.site_page import SitePage
from newscrawl.discovery.reading import SourceContents
from newscrawl.discovery.sitemaps.child_choice import credible_date
from newscrawl.model import Candidate
from newscrawl.model.identity import registrable_domain, same_site
from newscrawl.model.word_lists import read_words

STALE: Final = timedelta(days=60)
"""A source whose newest entry is older is abandoned or hardly ever updated."""

NEW_SHARE: Final = 0.1
"""Share of a source's entries that must be new among the chosen sources, or it is not worth its requests."""

_ABOUT_THE_SITE: Final = frozenset(word.casefold() for word in read_words(__file__, "phrases/about_the_site.txt"))
"""Last parts of addresses, and texts of links with hyphens between their words, of pages about the site and no news."""
MAX_FEEDS: Final = 8
MAX_SITEMAPS: Final = 3
MAX_SECTIONS: Final = 12
SURELY_NOT: Final = 0.3
"""Links of the home page with a lower confidence are used as examples of addresses that are no articles."""

SECTION_DEPTH: Final = 2
SECTION_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class SourceTrial:
    """A source that was tried, with its articles. `problem` says why it is not used, "" if it can be used."""

    source: FoundSource
    articles: tuple[Candidate, ...] = ()
    newest: datetime | None = None
    problem: str = ""
    language: str | None = None

    @property
    def good(self) -> bool:
        """Whether it could be read and names articles of the site that are not all old."""
        return not self.problem


def try_source(
    source: FoundSource, reading: SourceContents, domains: Sequence[str], now: datetime, *, status: int = 200
) -> SourceTrial:
    """Returns what a source's answer offers to the site that owns `domains`.

    A sitemap index has no articles and is good if it names children.
    """
    articles = tuple(
        candidate
        for candidate in reading.candidates
        if within(candidate.url, domains) and not never_an_article(candidate.url)
    )
    dates = [when for candidate in articles if (when := credible_date(candidate.discovery.published, now))]
    newest = max(dates, default=None)
    problem = ""
    if status != 200:
        problem = f"answers {status}"
    elif not articles and not reading.children:
        problem = reading.problems[0] if reading.problems else "names no article of this site"
    elif newest is not None and newest < now - STALE:
        problem = f"nothing new since {newest:%Y-%m-%d}"
    language = reading.language or next((c.discovery.language for c in articles if c.discovery.language), None)
    return SourceTrial(source, articles, newest, problem, language)


def choose_sources(trials: Iterable[SourceTrial], home: str) -> list[SourceTrial]:
    """Returns the sources to declare, in the order of `find_sources.rank`. Each names articles that those before it do
    not name.

    Plain sitemaps, which list the archive, are taken only if there is nothing else.
    """
    good = sorted((trial for trial in trials if trial.good), key=lambda trial: rank(trial.source, home))
    chosen: list[SourceTrial] = []
    seen: set[str | None] = set()
    for trial in good:
        keys = {key_of(candidate.url) for candidate in trial.articles}
        same_kind = sum(other.source.kind == trial.source.kind for other in chosen)
        if same_kind >= (MAX_FEEDS if trial.source.kind == "feed" else MAX_SITEMAPS):
            continue
        if rank(trial.source, home) >= 3 and chosen:  # archives and feeds without text
            continue
        if keys and len(keys - seen) < max(1, NEW_SHARE * len(keys)):
            continue
        chosen.append(trial)
        seen |= keys
    return chosen


def choose_more(trials: Iterable[SourceTrial], missing: Iterable[Candidate], home: str) -> list[SourceTrial]:
    """Returns further sources that name `missing` articles, in the order of `find_sources.rank`. Each names at least a
    tenth of what those before it leave."""
    left = {key_of(candidate.url) for candidate in missing}
    chosen: list[SourceTrial] = []
    for trial in sorted(trials, key=lambda trial: rank(trial.source, home)):
        keys = {key_of(candidate.url) for candidate in trial.articles}
        if trial.good and len(keys & left) >= max(2, NEW_SHARE * len(left)):
            chosen.append(trial)
            left -= keys
    return chosen


def sample(candidates: Iterable[Candidate], count: int = 10) -> list[Candidate]:
    """Returns `count` articles to try: from each section in rotation, the newest first, none twice."""
    sections: dict[str, list[Candidate]] = {}
    for candidate in {key_of(c.url): c for c in reversed(list(candidates))}.values():
        parts = urlsplit(candidate.url)
        first = parts.path.strip("/").partition("/")
        sections.setdefault(f"{parts.netloc}/{first[0] if first[1] else ''}", []).append(candidate)
    for listed in sections.values():
        listed.reverse()
        listed.sort(key=lambda c: c.discovery.published.timestamp() if c.discovery.published else 0, reverse=True)
    taken: list[Candidate] = []
    position = 0
    while len(taken) < count and any(len(listed) > position for listed in sections.values()):
        taken += [listed[position] for listed in sections.values() if len(listed) > position]
        position += 1
    return taken[:count]


def sections_of(links: Iterable[FoundLink], home: str) -> list[str]:
    """Returns the section pages that a home page links to: short addresses with short names, in its order."""
    sections = [
        link.url
        for link in links
        if same_site(link.url, home)
        and not link.nofollow
        and link.confidence < LIKELY
        and not never_an_article(link.url)
        and not is_home(link.url)
        and not urlsplit(link.url).query
        and 0 < len([part for part in urlsplit(link.url).path.split("/") if part]) <= SECTION_DEPTH
        and 0 < len(link.title.split()) <= SECTION_WORDS
        and "footer" not in link.features
        and "service's address" not in link.features
        and not is_about_the_site(link.url, link.title)
    ]
    return sections[:MAX_SECTIONS]


def is_about_the_site(url: str, title: str = "") -> bool:
    """Returns whether a page is about the site itself: by the last part of its address, or by the text of a link to
    it."""
    name = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2].partition(".")[0].replace("_", "-")
    return not _ABOUT_THE_SITE.isdisjoint((name.casefold(), "-".join(title.casefold().split())))


def propose(
    page: SitePage,
    home: str,
    chosen: Sequence[SourceTrial],
    *,
    taken: Collection[str] = (),
    refused: Collection[str] = frozenset(),
    linked: Collection[str] = (),
    added: Sequence[str] = (),
) -> tuple[Declaration, LearnedRule]:
    """Returns the declaration of a site from its home page and the sources to declare, and its learned rule.

    `taken` are names of existing spiders. `refused` are addresses that were fetched and are no articles. `linked` are
    articles that section pages link to, which are used if there is no source. `added` are pages to declare as sections
    beside the sources.

    Without a source the home page and its sections are declared, and the rule is learned from its links.
    """
    links = [link for link in page.links if same_site(link.url, home)]
    listed = [candidate.url for trial in chosen for candidate in trial.articles]
    likely = [link.url for link in links if link.confidence >= LIKELY]
    if added:
        listed += linked
    articles = [url for url in (listed or dict.fromkeys([*likely, *linked])) if url not in refused]
    known = set(articles)
    others = [link.url for link in links if link.confidence < SURELY_NOT and link.url not in known]
    rule = learn_rules(articles, [*others, *refused])
    declared = [*page.languages, *(trial.language for trial in chosen)]
    site = Declaration(
        name=spider_name(home, taken),
        title=page.title,
        domains=(registrable_domain(home),),
        home=home,
        language=language_of(declared),
        country=country_of(home, declared),
        feeds=tuple(trial.source.url for trial in chosen if trial.source.kind == "feed"),
        sitemaps=tuple(trial.source.url for trial in chosen if trial.source.kind == "sitemap"),
        sections=tuple(added) if chosen else (home, *sections_of(links, home)),
        articles=rule.patterns,
        meanings=rule.meanings,
    )
    return site, rule
