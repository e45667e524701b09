"""Feeds and sitemaps of a local site, as text."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from datetime import datetime
from email.utils import format_datetime
from html import escape

from newscrawl.testing.replicas.site import Replica
from newscrawl.testing.replicas.stories import ReplicaArticle


def rss(
    site: Replica,
    links: Iterable[tuple[str, ReplicaArticle]],
    *,
    title: str = "",
    version: str = "2.0",
    extra: str = "",
) -> str:
    """An RSS feed."""
    items = "".join(
        f"<item><title>{escape(story.title)}</title><link>{escape(url)}</link><pubDate>{format_datetime(story.published)}"
        f"</pubDate></item>"
        for url, story in links
    )
    return (
        f'<?xml version="1.0"?><rss version="{version}"><channel><title>{title or site.name}</title>'
        f"<link>{site.home}</link><language>{site.language}</language>{extra}{items}</channel></rss>"
    )


def atom(site: Replica, links: Iterable[tuple[str, ReplicaArticle]]) -> str:
    """An Atom feed."""
    entries = "".join(
        f'<entry><title>{escape(story.title)}</title><link href="{escape(url)}"/><id>{escape(url)}</id>'
        f"<updated>{story.published.isoformat()}</updated></entry>"
        for url, story in links
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>{site.name}</title>{entries}</feed>'


def sitemap(links: Iterable[str | tuple[str, ReplicaArticle]], *, news: str | None = None) -> str:
    """Returns a sitemap; with `news`, a language, a news sitemap."""
    entries = []
    for link in links:
        url, story = (link, None) if isinstance(link, str) else link
        date = ""
        if news and story:
            date = (
                f"<news:news><news:publication><news:name>n</news:name><news:language>{news}</news:language>"
                f"</news:publication><news:publication_date>{story.published.isoformat()}</news:publication_date>"
                f"<news:title>{escape(story.title)}</news:title></news:news>"
            )
        elif story:
            date = f"<lastmod>{story.published.isoformat()}</lastmod>"
        entries.append(f"<url><loc>{escape(url)}</loc>{date}</url>")
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {spaces}>{"".join(entries)}</urlset>'


def index(children: Iterable[tuple[str, datetime | None]]) -> str:
    """A sitemap index."""
    entries = "".join(
        f"<sitemap><loc>{escape(url)}</loc>{f'<lastmod>{when.isoformat()}</lastmod>' if when else ''}</sitemap>"
        for url, when in children
    )
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'


def alternate(href: str, kind: str = "application/rss+xml", title: str = "") -> str:
    """Returns the link element that announces a feed in the head of a page."""
    return f'<link rel="alternate" type="{kind}" title="{title}" href="{href}">'


def packed(text: str) -> bytes:
    """Returns the body compressed by gzip."""
    return gzip.compress(text.encode(), mtime=0)
