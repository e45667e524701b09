"""Front pages of a site, one for each language: what they link as articles, and which others they announce."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from newscrawl.discovery.links.article_urls import is_home, looks_like_article
from newscrawl.discovery.links.extraction import LIKELY, base_of, harvest
from newscrawl.discovery.links.resolve import key_of, resolve, within
from newscrawl.discovery.proposals.coverage import language_in, short
from newscrawl.discovery.proposals.find_sources import FoundSource, find_sources
from newscrawl.identity import same_site
from newscrawl.model import Candidate, Discovery
from newscrawl.page import Page

MAX_LANGUAGES: Final = 4
"""Front pages of further languages that are read."""


@dataclass(frozen=True, slots=True)
class FrontPage:
    """A front page: its address and language, the articles it links, and the sources it announces."""

    url: str
    language: str
    links: tuple[Candidate, ...]
    sources: tuple[FoundSource, ...] = ()


def front_page(page: Page, url: str, accepts: Callable[[str], bool] | None = None) -> FrontPage:
    """What a front page shows. A link is an article's by its words, place and shape, or by what `accepts` says.

    A link's language is that of its address ("/de/..."), else that of the page.
    """
    language = short(page.hints.language) or language_in(url)
    links = []
    for link in harvest(page, url):
        if link.nofollow or not same_site(link.url, url):
            continue
        likely = link.confidence >= LIKELY and looks_like_article(link.url)
        if not likely and (accepts is None or not accepts(link.url)):
            continue
        spoken = language_in(link.url) or language or None
        said = Discovery("section", url, link.title or None, link.published, language=spoken)
        links.append(Candidate(link.url, said, link.confidence))
    return FrontPage(url, language, tuple(links), find_sources(page, url))


def language_fronts(page: Page, url: str, domains: tuple[str, ...]) -> list[str]:
    """Front pages of other languages: those that hreflang names, and linked addresses like /de/."""
    base = base_of(page, url)
    named = [link.href for link in page.head.links if link.hreflang and "alternate" in link.rel.split()]
    named += [link.href for link in page.links if link.href.rstrip("/").rpartition("/")[2][:2].isalpha()]
    found: dict[str, str] = {}
    for href in named[:500]:
        target = resolve(base, href)
        key = key_of(target) if target else None
        if target is None or key is None or key == key_of(url) or not within(target, domains) or not is_home(target):
            continue
        if language_in(target) or target in {resolve(base, link.href) for link in page.head.links if link.hreflang}:
            found.setdefault(key, target)
    return list(found.values())[:MAX_LANGUAGES]


def in_language(found: tuple[Candidate, ...], language: str | None) -> list[Candidate]:
    """Entries of a sitemap with the language that their address or the sitemap states."""
    found_in = [one.discovery.language or language_in(one.url) or language for one in found]
    return [
        replace(one, discovery=replace(one.discovery, language=spoken))
        for one, spoken in zip(found, found_in, strict=True)
    ]
