"""The extracted texts of the demo's pages, compared with those that their author wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from demo_expected import ADVERTISERS, Expected, expectations, source_urls

from newscrawl.bench.scores import score, shingles, summarise
from newscrawl.demo import ORIGIN, DemoSite
from newscrawl.demo.content import load_papers
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import Article, ProcessedPage, RawPage
from spiders.demo import DemoSpider

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[2]
EXPECTED = expectations()
PAGES = [e for e in EXPECTED.values() if e.kind in {"article", "duplicate"}]
HITS = (0, 7, 22)
"""Hits with short adverts and with long ones in different places."""


def process(site: DemoSite, expected: Expected, hit: int = 0) -> ProcessedPage:
    answer = site.answer("GET", expected.url.removeprefix(ORIGIN), hit=hit)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    raw = RawPage(expected.url, expected.url, answer.status, headers, answer.body, NOW, "demo")
    return fingerprint(make_article(raw, ArticleOptions()))


def article_of(site: DemoSite, expected: Expected, hit: int = 0) -> Article:
    article = process(site, expected, hit).article
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


def test_no_text_holds_an_advert_a_comment_or_a_label(site: DemoSite) -> None:
    papers = load_papers().values()
    foreign = [*ADVERTISERS]
    foreign += [comment["text"] for paper in papers for comment in paper.comments if " " in comment["text"]]
    foreign += [text for paper in papers for text in paper.words.values() if " " in text]
    for expected in PAGES:
        text = article_of(site, expected, hit=5).text
        assert [string for string in foreign if string in text] == []


@pytest.mark.parametrize("expected", [e for e in PAGES if e.same_as], ids=lambda e: e.url.removeprefix(ORIGIN))
def test_a_reprint_a_print_version_and_a_second_address_are_one_article(site: DemoSite, expected: Expected) -> None:
    original = article_of(site, EXPECTED[expected.same_as or ""], hit=3)
    assert article_of(site, expected, hit=4).identity_key == original.identity_key


def test_all_other_stories_are_different_articles(site: DemoSite) -> None:
    keys = [article_of(site, expected).identity_key for expected in PAGES if expected.kind == "article"]
    assert len(set(keys)) == len(keys) == 60


def test_boilerpipe_is_too_short_on_the_cards_page_and_justext_saves_it(site: DemoSite) -> None:
    (expected,) = [e for e in PAGES if e.extractor == "justext"]
    article = article_of(site, expected)
    first, second = article.trace
    assert not first.accepted
    assert "too short" in first.reason
    assert first.characters < second.characters / 3
    assert (second.extractor, second.accepted) == ("justext", True)


def test_the_jpeg_is_recorded_as_no_page(site: DemoSite) -> None:
    (picture,) = [e for e in EXPECTED.values() if e.kind == "not_text"]
    failure = process(site, picture).failure
    assert failure is not None
    assert failure.code == "content/not_html"


def test_the_demo_spider_declares_exactly_the_sites_sources_and_articles() -> None:
    assert {*DemoSpider.feeds, *DemoSpider.sitemaps, *DemoSpider.sections} == set(source_urls())
    rule = ArticleRule.of(DemoSpider.articles)
    assert [e.url for e in EXPECTED.values() if not rule.accepts(e.url)] == []
    assert [url for url in (*source_urls(), DemoSpider.home) if rule.accepts(url)] == []


def test_the_docs_say_how_best_and_classic_do_on_these_pages(site: DemoSite) -> None:
    """What is written there of the demo's pages is what is measured."""
    for chain, figure in (("classic", "1.000"), ("best", "1.000")):
        scores = []
        for expected in PAGES:
            answer = site.answer("GET", expected.url.removeprefix(ORIGIN), hit=0)
            headers = {name.lower(): value for name, value in answer.headers.items()}
            raw = RawPage(expected.url, expected.url, answer.status, headers, answer.body, NOW, "demo")
            article = make_article(raw, ArticleOptions(chain)).article
            scores.append(score(shingles(expected.text), shingles(article.text if article else "")))
        assert f"{summarise(scores).f1:.3f}".removeprefix("0") == figure
        for document in ("docs/how-to/extract-pages.md", "docs/measurements/quality.md"):
            assert figure in (ROOT / document).read_text(encoding="utf-8")
