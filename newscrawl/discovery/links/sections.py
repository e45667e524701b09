"""Reads a section or home page: its links to articles as candidates."""

from __future__ import annotations

from collections.abc import Callable

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.extraction import LIKELY, MAX_LINKS, FoundLink, base_of, extract_links
from newscrawl.discovery.reading import CUT, SourceContents
from newscrawl.identity import same_site
from newscrawl.model import Candidate, Discovery
from newscrawl.page import Page

__all__ = ["MAX_LINKS", "base_of", "section_links"]


def section_links(page: Page, url: str, accepts: Callable[[str], bool] | ArticleRule) -> SourceContents:
    """Returns the links of `page` to articles, in the page's order. `url` is its final address.

    `accepts` decides which addresses are articles: a function, or a rule with expressions. With a rule without
    expressions the confidence of the link decides. Links that must not be followed, links to the page itself and links
    to other registrable domains are left out. JSON-LD item lists count as links.
    """
    judge = _judge(accepts)
    candidates = [
        Candidate(link.url, Discovery("section", url, link.title or None, link.published), link.confidence)
        for link in extract_links(page, url)
        if not link.nofollow and same_site(link.url, url) and judge(link)
    ]
    problems = (CUT,) if len(page.links) > MAX_LINKS else ()
    return SourceContents(tuple(candidates), problems=problems)


def _judge(accepts: Callable[[str], bool] | ArticleRule) -> Callable[[FoundLink], bool]:
    if not isinstance(accepts, ArticleRule):
        return lambda link: accepts(link.url)
    rule = accepts
    if rule.patterns:
        return lambda link: rule.accepts(link.url)
    return lambda link: link.confidence >= LIKELY
