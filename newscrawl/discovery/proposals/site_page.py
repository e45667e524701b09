"""Reads everything that is needed of a site's page at once: the articles it links to, and the sources and front pages
of other languages that it announces.

The page is parsed in a worker, which cannot return the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from newscrawl.discovery.links.article_urls import ArticleRule, is_home, looks_like_article
from newscrawl.discovery.links.extraction import LIKELY, MAX_LINKS, FoundLink, extract_links, section_links
from newscrawl.discovery.links.resolve import base_of, key_of, resolve, within
from newscrawl.discovery.proposals.coverage import language_in, short
from newscrawl.discovery.proposals.find_sources import FoundSource, find_sources, is_article_page
from newscrawl.discovery.reading import MAX_TITLE, SourceContents
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import same_site
from newscrawl.page import Page, parse

NO_RULE: Final = ArticleRule.of(())
MAX_LANGUAGES: Final = 4
"""Front pages of further languages that are read."""


@dataclass(frozen=True, slots=True)
class FrontPage:
    """A front page: its address and language, the articles it links, and the sources it announces."""

    url: str
    language: str
    links: tuple[Candidate, ...]
    sources: tuple[FoundSource, ...] = ()


@dataclass(frozen=True, slots=True)
class SitePage:
    """The contents of a site's page. `front` has its articles as of a front page, `section` as of a section page.
    `front_pages` are front pages of other languages."""

    url: str
    title: str
    languages: tuple[str | None, ...]
    """The languages that the page states, the most reliable first."""
    sources: tuple[FoundSource, ...]
    links: tuple[FoundLink, ...]
    front: FrontPage
    section: SourceContents
    front_pages: tuple[str, ...]
    linked: int
    """The number of different addresses that the page links to."""
    is_article: bool


def site_page(page: Page, url: str, domains: tuple[str, ...], rule: ArticleRule | None = None) -> SitePage:
    """Returns the contents of `page`. `url` is its final address, `domains` are the site's. Links are judged by the
    site's rule if it is given."""
    addresses = (resolve(url, link.href) for link in page.links[:MAX_LINKS])
    return SitePage(
        url,
        (page.head.first("og:site_name") or page.head.title or "")[:MAX_TITLE],
        (page.hints.language, page.head.first("og:locale")),
        find_sources(page, url),
        tuple(extract_links(page, url)),
        front_page(page, url, rule.accepts if rule is not None else None),
        section_links(page, url, rule or NO_RULE),
        tuple(language_fronts(page, url, domains)),
        len({key_of(address) for address in addresses if address is not None}),
        is_article_page(page, url),
    )


def read_page(
    body: bytes, url: str, content_type: str | None, domains: tuple[str, ...], rule: ArticleRule | None = None
) -> SitePage:
    """Parses an HTML answer and returns its contents; see `site_page`."""
    return site_page(parse(body, url=url, content_type=content_type), url, domains, rule)


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
