"""What a site declares, checked and as a value, the sources that a crawl reads, and the arguments of a crawl."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.config.derived.daily_requests import checked
from newscrawl.config.per_site import check_own_settings, hints_of
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.resolve import within
from newscrawl.errors import UsageError
from newscrawl.model import SourceType
from newscrawl.model.identity import clean_url, registrable_domain
from newscrawl.model.identity.domains import ascii_host
from newscrawl.model.identity.masking import masked
from newscrawl.model.identity.urls import with_ascii_host
from newscrawl.model.times import read_span

SEQUENCES: Final = ("domains", "feeds", "sitemaps", "sections", "articles")
TEXTS: Final = ("language", "country", "home", "cron", "quiet_hours", "time_zone")
NUMBERS: Final = ("delay", "interval", "daily_requests")
SWITCHES: Final = ("republishes",)
OTHERS: Final = ("hints",)
_COUNTRY: Final = re.compile("[a-z]{2}")
_LANGUAGE: Final = re.compile("[a-z]{2,3}")
CUTOFF: Final = 0.8
"""Similarity (difflib) from which a name is a misspelling of a declared one: `feed`, `sitemap`, `sectoins`."""
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}$")


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
    def of(cls, spider: Any) -> Site:
        """Returns what a spider, or the class of one, declares by its attributes. Raises UsageError."""
        return cls.declared(
            spider.name,
            domains=spider.domains,
            home=spider.home,
            feeds=spider.feeds,
            sitemaps=spider.sitemaps,
            sections=spider.sections,
            articles=spider.articles,
        )

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


def check_attributes(spider: type, base: type) -> None:
    """Raises UsageError for the first invalid attribute of `spider`; `base` is the class that declares them."""
    site = f"site {getattr(spider, 'name', spider.__name__)!r}"
    for name in SEQUENCES:
        check_texts(site, name, getattr(spider, name), text_allowed=name == "articles")
    for name in TEXTS:
        value = getattr(spider, name)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise UsageError(f"{site}: {name} is {value!r}, write a text or leave it out")
    check_domains(site, spider.domains)  # type: ignore[attr-defined]
    _check_country(site, spider.country)  # type: ignore[attr-defined]
    _check_language(site, spider.language)  # type: ignore[attr-defined]
    _check_delay(site, spider.delay)  # type: ignore[attr-defined]
    checked(getattr(spider, "name", spider.__name__), spider.daily_requests)  # type: ignore[attr-defined]
    check_own_settings(site, spider)
    hints_of(site, spider)
    for name in SWITCHES:
        if not isinstance(getattr(spider, name), bool):
            raise UsageError(f"{site}: {name} is {getattr(spider, name)!r}, write True or False")
    known = sorted({*SEQUENCES, *TEXTS, *NUMBERS, *SWITCHES, *OTHERS})
    for name in _own_names(spider, base):
        near = difflib.get_close_matches(name, known, n=1, cutoff=CUTOFF)
        if near:
            raise UsageError(f"{site}: there is no attribute {name}, is {near[0]} meant?")


def check_texts(site: str, name: str, value: Any, *, text_allowed: bool = False) -> None:
    """Raises UsageError unless `value` is a sequence of texts."""
    if isinstance(value, str):
        if text_allowed:
            return
        raise UsageError(f"{site}: {name} is one text, write a tuple of texts")
    if not isinstance(value, Sequence):
        raise UsageError(f"{site}: {name} is {value!r}, write a tuple of texts, () for none")
    for text in value:
        if not isinstance(text, str) or not text.strip():
            raise UsageError(f"{site}: {name} holds {text!r}, which is no text")


def check_domains(site: str, domains: Iterable[str]) -> None:
    """Raises UsageError for a domain that is an address or a path, because no page could be on it."""
    for domain in domains:
        if any(sign in domain for sign in "/:@?# ") or not ("." in domain.strip(".") or domain == "localhost"):
            raise UsageError(f"{site}: domains holds {domain!r}, write the bare name, like 'example.com'")


def _check_country(site: str, country: str | None) -> None:
    """Raises UsageError for a country that is no code of ISO 3166-1 in small letters: "uk" is a domain, its code is
    "gb"."""
    if country is None:
        return
    if country == "uk":
        raise UsageError(f"{site}: country is 'uk', write 'gb', the code of ISO 3166-1")
    if not _COUNTRY.fullmatch(country):
        raise UsageError(f"{site}: country is {country!r}, write the two small letters of ISO 3166-1, like 'gb'")


def _check_language(site: str, language: str | None) -> None:
    """Raises UsageError for a language that is no code of ISO 639 in small letters."""
    if language is not None and not _LANGUAGE.fullmatch(language):
        from newscrawl.extraction.metadata.fields import primary_subtag  # with all readers of metadata

        known = primary_subtag(language)
        meant = known if known and _LANGUAGE.fullmatch(known) else "en"
        raise UsageError(f"{site}: language is {language!r}, write the small letters of ISO 639, like {meant!r}")


def _check_delay(site: str, delay: Any) -> None:
    if delay is None:
        return
    if isinstance(delay, bool) or not isinstance(delay, int | float) or not math.isfinite(delay) or delay < 0:
        raise UsageError(f"{site}: delay is {delay!r}, write a number of seconds, like 2.5")


def _own_names(spider: type, base: type) -> Iterator[str]:
    """Yields the public names of values that the spider's classes add to those of `base`."""
    for cls in spider.__mro__:
        if cls is base:
            return
        for name, value in vars(cls).items():
            if not name.startswith("_") and not hasattr(base, name) and not callable(value):
                yield name


@dataclass(frozen=True, slots=True)
class CrawlArguments:
    """The arguments of a crawl. `since` is aware UTC; None means no limit."""

    max_articles: int | None = None
    since: datetime | None = None
    url: str | None = None


def read_arguments(
    *, max_articles: str | int | None = None, since: str | None = None, url: str | None = None, now: datetime
) -> CrawlArguments:
    """Reads the arguments of the command line; raises UsageError that names the allowed values."""
    return CrawlArguments(_count(max_articles), _since(since, now), _url(url))


def _count(text: str | int | None) -> int | None:
    if text is None:
        return None
    if isinstance(text, int) or (text.strip().isascii() and text.strip().isdigit()):
        count = int(text)
        if 0 < count < 10**9:
            return count
    raise UsageError(f"argument max_articles={text}: give a whole number from 1 on, like max_articles=20")


def _since(text: str | None, now: datetime) -> datetime | None:
    if text is None:
        return None
    text = text.strip()
    try:
        span = read_span(text)
        if span is not None:
            return now - span
        if _DATE.match(text):
            since = datetime.fromisoformat(text).replace(tzinfo=UTC)
            if since > now:
                raise UsageError(f"argument since={text}: that is in the future, and no article is as new as that")
            return since
    except (ValueError, OverflowError):
        pass  # the 31st of February, or before the year 1: refused below like any other text
    raise UsageError(f"argument since={text}: give a date like since=2026-08-31, or a span like since=3d or since=12h")


def _url(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return clean_url(text if "://" in text else f"https://{text.strip()}")
    except ValueError as error:
        raise UsageError(
            f"argument url={text[:200]}: {error}; give an address like url=https://example.com/"
        ) from error
