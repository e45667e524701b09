"""Imported in the process from which a crawl's workers are forked. It reads a source of each kind and makes an article,
so that all workers share the modules that this loads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.reading import Budget
from newscrawl.model import SourceType
from newscrawl.workers.source_task import SourceTask, read_source

_URL: Final = "https://example.org/"
_BODIES: Final[tuple[tuple[SourceType, bytes], ...]] = (
    ("feed", b"<rss version='2.0'><channel><item><title>Bridge</title><link>/a</link></item></channel></rss>"),
    ("sitemap", b"<urlset><url><loc>https://example.org/a</loc></url></urlset>"),
    ("start", b"<main><h2><a href='/2026/the-bridge-is-open'>The bridge is open again</a></h2></main>"),
)

for _kind, _body in _BODIES:
    _now, _domains = datetime.now(UTC), ("example.org",)
    read_source(SourceTask(_URL, _kind, {}, _body, ArticleRule(), _domains, _domains, Budget(), _now))

from newscrawl.extraction.article import preload as preload  # noqa: E402  last: it excludes everything loaded so far from garbage collection
