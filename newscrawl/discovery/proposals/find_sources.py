"""Finds a site's feeds and sitemaps: those that its home page announces, those in robots.txt, and common addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urljoin, urlsplit

from newscrawl.discovery.links.article_urls import is_home, looks_like_article
from newscrawl.discovery.links.resolve import base_of, key_of, resolve

if TYPE_CHECKING:
    from newscrawl.page import Page

MAX_FOUND: Final = 10
"""Feeds that are taken from one page. Some sites announce one for each tag."""

MAX_LOOKED_AT: Final = 2_000
"""Links of a page that are searched for feeds."""

MAX_ROBOTS_SITEMAPS: Final = 100
MAX_SITEMAP_LINES: Final = 1_000
"""Different Sitemap lines that are looked at: the crawl's event loop does it, at 0.05 ms each."""
ROBOTS_BYTES: Final = 524_288
"""RFC 9309, section 2.5, asks crawlers to read at least 500 KiB."""

COMMON_PATHS: Final[tuple[tuple[str, Literal["feed", "sitemap"]], ...]] = (
    ("/feed", "feed"),
    ("/rss", "feed"),
    ("/rss.xml", "feed"),
    ("/news-sitemap.xml", "sitemap"),
    ("/sitemap.xml", "sitemap"),
)
"""The most common addresses among sites of the test data whose sources are known. They are tried only if a site names
no source."""

MORE_PATHS: Final[tuple[tuple[str, Literal["feed", "sitemap"]], ...]] = (
    ("/feed.xml", "feed"),
    ("/atom.xml", "feed"),
    ("/index.xml", "feed"),
    ("/feed.json", "feed"),
    ("/feeds/posts/default", "feed"),
    ("/arc/outboundfeeds/rss/", "feed"),
    ("/sitemap-news.xml", "sitemap"),
    ("/sitemap_news.xml", "sitemap"),
    ("/sitemaps/news.xml", "sitemap"),
    ("/sitemap_index.xml", "sitemap"),
)
"""Further addresses, each of one system or of a tenth of those sites. They are tried once, when a site is added."""

_FEED_TYPES: Final = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "text/xml",
        "application/xml",
        "text/rss+xml",
    }
    | {"application/feed+json", "application/rss", "application/x-rss+xml"}
)
_FEED_LINK: Final = re.compile(
    r"/(?:rss|feeds?|atom)(?:[/.?]|$)|[./](?:rss|atom|rdf)(?:\.xml)?$|\.rss$|[?&](?:format|type|feed)=(?:rss|atom)",
    re.IGNORECASE,
)
_FEED_TEXT: Final = re.compile(r"(?:rss|atom|rss[ \-]?feeds?)$", re.IGNORECASE)
_COMMENTS: Final = re.compile(r"comment|comentario|kommentar|/replytocom", re.IGNORECASE)
_NO_TEXT: Final = re.compile(
    r"podcast|audio|video|photo|fotos|galler|itunes|newsletter|weather|wetter|horoscop|jobs|author|/tag/", re.IGNORECASE
)
"""Feeds of something other than news text. They are taken last."""

_MAIN: Final = re.compile(
    r"^/?(?:(?:rss|feeds?|atom|xml|index|news|home|homepage|all|main|top|topstories|top-stories|latest|front|frontpage"
    r"|portada|aktuell|alles|default|posts|2\.0|arc|outbound|feed2|site)[/._\-]*)*"
    r"(?:\.?(?:xml|rss|rdf|atom|json|php|aspx))?/?$",
    re.IGNORECASE,
)
"""Addresses without a name of their own: the feed of the whole site."""
_NEWS: Final = re.compile(r"news|noticias|latest|ultim", re.IGNORECASE)
_SITEMAP_LINE: Final = re.compile(r"^[ \t]*site-?map[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A feed or sitemap that a site names."""

    url: str
    kind: Literal["feed", "sitemap"]
    title: str = ""


def find_sources(page: Page, url: str) -> tuple[FoundSource, ...]:
    """Returns the feeds and sitemaps that a home page announces: those in its head, else those among its links. Feeds
    of comments are left out."""
    base = base_of(page, url)
    announced = [
        (link.href, "feed", link.title)
        for link in page.head.links[:MAX_LOOKED_AT]
        if "alternate" in link.rel.split() and link.type.partition(";")[0].strip() in _FEED_TYPES
    ]
    announced += [
        (link.href, "sitemap", link.title) for link in page.head.links[:MAX_LOOKED_AT] if "sitemap" in link.rel.split()
    ]
    if not announced:
        announced = [
            (link.href, "feed", link.text)
            for link in page.links[:MAX_LOOKED_AT]
            if _FEED_LINK.search(link.href) or _FEED_TEXT.match(link.text)
        ]
    sources: dict[str, FoundSource] = {}
    for href, kind, title in announced:
        target = resolve(base, href)
        key = key_of(target) if target else None
        if target and key and not _COMMENTS.search(f"{urlsplit(target).path} {urlsplit(target).query} {title}"):
            sources.setdefault(key, FoundSource(target, "sitemap" if kind == "sitemap" else "feed", title))
    return tuple(sources.values())[:MAX_FOUND]


def ranked(found: Iterable[FoundSource], home: str) -> tuple[FoundSource, ...]:
    """Returns sources in the order in which they are worth reading: feeds of the whole site, news sitemaps, feeds of
    sections, plain sitemaps, feeds of something other than text. Duplicates are removed, equals keep their order."""
    unique = list({key_of(source.url): source for source in reversed(list(found))}.values())[::-1]
    return tuple(sorted(unique, key=lambda source: rank(source, home)))


def rank(source: FoundSource, home: str) -> int:
    """Returns the place of a source in the order of `ranked`: 0 is first, 4 is last."""
    parts = urlsplit(source.url)
    address = f"{parts.path}?{parts.query}" if parts.query else parts.path
    if _NO_TEXT.search(f"{address} {source.title}") or _COMMENTS.search(f"{address} {source.title}"):
        return 4
    if source.kind == "sitemap":
        return 1 if _NEWS.search(address) else 3
    folder = urlsplit(home).path.rstrip("/")
    own = address.removeprefix(folder) if folder and address.startswith(f"{folder}/") else address
    return 0 if _MAIN.match(own.partition("?")[0][:200]) else 2


def robots_sitemaps(text: str | bytes, url: str) -> list[str]:
    """Returns the addresses in the Sitemap lines of a robots.txt, in order. `url` is its own address.

    An HTML page in its place gives none, because no line of HTML begins like that.
    """
    if isinstance(text, bytes):
        text = text[:ROBOTS_BYTES].decode("utf-8-sig", "replace")
    text = text[:ROBOTS_BYTES].removeprefix("\ufeff").replace("\r", "\n")
    given = dict.fromkeys(match.group(1) for match in _SITEMAP_LINE.finditer(text))
    found: dict[str, None] = {}
    for address in islice(given, MAX_SITEMAP_LINES):
        if (resolved := resolve(url, address)) is not None:
            found[resolved] = None
            if len(found) == MAX_ROBOTS_SITEMAPS:
                break
    return list(found)


def best_sources(found: Iterable[FoundSource]) -> tuple[FoundSource, ...]:
    """Returns the feeds and news sitemaps; if there are none, the plain sitemaps, which are mostly archives."""
    unique = {key_of(source.url): source for source in reversed(list(found))}
    ordered = list(reversed(unique.values()))
    fresh = [source for source in ordered if source.kind == "feed" or _NEWS.search(urlsplit(source.url).path)]
    return tuple((fresh or ordered)[: 2 * MAX_FOUND])


def common_sources(url: str, *, thorough: bool = False) -> tuple[FoundSource, ...]:
    """Returns common addresses of sources, for a site that names none; with `thorough` also the rarer ones."""
    paths = COMMON_PATHS + MORE_PATHS if thorough else COMMON_PATHS
    return tuple(FoundSource(urljoin(url, path), kind) for path, kind in paths)


def is_article_page(page: Page, url: str) -> bool:
    """Returns whether a page is an article rather than a list: by what it states, else by its address."""
    if is_home(url):
        return False
    kind = page.head.first("og:type")
    if kind and kind.lower() in {"article", "website"}:
        return kind.lower() == "article" or looks_like_article(url)
    types = (item.get("@type") for item in page.hints.json_ld)
    named = {name for value in types for name in (value if isinstance(value, list) else [value])}
    return any(isinstance(name, str) and name.endswith("Article") for name in named) or looks_like_article(url)
