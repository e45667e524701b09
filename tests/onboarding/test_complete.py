"""A site whose announced feed names a part of its articles: the others are found or reported."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from paper import Here, Paper, bilingual
from replicas import Replica, alternate, index, make_stories, rss, sitemap

from newscrawl.cli.import_sites import added
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.onboarding.survey import SiteProposal, survey
from newscrawl.extraction.article.make import ArticleOptions

NOW = datetime.now(UTC)


def named(paper: Paper) -> SiteProposal:
    return asyncio.run(survey(paper, SiteReader(Here()), paper.site.home, options=ArticleOptions(), now=NOW))


@pytest.mark.parametrize("prefix", ["/de", ""], ids=["folder", "root"])
@pytest.mark.parametrize("dated", [True, False], ids=["dated", "undated"])
def test_the_other_half_of_a_bilingual_site_gets_a_source(prefix: str, *, dated: bool) -> None:
    site = bilingual(prefix=prefix, sitemap_dated=dated)
    proposal = named(Paper(site))
    assert proposal.site.feeds == (f"{site.origin}/en/index.xml",)
    assert proposal.site.sitemaps == (f"{site.origin}/sitemap.xml",)
    assert {one.url for trial in proposal.sources for one in trial.articles} == set(site.titles)
    assert [url for url in site.titles if not ArticleRule.of(proposal.site.articles).accepts(url)] == []
    assert proposal.missing == ()


def test_a_feed_that_a_language_front_page_announces_comes_before_the_sitemap() -> None:
    site = bilingual()
    german = [(url, story) for url, story in zip(site.titles, site.stories, strict=False) if "/de/" in url]
    site.put("/de/index.xml", rss(site, german))
    site.front(german, path="/de/", head=alternate("/de/index.xml"))
    front = site.pages["town.localhost:8080/"][2].decode()
    site.put("/", front.replace("<head>", '<head><link rel="alternate" hreflang="de" href="/de/">'))
    proposal = named(Paper(site))
    assert proposal.site.feeds == (f"{site.origin}/en/index.xml", f"{site.origin}/de/index.xml")


def test_without_another_source_the_front_page_becomes_one() -> None:
    site = bilingual()
    del site.pages["town.localhost:8080/sitemap.xml"]
    proposal = named(Paper(site))
    assert proposal.site.sections == (site.home,)
    assert [url for url in site.titles if not ArticleRule.of(proposal.site.articles).accepts(url)] == []


def test_a_sitemap_whose_index_names_a_fresh_child_is_compared_too() -> None:
    site = bilingual(on_front=0)
    links = [(url, next(s for s in site.stories if s.title == title)) for url, title in site.titles.items()]
    site.put("/sitemap.xml", index([(f"{site.origin}/posts.xml", NOW)]))
    site.put("/posts.xml", sitemap(links))
    assert named(Paper(site)).site.sitemaps == (f"{site.origin}/sitemap.xml",)


def test_a_section_without_a_feed_gets_its_feed() -> None:
    site = Replica("town", "http://town.localhost:8080")
    site.stories = make_stories(1, 24, "en", NOW)
    links = site.articles(lambda s: f"/{('politics', 'sport', 'culture')[s.number % 3]}/{s.slug}-{s.number}.html")
    for name in ("politics", "sport", "culture"):
        site.put(f"/rss/{name}.xml", rss(site, [link for link in links if f"/{name}/" in link[0]]))
    head = alternate("/rss/politics.xml") + alternate("/rss/sport.xml")
    site.front(links, head=head, foot='<a href="/rss/culture.xml">RSS</a>')
    proposal = named(Paper(site))
    found = {one.url for trial in proposal.sources for one in trial.articles}
    assert set(site.titles) <= found or proposal.site.sections == (site.home,)


def test_what_no_source_is_found_for_is_said() -> None:
    """Two front pages of other languages link four articles each: too few for a section."""
    site = Replica("town", "http://town.localhost:8080")
    site.stories = make_stories(1, 18, "en", NOW)
    links = site.articles(
        lambda s: f"/{'en' if s.number < 10 else 'de' if s.number < 14 else 'fr'}/{s.slug}-{s.number}"
    )
    site.put("/feed", rss(site, links[:10]))
    site.front(links[:10], head=alternate("/feed"), nav=["/de/", "/fr/"])
    site.front(links[10:14], path="/de/")
    site.front(links[14:], path="/fr/")
    proposal = named(Paper(site))
    assert {one.url for one in proposal.missing} == {url for url, _ in links[10:]}
    in_a_list = added(proposal.site, (), proposal)
    assert "; missing: 8 articles that no chosen source names, such as http://town.localhost:8080/" in in_a_list
