"""Which links of a page lead to articles, decided from the page alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.extraction import LIKELY, FoundLink, extract_links, section_links
from newscrawl.page import parse

URL = "https://news.example/politics/"
FRONT = """
<html><body class="home post-list"><header><a href="/">News</a><a href="/politics/">Politics</a>
<nav><a href="/sport/">Sport</a><a href="/culture/">Culture</a>
<a href="/special/the-year-in-review/">The year in review</a>
<a href="/mayor-quits-over-bridge-1234567">Bridge</a></nav></header>
<main><article class="card"><h2><a href="/council-votes-for-a-new-bridge">Council votes for a new bridge</a></h2>
<a href="/council-votes-for-a-new-bridge"><img alt=""></a><time datetime="2026-03-02T10:00:00Z">today</time>
<a href="/politics/elections">Elections</a></article>
<a class="teaser" href="/storm"><h3>Storm closes the old harbour</h3><p>Ships had to wait outside until the evening, and
some turned round to other ports of the coast, as the harbour's master said.</p></a>
<ul><li><a href="/2026/03/02/strike">Strike</a></li><li><a rel="nofollow" href="/buy-our-new-paper-now-1234568">Buy our
new paper now</a></li></ul></main>
<aside class="sponsored">
<a href="https://shop.example/a-pan-for-all-of-your-dishes">A pan for all of your dishes</a></aside>
<p><a href="https://other.example/2026/03/01/their-story-of-the-bridge.html">Their story of the bridge is longer</a></p>
<footer><a href="/how-we-work-and-what-we-stand-for">How we work</a><a href="/privacy-policy">Privacy</a></footer>
</body></html>"""


def links(html: str = FRONT, url: str = URL) -> dict[str, FoundLink]:
    found = extract_links(parse(html, url=url), url)
    return {link.url.removeprefix("https://news.example"): link for link in found}


@pytest.mark.parametrize(
    "path",
    ["/council-votes-for-a-new-bridge", "/storm", "/2026/03/02/strike", "/mayor-quits-over-bridge-1234567"],
)
def test_headlines_cards_and_marked_addresses_are_articles(path: str) -> None:
    assert links()[path].confidence >= LIKELY, links()[path].features


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/sport/",
        "/culture/",
        "/special/the-year-in-review/",
        "/politics/elections",
        "/how-we-work-and-what-we-stand-for",
        "/privacy-policy",
    ],
)
def test_sections_services_and_the_foot_are_not(path: str) -> None:
    assert links()[path].confidence < LIKELY, links()[path].features


def test_the_page_itself_is_left_out() -> None:
    assert "/politics/" not in links()


def test_a_card_gives_title_and_date() -> None:
    found = links()["/council-votes-for-a-new-bridge"]
    assert found.title == "Council votes for a new bridge"
    assert found.published == datetime(2026, 3, 2, 10, tzinfo=UTC)


def test_the_title_of_a_link_around_a_whole_card_is_its_heading() -> None:
    assert links()["/storm"].title == "Storm closes the old harbour"


def test_a_link_that_is_not_to_be_followed_is_flagged_and_no_candidate() -> None:
    assert links()["/buy-our-new-paper-now-1234568"].nofollow
    found = section_links(parse(FRONT, url=URL), URL, ArticleRule())
    assert not [c for c in found.candidates if "buy" in c.url]


def test_a_link_followed_anywhere_in_the_page_may_be_followed() -> None:
    assert not links('<a rel="nofollow" href="/a-1234567">A</a><a href="/a-1234567">A</a>')["/a-1234567"].nofollow


@pytest.mark.parametrize("content", ["nofollow", "noindex, NoFollow", "none"])
def test_a_page_that_forbids_following_has_all_its_links_flagged(content: str) -> None:
    found = links(f'<meta name="robots" content="{content}">{FRONT}')
    assert all(link.nofollow for link in found.values())


def test_without_a_rule_the_likely_links_are_candidates() -> None:
    found = section_links(parse(FRONT, url=URL), URL, ArticleRule())
    likely = [link.url for link in links().values() if link.confidence >= LIKELY and not link.nofollow]
    assert [c.url for c in found.candidates] == [url for url in likely if url.startswith("https://news.example/")]
    assert len(found.candidates) == 4


def test_a_sites_own_rule_decides_alone() -> None:
    found = section_links(parse(FRONT, url=URL), URL, ArticleRule.of([r"^/(?:sport|storm)"]))
    assert [c.url for c in found.candidates] == ["https://news.example/sport/", "https://news.example/storm"]


SHAPES: dict[str, Callable[[int], str]] = {
    "links": lambda n: "".join(f'<li><a href="/a-{k}">A</a></li>' for k in range(n)),
    "nested cards": lambda n: "<div class=card>" * n + '<a href="/a-1234567">A</a>',
    "headings": lambda n: "<h2>A story of the bridge</h2>" * n + "<a href=/a><h3>x</h3></a>" * n,
    "dates": lambda n: "<li><time datetime=2026-03-02>x</time><a href=/a>A</a></li>" * n,
    "classes": lambda n: "".join(f'<p class="x{k}-{"y" * 50}"><a href="/a">A</a></p>' for k in range(n)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_harvesting_takes_time_in_proportion_to_the_page(shape: str, doubling: Callable[..., None]) -> None:
    doubling(lambda page: extract_links(page, URL), lambda n: parse(SHAPES[shape](n), url=URL), 250, factor=3.2)
