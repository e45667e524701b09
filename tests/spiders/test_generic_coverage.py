"""`generic` on sites whose feeds name a part of what the front page links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Crawl = Callable[..., dict[str, Any]]
ENGLISH = [f"/en/a-bridge-fell-into-the-river-{n}" for n in range(10)]
GERMAN = [f"/de/eine-bruecke-fiel-in-den-fluss-{n}" for n in range(20)]


def paths(answer: dict[str, Any]) -> list[str]:
    return sorted("/" + item["url"].split("/", 3)[3] for item in answer["items"])


def front(*links: str, language: str = "de", feed: str = "/en/index.xml") -> str:
    cards = "".join(f"<h3><a href='{link}'>A headline of at least five words</a></h3>" for link in links)
    head = f"<link rel=alternate type=application/rss+xml href='{feed}'>"
    return f"<html lang={language}><head>{head}</head><body><main>{cards}</main></body></html>"


def sitemap(server: Any, *links: str, date: str = "") -> str:
    said = f"<lastmod>{date}</lastmod>" if date else ""
    return f"<urlset>{''.join(f'<url><loc>{server.url}{link}</loc>{said}</url>' for link in links)}</urlset>"


@pytest.mark.parametrize("on_front", [20, 12], ids=["all on the front page", "some only in the sitemap"])
def test_both_halves_of_a_bilingual_site_are_crawled(server: Any, crawl: Crawl, on_front: int) -> None:
    server.pages |= {path: f"story {path}" for path in [*ENGLISH, *GERMAN]}
    server.pages["/"] = front(*GERMAN[:on_front])
    server.pages["/robots.txt"] = f"Sitemap: {server.url}/sitemap.xml\n"
    server.pages["/sitemap.xml"] = sitemap(server, *ENGLISH, *GERMAN)
    server.feed("/en/index.xml", *((path, "") for path in ENGLISH))
    assert paths(crawl(generic=True, arguments={"url": server.url})) == sorted([*ENGLISH, *GERMAN])
    new = "/de/noch-eine-bruecke-fiel-in-den-fluss-1"
    server.pages |= {new: "another", "/sitemap.xml": sitemap(server, *ENGLISH, *GERMAN, new)}
    assert paths(crawl(generic=True, arguments={"url": server.url})) == [new]


def test_without_a_sitemap_the_links_of_the_front_page_are_taken(server: Any, crawl: Crawl) -> None:
    server.pages |= {path: f"story {path}" for path in [*ENGLISH, *GERMAN]}
    server.pages["/"] = front(*GERMAN)
    server.feed("/en/index.xml", *((path, "") for path in ENGLISH))
    answer = crawl(generic=True, arguments={"url": server.url})
    assert paths(answer) == sorted([*ENGLISH, *GERMAN])
    assert answer["stats"]["discovery/left_out"] == len(GERMAN)


def test_the_archive_in_a_sitemap_is_not_crawled_beside_feeds(server: Any, crawl: Crawl) -> None:
    old = [f"/de/eine-alte-geschichte-aus-der-stadt-{n}" for n in range(30)]
    server.pages |= {path: f"story {path}" for path in [*ENGLISH, *GERMAN, *old]}
    server.pages["/"] = front(*GERMAN)
    server.pages["/robots.txt"] = f"Sitemap: {server.url}/sitemap.xml\n"
    dates = sitemap(server, *GERMAN).replace("</loc>", "</loc><lastmod>2026-11-20</lastmod>")
    dates = dates.replace("2026-11-20", "2026-11-19", len(GERMAN) // 2)
    aged = "".join(
        f"<url><loc>{server.url}{path}</loc><lastmod>2019-{1 + n % 12:02}-{1 + n // 2:02}</lastmod></url>"
        for n, path in enumerate(old)
    )
    server.pages["/sitemap.xml"] = dates.replace("</urlset>", f"{aged}</urlset>")
    server.feed("/en/index.xml", *((path, "") for path in ENGLISH))
    assert paths(crawl(generic=True, arguments={"url": server.url})) == sorted([*ENGLISH, *GERMAN])


def test_a_feed_that_names_what_the_front_page_links_is_enough(server: Any, crawl: Crawl) -> None:
    server.pages |= {path: f"story {path}" for path in ENGLISH}
    server.pages["/"] = front(*ENGLISH, "https://other.example/a-story-of-another-site-1", language="en")
    server.pages["/robots.txt"] = f"Sitemap: {server.url}/sitemap.xml\n"
    server.pages["/sitemap.xml"] = sitemap(server, *ENGLISH)
    server.feed("/en/index.xml", *((path, "") for path in ENGLISH))
    answer = crawl(generic=True, arguments={"url": server.url})
    assert paths(answer) == ENGLISH
    assert server.asked("/sitemap.xml") == 0
