"""Reads the front pages of a site, one for each language: the articles they link to, and the front pages and sources
they announce."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from newscrawl.discovery.links.article_urls import is_home, looks_like_article
from newscrawl.discovery.links.extraction import LIKELY, extract_links
from newscrawl.discovery.links.resolve import base_of, key_of, resolve, within
from newscrawl.discovery.proposals.coverage import language_in, short
from newscrawl.discovery.proposals.find_sources import FoundSource, find_sources
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import same_site
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
    """Returns the articles and sources of a front page. A link is an article's if its text, place and address look like
    one, or if `accepts` returns True for its address.

    The language of a link is that of its address ("/de/..."), else that of the page.
    """
    language = short(page.hints.language) or language_in(url)
    links = []
    for link in extract_links(page, url):
        if link.nofollow or not same_site(link.url, url):
            continue
        likely = link.confidence >= LIKELY and looks_like_article(link.url)
        if not likely and (accepts is None or not accepts(link.url)):
            continue
        link_language = language_in(link.url) or language or None
        discovery = Discovery("section", url, link.title or None, link.published, language=link_language)
        links.append(Candidate(link.url, discovery, link.confidence))
    return FrontPage(url, language, tuple(links), find_sources(page, url))


def language_fronts(page: Page, url: str, domains: tuple[str, ...]) -> list[str]:
    """Returns the front pages of other languages: those that hreflang names, and linked addresses like /de/."""
    base = base_of(page, url)
    named = [link.href for link in page.head.links if link.hreflang and "alternate" in link.rel.split()]
    named += [link.href for link in page.links if link.href.rstrip("/").rpartition("/")[2][:2].isalpha()]
    stated = {resolve(base, link.href) for link in page.head.links if link.hreflang}
    front_pages: dict[str, str] = {}
    for href in named[:500]:
        target = resolve(base, href)
        key = key_of(target) if target else None
        if target is None or key is None or key == key_of(url) or not within(target, domains) or not is_home(target):
            continue
        if language_in(target) or target in stated:
            front_pages.setdefault(key, target)
    return list(front_pages.values())[:MAX_LANGUAGES]


def in_language(found: tuple[Candidate, ...], language: str | None) -> list[Candidate]:
    """Returns the entries of a sitemap with the language that their address or the sitemap states."""
    languages = [entry.discovery.language or language_in(entry.url) or language for entry in found]
    return [
        replace(entry, discovery=replace(entry.discovery, language=entry_language))
        for entry, entry_language in zip(found, languages, strict=True)
    ]
