"""Measures the time for 100 kB of repeated pieces in each field of a page, a feed and a sitemap, slowest first.

    python -m benchmarks.growth_fields                  # every field with every piece, 100 kB: some minutes
    python -m benchmarks.growth_fields --kilobytes 20 --show 10

CPU time of one reading, and how many times longer it takes than half as much. The goal is 100 ms at 100 kB.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

import click

from benchmarks.support.tables import markdown
from newscrawl.article.extracted import Extracted
from newscrawl.article.make import ArticleOptions
from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.links.extraction import extract_links
from newscrawl.discovery.proposals.find_sources import find_sources
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.page import parse

GOAL_SECONDS: Final = 0.1
"""What 100 kB may cost."""

URL: Final = "https://news.example/2026/05/02/a-story-of-rain"
PROSE: Final = "<p>It rains on the hills, and the river rises by a metre until the evening comes.</p>" * 12
PIECES: Final = (
    " ",
    "a",
    "1",
    "word ",
    " | ",
    ": ",
    " - ",
    "» ",
    "404 ",
    "a, ",
    "A. ",
    "By Ada ",
    "Jan 1, ",
    "/",
    "a_",
    "年月",
    ".",
)

PAGE_FIELDS: Final = {
    "title": "<title>{}</title>",
    "og:title": '<meta property="og:title" content="a{}b">',
    "og:description": '<meta property="og:description" content="a{}b">',
    "author": '<meta name="author" content="a{}b">',
    "published": '<meta property="article:published_time" content="a{}b">',
    "JSON-LD headline": '<script type="application/ld+json">{{"@type":"NewsArticle","headline":"a{}b"}}</script>',
    "JSON-LD date": '<script type="application/ld+json">{{"@type":"NewsArticle","datePublished":"a{}b"}}</script>',
    "heading": "<h1>a{}b</h1>",
    "time": "<time>{}</time>",
    "byline": '<div class="byline">By {}</div>',
    "class": '<div class="{0}" id="{0}">words</div>',
    "link": '<a href="/{0}">{0}</a>',
    "text": "<p>It rains {}</p>",
}
FEED_FIELDS: Final = ("title", "link", "guid", "pubDate", "author", "category", "description", "source", "skipHours")
SITEMAP_FIELDS: Final = ("loc", "lastmod", "news:title", "news:keywords")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one field with one piece costs."""

    field: str
    piece: str
    seconds: float
    factor: float


@click.command()
@click.option("--kilobytes", default=100, show_default=True, help="Size of the repeated pieces.")
@click.option("--show", default=20, show_default=True, help="Number of the worst fields to print.")
def main(kilobytes: int, show: int) -> None:
    """Print the fields that cost most."""
    costs = sorted((_cost(*case, kilobytes * 1000) for case in _cases()), key=lambda cost: -cost.seconds)
    rows = [[cost.field, repr(cost.piece), f"{1000 * cost.seconds:.0f}", f"{cost.factor:.1f}"] for cost in costs[:show]]
    click.echo(markdown(["field", "piece", f"ms at {kilobytes} kB", "growth from half the size"], rows))
    over = sum(cost.seconds > GOAL_SECONDS for cost in costs)
    click.echo(f"\n{over} of {len(costs)} take more than {1000 * GOAL_SECONDS:.0f} ms.")


def _cases() -> Iterator[tuple[str, str, Callable[[bytes], object], Callable[[str], str]]]:
    chain = ArticleOptions().resolve()
    for piece in PIECES:
        for field, markup in PAGE_FIELDS.items():
            yield f"page: {field}", piece, partial(_read_page, chain), partial(_in_page, markup)
        for field in FEED_FIELDS:
            yield f"feed: {field}", piece, partial(read_feed, url=URL), partial(_in_feed, field)
        for field in SITEMAP_FIELDS:
            yield f"sitemap: {field}", piece, partial(read_sitemap, url=URL), partial(_in_sitemap, field)
    for field in FEED_FIELDS:
        yield "feed: tags", f"<{field}>", partial(read_feed, url=URL), "<rss><channel><item>{}".format
        yield "feed: tags without end", f"<{field} ", partial(read_feed, url=URL), "<rss><channel>{}".format


def _read_page(chain: object, body: bytes) -> object:
    page = parse(body, url=URL)
    extracted = Extracted(page, chain, datetime(2026, 5, 3, tzinfo=UTC))  # type: ignore[arg-type]
    return extracted.verdict, find_sources(page, URL), extract_links(page, URL)


def _in_page(markup: str, value: str) -> str:
    return f"<html><head></head><body>{markup.format(value)}<article>{PROSE}</article></body></html>"


def _in_feed(field: str, value: str) -> str:
    return f"<rss version='2.0'><channel><item><{field}>{value}</{field}></item></channel></rss>"


def _in_sitemap(field: str, value: str) -> str:
    namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="n"'
    inner = f"<{field}>{value}</{field}>"
    inner = f"<news:news>{inner}</news:news>" if field.startswith("news:") else inner
    return f"<urlset {namespaces}><url><loc>https://news.example/a</loc>{inner}</url></urlset>"


def _cost(field: str, piece: str, read: Callable[[bytes], object], make: Callable[[str], str], size: int) -> Cost:
    half, whole = (make(piece * (number // len(piece))).encode() for number in (size // 2, size))
    first, second = _seconds(read, half), _seconds(read, whole)
    return Cost(field, piece, second, second / max(first, 1e-9))


def _seconds(read: Callable[[bytes], object], body: bytes) -> float:
    start = time.thread_time()
    read(body)
    return time.thread_time() - start


if __name__ == "__main__":
    main()
