"""Reads a section or home page: its links to articles as candidates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from newscrawl.discovery.links.article_urls import ArticleRule, looks_like_article
from newscrawl.discovery.links.extraction import LIKELY, MAX_LINKS, FoundLink, base_of, extract_links
from newscrawl.discovery.reading import CUT, SourceContents
from newscrawl.identity import same_site
from newscrawl.model import Candidate, Discovery
from newscrawl.page import Page

__all__ = ["MAX_LINKS", "base_of", "section_links"]

MAX_MENTIONS: Final = 200
"""Links to articles of other sites that are kept of one page."""


def section_links(page: Page, url: str, accepts: Callable[[str], bool] | ArticleRule) -> SourceContents:
    """Returns the links of `page` to articles, in the page's order. `url` is its final address.

    `accepts` decides which addresses are articles: a function, or a rule with expressions. With a rule without
    expressions the confidence of the link decides. Links that must not be followed and links to the page itself are
    left out. Links to articles of other registrable domains are mentions. JSON-LD item lists count as links.
    """
    judge = _judge(accepts)
    candidates: list[Candidate] = []
    mentions: list[Candidate] = []
    for link in extract_links(page, url):
        if link.nofollow:
            continue
        discovery = Discovery("section", url, link.title or None, link.published)
        candidate = Candidate(link.url, discovery, link.confidence)
        if not same_site(link.url, url):
            if len(mentions) < MAX_MENTIONS and link.confidence >= LIKELY and looks_like_article(link.url):
                mentions.append(candidate)
        elif judge(link):
            candidates.append(candidate)
    problems = (CUT,) if len(page.links) > MAX_LINKS else ()
    return SourceContents(tuple(candidates), problems=problems, mentions=tuple(mentions))


def _judge(accepts: Callable[[str], bool] | ArticleRule) -> Callable[[FoundLink], bool]:
    if not isinstance(accepts, ArticleRule):
        return lambda link: accepts(link.url)
    rule = accepts
    if rule.patterns:
        return lambda link: rule.accepts(link.url)
    return lambda link: link.confidence >= LIKELY
