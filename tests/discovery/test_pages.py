"""Section and home pages: links to articles, announced sources, and pages that are articles themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.extraction import MAX_LINKS, section_links
from newscrawl.discovery.links.resolve import resolve
from newscrawl.discovery.proposals.find_sources import (
    find_sources,
    is_article_page,
    robots_sitemaps,
)
from newscrawl.discovery.sitemaps.child_choice import choose
from newscrawl.model import Candidate, Discovery
from newscrawl.page import parse

URL = "https://www.news.example/world/"
NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
ARTICLE = "/world/a-bridge-fell-into-the-river"
SLUGS = ArticleRule.of([r"/(?:\w+-){3,}\w+", r"/\d{5,}$"])


def section(body: str, head: str = "", url: str = URL) -> list[tuple[str, str | None]]:
    page = parse(f"<html><head>{head}</head><body>{body}</body></html>", url=url)
    found = section_links(page, url, SLUGS)
    assert all(c.discovery.kind == "section" and c.discovery.source == url for c in found.candidates)
    return [(candidate.url, candidate.discovery.title) for candidate in found.candidates]


def test_article_links_come_in_the_pages_order_with_their_text() -> None:
    body = (
        '<nav><a href="/">Home</a><a href="/sport/">Sport</a><a href="/login">Log in</a></nav>'
        '<a href="/world/b-the-second-story-of-the-day"><h2>Second <b>story</b></h2></a>'
        f'<a href="{ARTICLE}">A bridge fell</a><a href="/tag/bridges-and-other-things-here">Bridges</a>'
    )
    assert section(body) == [
        ("https://www.news.example/world/b-the-second-story-of-the-day", "Second story"),
        (f"https://www.news.example{ARTICLE}", "A bridge fell"),
    ]


def test_several_links_to_one_article_are_one_candidate_with_the_longest_text() -> None:
    body = f'<a href="{ARTICLE}"><img></a><a href="{ARTICLE}?utm_source=x#c">A bridge fell</a><a href="{ARTICLE}">M</a>'
    assert section(body) == [(f"https://www.news.example{ARTICLE}", "A bridge fell")]


def test_links_are_relative_to_the_page_or_to_its_base() -> None:
    name = "a-bridge-fell-into-the-river"
    link = f'<a href="{name}">x</a>'
    assert section(link)[0][0] == f"https://www.news.example/world/{name}"
    assert section(link, '<base href="/base/">')[0][0] == f"https://www.news.example/base/{name}"
    assert section(link, '<base href="javascript:x">')[0][0] == f"https://www.news.example/world/{name}"
    assert section(link, '<base href="https://evil.example/">') == []


def test_only_links_within_the_site_are_taken() -> None:
    name = "a-bridge-fell-into-the-river"
    hosts = (
        "https://sport.news.example",
        "http://news.example",
        "https://evil.example",
        "https://news.example.evil.example",
    )
    body = "".join(f'<a href="{host}/{name}">x</a>' for host in hosts) + f'<a href="javascript:x/{name}">x</a>'
    assert [url for url, _ in section(body)] == [f"https://sport.news.example/{name}", f"http://news.example/{name}"]


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "url": ARTICLE, "name": "Fell"}]},
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": {"@id": ARTICLE, "headline": "Fell"}}]},
        {"@type": "ItemList", "itemListElement": {"item": ARTICLE, "name": "Fell"}},
        {
            "@type": "CollectionPage",
            "mainEntity": {"@type": "ItemList", "itemListElement": [{"url": ARTICLE, "name": "Fell"}]},
        },
    ],
)
def test_item_lists_in_json_ld_count_as_links(data: object) -> None:
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    assert section("", head) == [(f"https://www.news.example{ARTICLE}", "Fell")]


@pytest.mark.parametrize(
    "elements", [None, 7, [None, 7, [], {}, {"url": 7}, {"item": []}, {"item": {"url": None}}], "x"]
)
def test_senseless_item_lists_give_nothing(elements: object) -> None:
    data = {"@type": "ItemList", "itemListElement": elements}
    assert section("", f'<script type="application/ld+json">{json.dumps(data)}</script>') == []


def test_a_page_of_endless_links_is_cut() -> None:
    body = "".join(f'<a href="/news/{n + 100_000}">x</a>' for n in range(MAX_LINKS + 10))
    assert len(section(body)) == MAX_LINKS


def test_links_take_time_in_proportion_to_their_number(doubling: Callable[..., None]) -> None:
    def make(n: int) -> object:
        return parse("".join(f'<a href="/news/{k + 100_000}">x</a>' for k in range(n)), url=URL)

    doubling(lambda page: section_links(page, URL, SLUGS), make, 200)


def sources(head: str = "", body: str = "", url: str = URL) -> list[tuple[str, str]]:
    page = parse(f"<html><head>{head}</head><body>{body}</body></html>", url=url)
    return [(source.kind, source.url) for source in find_sources(page, url)]


def test_announced_feeds_and_sitemaps_are_found() -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" title="News" href="/rss">'
        '<link rel="ALTERNATE home" type="application/atom+xml; charset=utf-8" href="https://feeds.example/atom">'
        '<link rel="sitemap" href="/map.xml"><link rel="alternate" hreflang="es" href="/es/">'
        '<link rel="alternate" type="text/html" href="/amp"><link rel="stylesheet" href="/feed.css">'
    )
    assert sources(head) == [
        ("feed", "https://www.news.example/rss"),
        ("feed", "https://feeds.example/atom"),
        ("sitemap", "https://www.news.example/map.xml"),
    ]


def test_comment_feeds_are_not() -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" href="/comments/feed/">'
        '<link rel="alternate" type="application/rss+xml" title="News » Comments Feed" href="/feed2">'
        '<link rel="alternate" type="application/rss+xml" href="/feed/">'
    )
    assert sources(head, url="https://commentary.example/") == [("feed", "https://commentary.example/feed/")]


ROBOTS = "https://www.news.example/robots.txt"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Sitemap: https://www.news.example/s.xml", ["https://www.news.example/s.xml"]),
        ("User-agent: *\r\nDisallow: /x\r\nSITEMAP:/s.xml\r\n", ["https://www.news.example/s.xml"]),
        (
            "\ufeffsitemap : https://maps.example/s.xml # ours\rSite-map: /t.xml",
            ["https://maps.example/s.xml", "https://www.news.example/t.xml"],
        ),
        ("# Sitemap: /commented.xml\nDisallow: /sitemap: /x", []),
        ("Sitemap:\nSitemap: javascript:alert(1)\nSitemap: file:///etc/passwd", []),
        ("Sitemap: /s.xml\nSitemap: /s.xml", ["https://www.news.example/s.xml"]),
        ("<html><body>Not found</body></html>", []),
        ("", []),
    ],
)
def test_robots_txt_names_sitemaps(text: str, found: list[str]) -> None:
    assert robots_sitemaps(text, ROBOTS) == found
    assert robots_sitemaps(text.encode(), ROBOTS) == found


def test_an_endless_robots_txt_is_read_in_bounds() -> None:
    text = "".join(f"Sitemap: /{n}.xml\n" for n in range(100_000))
    assert len(robots_sitemaps(text.encode() + b"\xff\x00", ROBOTS)) == 100


@pytest.mark.parametrize(
    ("head", "url", "article"),
    [
        ('<meta property="og:type" content="article">', "https://a.example/x", True),
        ('<meta property="og:type" content="article">', "https://a.example/", False),
        ('<meta property="og:type" content="website">', "https://a.example/news/", False),
        ('<meta property="og:type" content="website">', "https://a.example/a-bridge-fell-into-the-river", True),
        ('<script type="application/ld+json">{"@type": "NewsArticle"}</script>', "https://a.example/x", True),
        (
            '<script type="application/ld+json">{"@type": ["Thing", "ReportageNewsArticle"]}</script>',
            "https://a.example/x",
            True,
        ),
        ('<script type="application/ld+json">{"@type": "WebSite"}</script>', "https://a.example/x", False),
        ("", "https://a.example/news/1234567", True),
        ("", "https://a.example/news/", False),
    ],
)
def test_a_page_is_an_article_by_what_it_says_and_by_its_address(head: str, url: str, article: bool) -> None:
    assert is_article_page(parse(f"<html><head>{head}</head></html>", url=url), url) is article


def candidate(url: str, when: datetime | None = None) -> Candidate:
    return Candidate(url, Discovery("feed", "f", published=when))


def test_choosing_keeps_articles_of_the_site_once_and_the_freshest_first() -> None:
    found = [
        candidate("https://a.example/old", NOW - timedelta(days=3)),
        candidate("https://a.example/undated"),
        candidate("https://a.example/new", NOW),
        candidate("https://a.example/future", NOW + timedelta(days=9)),
        candidate("http://www.a.example/new"),
        candidate("https://b.example/x"),
        candidate("https://evila.example/x"),
        candidate("https://a.example/tag"),
    ]
    chosen = choose(found, domains=["a.example"], accepts=lambda c: "tag" not in c.url, now=NOW, limit=3)
    assert [c.url.rpartition("/")[2] for c in chosen.candidates] == ["new", "old", "undated"]
    assert (chosen.offsite, chosen.not_article, chosen.over_limit) == (2, 1, 1)


@pytest.mark.parametrize(
    "href",
    [
        "",
        "  ",
        "#top",
        "mailto:a@b",
        "JAVASCRIPT:x",
        "data:text/html,x",
        "http://",
        "http://[::1",
        "http://a:99999/",
        "x" * 40_000,
    ],
)
def test_what_leads_nowhere_is_no_link(href: str) -> None:
    assert resolve("https://a.example/b", href) in {None, "https://a.example/b"}
    assert href == "#top" or resolve("https://a.example/b", href) is None


def test_sitemap_lines_without_end_are_not_all_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        "newscrawl.discovery.proposals.find_sources.resolve", lambda _base, address: asked.append(address)
    )
    assert robots_sitemaps("".join(f"Sitemap: ftp://a.example/{n}\n" for n in range(20_000)), ROBOTS) == []
    assert len(asked) == 1_000
