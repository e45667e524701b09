"""Measures of a page's URL: its depth, its words and its form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from newscrawl.discovery.links.article_urls import looks_like_article

MAX_HYPHENS: Final = 8
"""Hyphens of a path segment that are counted. Titles in addresses have about as many."""


def _words(alternatives: str) -> re.Pattern[str]:
    """A pattern of whole words between the separators of an address."""
    return re.compile(rf"(?:^|[/_.?=&-])(?:{alternatives})(?=$|[/_.?=&-]|\d)")


PATH_WORDS: Final = {
    "forum": _words(
        "forums?|threads?|topics?|viewtopic|showthread|showtopic|discussions?|questions|community|boards?|comments|msg|"
        "t|answers|foro|foren|diskussion|themen"
    ),
    "product": _words(
        "products?|shop|store|dp|gp|items?|itm|p|produk[a-z]*|producto?s?|produits?|sku|buy|catalog|boutique|tienda|kaufen"
    ),
    "documentation": _words(
        "docs?|documentation|reference|api|manual|guides?|tutorials?|wiki|help|kb|handbook|man|developers?|sdk|"
        "getting-started|stable|latest|howto|dokumentation|anleitung"
    ),
    "listing": _words(
        "categor(?:y|ies|ia|ie)|tags?|topics?|author|search|archives?|section|collections?|list|directory|browse|best|"
        "top|all|page|results?|suche|buscar|recherche|rubrik"
    ),
    "service": _words(
        "services?|about(?:-us)?|contact(?:-us)?|careers?|jobs?|events?|solutions?|pricing|features?|locations?|team|"
        "company|support|programs?|courses?|degrees?|industries|platform|insurance|business|impressum|kontakt|karriere|"
        "contacto|empleo|ueber-uns|leistungen|servicios|emploi"
    ),
    "article": _words(
        "news|blog|posts?|articles?|story|stories|opinion|press|magazine|nachrichten|noticias?|actualites?|artikel"
    ),
}
"""Words of a path or query that name a kind."""
HOST_WORDS: Final = {
    "forum": re.compile(r"forum|foren|community|discuss|stack|boards?\b"),
    "documentation": re.compile(r"\bdocs?\b|developer|readthedocs|wiki|\bhelp\b|\bsupport\b|manual"),
    "product": re.compile(r"shop|store"),
    "news": re.compile(r"blog|news|magazin|times|post\b|press"),
}
"""Words of a host that name a kind."""

_YEAR: Final = re.compile(r"/(?:19|20)\d\d[/-]?[01]?\d")
_LONG_NUMBER: Final = re.compile(r"\d{4,}")
_FILE: Final = (".html", ".htm", ".php", ".aspx")

ADDRESS_FEATURES: Final = (
    "url depth",
    "url home",
    "url hyphens",
    "url last hyphens",
    "url number",
    "url date",
    "url query",
    "url like an article's",
    "url file",
    *(f"url word {kind}" for kind in PATH_WORDS),
    *(f"host word {kind}" for kind in HOST_WORDS),
)


def names_forum(url: str) -> bool:
    """Returns whether the host, path or query of a valid URL has a word of forums."""
    host, words = _host_and_words(url)
    return (PATH_WORDS["forum"].search(words) or HOST_WORDS["forum"].search(host)) is not None


def names_other_kind(url: str) -> bool:
    """Returns whether a valid URL is that of a front page, or its host, path or query has a word of a kind other than
    article."""
    host, words = _host_and_words(url)
    if words == "?":
        return True
    return any(pattern.search(words) for kind, pattern in PATH_WORDS.items() if kind != "article") or any(
        pattern.search(host) for kind, pattern in HOST_WORDS.items() if kind != "news"
    )


def _host_and_words(url: str) -> tuple[str, str]:
    """Returns the host of a valid URL, and its path and query with "?" between, in lower case."""
    parts = urlsplit(url.lower())
    return parts.netloc, f"{parts.path.rstrip('/')}?{parts.query}"


def address_features(url: str | None) -> Iterator[float]:
    """Yields the values of `ADDRESS_FEATURES` for a page's valid URL, zeros for a page without one."""
    if not url:
        yield from (0.0,) * len(ADDRESS_FEATURES)
        return
    parts = urlsplit(url)
    path = parts.path.lower().rstrip("/")
    segments = [segment for segment in path.split("/") if segment]
    last = segments[-1] if segments else ""
    words = f"{path}?{parts.query.lower()}"
    yield len(segments)
    yield not segments and not parts.query
    yield min(MAX_HYPHENS, max((segment.count("-") + segment.count("_") for segment in segments), default=0))
    yield min(MAX_HYPHENS, last.count("-"))
    yield _LONG_NUMBER.search(path) is not None
    yield _YEAR.search(path) is not None
    yield bool(parts.query)
    yield looks_like_article(url)
    yield last.endswith(_FILE)
    for pattern in PATH_WORDS.values():
        yield pattern.search(words) is not None
    for pattern in HOST_WORDS.values():
        yield pattern.search(parts.netloc.lower()) is not None
