"""The extracted texts of the demo's pages, compared with those that their author wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from demo_expected import Expected, expectations, source_urls

from newscrawl.bench.scores import score, shingles, summarise
from newscrawl.demo import ORIGIN, DemoSite
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.model import Article, RawPage
from spiders.demo import DemoSpider

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[2]
EXPECTED = expectations()
PAGES = [e for e in EXPECTED.values() if e.kind in {"article", "duplicate"}]
HITS = (0, 7, 22)
"""Hits with short adverts and with long ones in different places."""


def article_of(site: DemoSite, expected: Expected, hit: int = 0, chain: str = "classic") -> Article:
    answer = site.answer("GET", expected.url.removeprefix(ORIGIN), hit=hit)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    raw = RawPage(expected.url, expected.url, answer.status, headers, answer.body, NOW, "demo")
    article = make_article(raw, ArticleOptions(chain)).article
    assert article is not None
    return article


@pytest.mark.parametrize("expected", PAGES, ids=lambda e: e.url.removeprefix(ORIGIN))
def test_text_and_metadata_are_what_the_author_wrote_whatever_the_adverts(site: DemoSite, expected: Expected) -> None:
    for hit in HITS:
        article = article_of(site, expected, hit)
        assert article.text == expected.text
    metadata = article.metadata
    assert metadata.title == expected.title
    assert metadata.authors == expected.authors
    assert (metadata.published.when if metadata.published else None) == expected.published
    assert (metadata.modified.when if metadata.modified else None) == expected.modified
    assert metadata.language == expected.language
    assert article.verdict == "article"


def test_the_demo_spider_declares_exactly_the_sites_sources_and_articles() -> None:
    assert {*DemoSpider.feeds, *DemoSpider.sitemaps, *DemoSpider.sections} == set(source_urls())
    rule = ArticleRule.of(DemoSpider.articles)
    assert [e.url for e in EXPECTED.values() if not rule.accepts(e.url)] == []
    assert [url for url in (*source_urls(), DemoSpider.home) if rule.accepts(url)] == []


def test_the_docs_say_how_best_and_classic_do_on_these_pages(site: DemoSite) -> None:
    """What is written there of the demo's pages is what is measured."""
    for chain, figure in (("classic", "1.000"), ("best", "1.000")):
        scores = [score(shingles(one.text), shingles(article_of(site, one, chain=chain).text)) for one in PAGES]
        assert f"{summarise(scores).f1:.3f}".removeprefix("0") == figure
        for document in ("docs/how-to/extract-pages.md", "docs/measurements/quality.md"):
            assert figure in (ROOT / document).read_text(encoding="utf-8")
