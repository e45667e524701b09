"""Onboarding, its pure half: from what was read of an unknown site to the declaration that is proposed for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from newscrawl.discovery.links.article_urls import is_home, never_an_article
from newscrawl.discovery.links.extraction import LIKELY, FoundLink
from newscrawl.discovery.links.learned_rules import LearnedRule, learn_rules
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.declaration import Declaration, site_name
from newscrawl.discovery.proposals.find_sources import FoundSource, rank
from newscrawl.discovery.proposals.locale import country_of, language_of
from newscrawl.discovery.proposals.site_page import SitePage
from newscrawl.discovery.reading import Reading
from newscrawl.discovery.sitemaps.child_choice import believed
from newscrawl.identity import registrable_domain, same_site
from newscrawl.model import Candidate

STALE: Final = timedelta(days=60)
"""A source whose newest entry is older is dead, or of a desk that hardly writes."""

NEW_SHARE: Final = 0.1
"""Share of a further source's entries that no chosen one has, from which it is worth its requests."""

MAX_FEEDS: Final = 8
MAX_SITEMAPS: Final = 3
MAX_SECTIONS: Final = 12
SURELY_NOT: Final = 0.3
"""Confidence below which a link of the home page teaches what articles are not."""

SECTION_DEPTH: Final = 2
SECTION_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class SourceTrial:
    """A source that was tried: what it gave, and why it is not used if it is not."""

    source: FoundSource
    articles: tuple[Candidate, ...] = ()
    newest: datetime | None = None
    problem: str = ""
    language: str | None = None
    parent: str = ""
    """The sitemap index that names it: it is the index that is declared then."""

    @property
    def good(self) -> bool:
        """Whether it was read and names articles of the site that are not all old."""
        return not self.problem


def try_source(
    source: FoundSource,
    reading: Reading,
    domains: Sequence[str],
    now: datetime,
    *,
    status: int = 200,
    parent: str = "",
) -> SourceTrial:
    """What a source's answer is worth to the site that owns `domains`.

    An index of sitemaps has no articles of its own and is good when it names children.
    """
    articles = tuple(
        candidate
        for candidate in reading.candidates
        if within(candidate.url, domains) and not never_an_article(candidate.url)
    )
    dates = [when for candidate in articles if (when := believed(candidate.discovery.published, now))]
    newest = max(dates, default=None)
    problem = ""
    if status != 200:
        problem = f"answers {status}"
    elif not articles and not reading.children:
        problem = reading.problems[0] if reading.problems else "names no article of this site"
    elif newest is not None and newest < now - STALE:
        problem = f"nothing new since {newest:%Y-%m-%d}"
    language = reading.language or next((c.discovery.language for c in articles if c.discovery.language), None)
    return SourceTrial(source, articles, newest, problem, language, parent)


def choose_sources(trials: Iterable[SourceTrial], home: str) -> list[SourceTrial]:
    """The sources worth declaring: in the order of `find_sources.rank`, each only if it names articles that those
    before do not.

    Plain sitemaps, which list the archive, only where nothing else names what is new.
    """
    good = sorted(
        (trial for trial in trials if trial.good and not trial.parent), key=lambda trial: rank(trial.source, home)
    )
    chosen: list[SourceTrial] = []
    seen: set[str | None] = set()
    for trial in good:
        keys = {key_of(candidate.url) for candidate in trial.articles}
        same_kind = sum(other.source.kind == trial.source.kind for other in chosen)
        if same_kind >= (MAX_FEEDS if trial.source.kind == "feed" else MAX_SITEMAPS):
            continue
        if rank(trial.source, home) >= 3 and chosen:  # archives and what is no text
            continue
        if keys and len(keys - seen) < max(1, NEW_SHARE * len(keys)):
            continue
        chosen.append(trial)
        seen |= keys
    return chosen


def choose_more(trials: Iterable[SourceTrial], missing: Iterable[Candidate], home: str) -> list[SourceTrial]:
    """The further sources that name what is `missing`, in the order of `find_sources.rank`: each names a tenth of what
    those before leave."""
    left = {key_of(candidate.url) for candidate in missing}
    chosen: list[SourceTrial] = []
    for trial in sorted(trials, key=lambda trial: rank(trial.source, home)):
        keys = {key_of(candidate.url) for candidate in trial.articles}
        if trial.good and not trial.parent and len(keys & left) >= max(2, NEW_SHARE * len(left)):
            chosen.append(trial)
            left -= keys
    return chosen


def sample(candidates: Iterable[Candidate], count: int = 10) -> list[Candidate]:
    """Articles to try: one of each section in turn, the newest first, none twice."""
    sections: dict[str, list[Candidate]] = {}
    for candidate in {key_of(c.url): c for c in reversed(list(candidates))}.values():
        parts = urlsplit(candidate.url)
        first = parts.path.strip("/").partition("/")
        sections.setdefault(f"{parts.netloc}/{first[0] if first[1] else ''}", []).append(candidate)
    for listed in sections.values():
        listed.reverse()
        listed.sort(key=lambda c: c.discovery.published.timestamp() if c.discovery.published else 0, reverse=True)
    taken: list[Candidate] = []
    turn = 0
    while len(taken) < count and any(len(listed) > turn for listed in sections.values()):
        taken += [listed[turn] for listed in sections.values() if len(listed) > turn]
        turn += 1
    return taken[:count]


def sections_of(links: Iterable[FoundLink], home: str) -> list[str]:
    """Section pages that a home page's navigation links: short addresses with short names, in its order."""
    found = [
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
        and "footer" not in link.signs
        and "service's address" not in link.signs
    ]
    return found[:MAX_SECTIONS]


def propose(
    page: SitePage,
    home: str,
    trials: Sequence[SourceTrial],
    *,
    taken: Collection[str] = (),
    refused: Collection[str] = frozenset(),
    linked: Collection[str] = (),
    chosen: Sequence[SourceTrial] | None = None,
    added: Sequence[str] = (),
) -> tuple[Declaration, LearnedRule]:
    """The declaration of a site, from its home page and the sources tried, and how its rule was learned.

    `taken` are names of spiders there are; `refused` addresses that were sampled and proved to be no articles; `linked`
    articles that section pages link, looked at where no source is usable. `chosen` are the sources to declare (default:
    those of `choose_sources`), and `added` pages to declare as sections beside them.
    Without a usable source the home page and its sections are declared, and the rule is learned from its links.
    """
    links = [link for link in page.links if same_site(link.url, home)]
    chosen = choose_sources(trials, home) if chosen is None else list(chosen)
    declared_urls = {trial.source.url for trial in chosen}
    below = [trial for trial in trials if trial.good and trial.parent in declared_urls]
    listed = [candidate.url for trial in (*chosen, *below) for candidate in trial.articles]
    likely = [link.url for link in links if link.confidence >= LIKELY]
    if added:
        listed += linked
    articles = [url for url in (listed or dict.fromkeys([*likely, *linked])) if url not in refused]
    known = set(articles)
    others = [link.url for link in links if link.confidence < SURELY_NOT and link.url not in known]
    rule = learn_rules(articles, [*others, *refused])
    declared = [*page.languages, *(trial.language for trial in (*chosen, *below))]
    site = Declaration(
        name=site_name(home, taken),
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
