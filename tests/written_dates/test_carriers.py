"""A date with a 12-hour clock or a named offset, wherever a site writes it: pages, feeds and sitemaps."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from html import escape
from typing import Final

import pytest

import newscrawl
from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap

TEXT: Final = "<p>" + "The harbour board met on Monday and spoke about the new quay for the ferries. " * 6 + "</p>"
URL: Final = "https://harbour.example/news/quay"
WRITTEN: Final = {
    "2019-02-18 07:23:45 PM": "2019-02-18T19:23:45",
    "2019-02-18 오후 7:23": "2019-02-18T19:23:00",
    "2019年2月18日 下午7:23": "2019-02-18T19:23:00",
    "18 Φεβρουαρίου 2019, 7:23 μ.μ.": "2019-02-18T19:23:00",
    "18 فبراير 2019 7:23 مساءً": "2019-02-18T19:23:00",
    "2019. február 18., du. 7:23": "2019-02-18T19:23:00",
    "18.02.2019, 07:23 (GMT+7)": "2019-02-18T00:23:00",
    "2019-02-18 07:23 UTC−3": "2019-02-18T10:23:00",
}


def _page(head: str = "", line: str = "") -> datetime | None:
    article = f"<article><h1>The quay</h1>{line}{TEXT * 3}</article>"
    html = f"<!doctype html><html><head><title>The quay</title>{head}</head><body>{article}</body></html>"
    published = newscrawl.extract(html, url=URL).metadata.published
    return published.when if published else None


def _json_ld(date: str) -> datetime | None:
    stated = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": "The quay", "datePublished": date}
    return _page(head=f'<script type="application/ld+json">{json.dumps(stated)}</script>')


def _rss(date: str) -> datetime | None:
    item = f"<item><title>The quay</title><link>{URL}</link><pubDate>{date}</pubDate></item>"
    feed = f"<rss version='2.0'><channel>{item}</channel></rss>"
    return read_feed(feed.encode(), "https://harbour.example/feed").candidates[0].discovery.published


def _json_feed(date: str) -> datetime | None:
    feed = {"version": "https://jsonfeed.org/version/1.1", "items": [{"url": URL, "date_published": date}]}
    return read_feed(json.dumps(feed).encode(), "https://harbour.example/feed").candidates[0].discovery.published


def _sitemap(date: str) -> datetime | None:
    body = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{URL}</loc><lastmod>{date}</lastmod>"
    return (
        read_sitemap(f"{body}</url></urlset>".encode(), "https://harbour.example/s.xml")
        .candidates[0]
        .discovery.modified
    )


CARRIERS: Final[dict[str, Callable[[str], datetime | None]]] = {
    "line": lambda date: _page(line=f'<div class="date">{date}</div>'),
    "plain line": lambda date: _page(line=f"<p>Published: {date}</p>"),
    "time element": lambda date: _page(line=f"<time>{date}</time>"),
    "meta": lambda date: _page(head=f'<meta property="article:published_time" content="{escape(date)}">'),
    "json-ld": _json_ld,
    "rss": _rss,
    "json feed": _json_feed,
    "sitemap": _sitemap,
}


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("written", WRITTEN)
def test_a_date_is_read_alike_wherever_it_is_written(carrier: str, written: str) -> None:
    assert CARRIERS[carrier](written) == datetime.fromisoformat(WRITTEN[written]).replace(tzinfo=UTC)
