"""Which named sources of a site are read first, and which addresses are tried if it names none."""

from __future__ import annotations

import pytest

from newscrawl.discovery.proposals.find_sources import FoundSource, common_sources, find_sources, ranked
from newscrawl.page import parse

HOME = "https://news.example/"


def feed(path: str, title: str = "") -> FoundSource:
    return FoundSource(f"https://news.example{path}", "feed", title)


def sitemap(path: str) -> FoundSource:
    return FoundSource(f"https://news.example{path}", "sitemap")


def test_the_sites_feed_comes_first_then_news_sitemaps_sections_archives_and_last_what_is_no_text() -> None:
    named = [
        feed("/rss/podcasts.xml"),
        sitemap("/sitemap.xml"),
        feed("/rss/sport.xml"),
        sitemap("/sitemap-news.xml"),
        feed("/rss.xml"),
    ]
    assert [source.url.removeprefix("https://news.example") for source in ranked(named, HOME)] == [
        "/rss.xml",
        "/sitemap-news.xml",
        "/rss/sport.xml",
        "/sitemap.xml",
        "/rss/podcasts.xml",
    ]


@pytest.mark.parametrize(
    "path",
    ["/feed/", "/rss", "/rss.xml", "/feed.json", "/feeds/posts/default", "/arc/outboundfeeds/rss/", "/index.xml",
     "/rss/home.xml", "/rss/2.0/portada/", "/atom.xml", "/feeds/latest.rss", "/?feed=rss2"],
)  # fmt: skip
def test_an_address_without_a_word_of_its_own_is_the_whole_sites(path: str) -> None:
    assert next(source.url for source in ranked([feed("/sport/feed/"), feed(path)], HOME)).endswith(path)


@pytest.mark.parametrize("path", ["/sport/feed/", "/rss/politics.xml", "/rss/haixia.xml", "/category/world/feed"])
def test_an_address_with_one_is_a_sections(path: str) -> None:
    assert next(source.url for source in ranked([feed(path), feed("/feed/")], HOME)).endswith("/feed/")


def test_a_link_called_rss_is_followed_whatever_its_address() -> None:
    page = parse('<a href="/alles">RSS</a><a href="/service">RSS explained</a>', url=HOME)
    assert [source.url for source in find_sources(page, HOME)] == ["https://news.example/alles"]


def test_few_addresses_are_guessed_and_a_few_more_when_a_site_is_added() -> None:
    few, more = common_sources(HOME), common_sources(HOME, thorough=True)
    assert len(few) <= 5
    assert more[: len(few)] == few
    assert len(more) <= 15


def test_a_page_that_announces_endless_feeds_is_looked_at_in_bounds() -> None:
    head = "".join(f'<link rel=alternate type="application/rss+xml" href="/{n}">' for n in range(20_000))
    assert len(find_sources(parse(head, url=HOME), HOME)) == 10
