"""The checked declaration of a site, and the sources that a crawl reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from newscrawl.crawling.spider.declaration_checks import check_texts
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.resolve import within
from newscrawl.errors import UsageError
from newscrawl.identity import clean_url, registrable_domain
from newscrawl.identity.domains import ascii_host
from newscrawl.identity.masking import masked
from newscrawl.identity.urls import with_ascii_host
from newscrawl.model import SourceType


@dataclass(frozen=True, slots=True)
class Source:
    """One address of a site that is read for links.

    `depth` is the number of sitemap indexes above it, `parent` the topmost of them; such a source is read when that is.
    Nobody named a `guessed` source, so its failure is no problem of the site.
    """

    url: str
    kind: SourceType
    depth: int = 0
    guessed: bool = False
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """A site's declaration as a value."""

    name: str
    domains: tuple[str, ...]
    home: str
    sources: tuple[Source, ...]
    rule: ArticleRule

    @classmethod
    def declared(
        cls,
        name: str,
        *,
        domains: Sequence[str],
        home: str | None = None,
        feeds: Sequence[str] = (),
        sitemaps: Sequence[str] = (),
        sections: Sequence[str] = (),
        articles: Sequence[str] = (),
    ) -> Site:
        """Returns a site from a spider's attributes. Raises UsageError, which names the attribute, for a wrong
        value."""
        for label, value in (("domains", domains), ("feeds", feeds), ("sitemaps", sitemaps), ("sections", sections)):
            check_texts(f"site {name!r}", label, value)
        if not domains:
            raise UsageError(f"site {name!r} declares no domains: name at least one, like ('example.com',)")
        kinds: tuple[tuple[SourceType, Sequence[str]], ...] = (
            ("feed", feeds),
            ("sitemap", sitemaps),
            ("section", sections),
        )
        sources = tuple(Source(_checked(name, url), kind) for kind, urls in kinds for url in urls)
        return cls(
            name,
            tuple(ascii_host(domain) or domain.lower() for domain in domains),
            _checked(name, home or f"https://{domains[0]}/"),
            sources,
            _rule(name, articles),
        )

    def __str__(self) -> str:
        return self.name

    def owns(self, url: str) -> bool:
        """Returns whether the address is on one of the site's domains or a subdomain."""
        return within(url, self.domains)

    def source_domains(self, source: Source) -> tuple[str, ...]:
        """Returns where a source may move to: the site itself, and the registrable domain that serves the source."""
        return (*self.domains, registrable_domain(source.url))


def _rule(name: str, articles: Sequence[str]) -> ArticleRule:
    try:
        return ArticleRule.of((articles,) if isinstance(articles, str) else articles)
    except re.error as error:
        raise UsageError(f"site {name!r}: articles has {error.pattern!r}, which is no expression: {error}") from error


def _checked(name: str, url: str) -> str:
    try:
        clean_url(url)
    except ValueError as error:
        raise UsageError(f"site {name!r}: {masked(str(error))}") from error
    if "@" in urlsplit(url).netloc:
        raise UsageError(f"site {name!r}: {masked(url)} holds a user: write the address without it")
    return with_ascii_host(url)
