"""Reads everything that is needed of a site's page at once: sources, links, languages.

The page is parsed in a worker, which cannot return the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.extraction import MAX_LINKS, FoundLink, extract_links, section_links
from newscrawl.discovery.links.front_pages import FrontPage, front_page, language_fronts
from newscrawl.discovery.links.resolve import key_of, resolve
from newscrawl.discovery.proposals.find_sources import FoundSource, find_sources, is_article_page
from newscrawl.discovery.reading import MAX_TITLE, SourceContents
from newscrawl.page import Page, parse

NO_RULE: Final = ArticleRule.of(())


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
