"""Sources that take more CPU time than allowed, and an index whose sitemaps do so together. Each body states its CPU
time (tests/support/spider_child.py).

What a body costs is written in it (tests/support/spider_child.py); that workers measure it is tested with the pool.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Crawl = Callable[..., dict[str, Any]]
Database = Callable[[str], list[tuple[Any, ...]]]

ARTICLES = (r"^/story/\d+$",)
COSTLY = "source/too_costly"


def sitemap(*links: str, costs: int = 0) -> str:
    rows = "".join(f"<url><loc>{link}</loc></url>" for link in links)
    return f"<urlset><!--costs {costs}-->{rows}</urlset>"


def index(server: Any, *names: str) -> str:
    rows = "".join(f"<sitemap><loc>{server.url}/{name}</loc></sitemap>" for name in names)
    return f"<sitemapindex>{rows}</sitemapindex>"


def failures(database: Database, name: str) -> tuple[Any, ...]:
    (row,) = database(f"SELECT failures, failure_kind FROM sources WHERE url LIKE '%/{name}'")
    return row


def pauses(database: Database, column: str = "next_due") -> list[float]:
    query = f"SELECT (julianday({column}) - julianday('now')) * 1440 FROM sources WHERE failures > 0 ORDER BY 1"
    return [minutes for (minutes,) in database(query)]


def test_a_feed_that_costs_too_much_fails_rests_and_costs_the_other_sources_nothing(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.feed("/feed", ("/story/1", ""))
    server.pages |= {"/costly": sitemap("/story/2", costs=11), "/story/1": "first", "/story/2": "second"}
    answer = crawl(feeds=[f"{server.url}/costly", f"{server.url}/feed"], articles=ARTICLES)
    assert [item["url"] for item in answer["items"]] == [f"{server.url}/story/1"]
    assert failures(database, "costly") == (1, COSTLY)
    assert failures(database, "feed") == (0, None)
    assert 13 < pauses(database)[0] <= 15
    events = database(f"SELECT reason FROM events WHERE kind = '{COSTLY}'")
    assert events == [("feed could not be read: more than 10 s",)]
    crawl(feeds=[f"{server.url}/costly"], articles=ARTICLES)
    assert failures(database, "costly") == (2, COSTLY)
    assert 28 < pauses(database)[0] <= 30
    server.pages["/costly"] = sitemap("/story/2", costs=1)
    assert len(crawl(feeds=[f"{server.url}/costly"], articles=ARTICLES)["items"]) == 1
    assert failures(database, "costly") == (0, None)


def test_what_one_source_of_a_site_costs_is_not_taken_from_another(
    server: Any, crawl: Crawl, database: Database
) -> None:
    names = [f"/{number}" for number in range(5)]
    server.pages |= {name: sitemap(f"/story{name}", costs=9) for name in names}
    server.pages |= {f"/story{name}": f"story {name}" for name in names}
    answer = crawl(feeds=[f"{server.url}{name}" for name in names], articles=ARTICLES)
    assert len(answer["items"]) == len(names)
    assert database("SELECT count(*) FROM sources WHERE failures > 0") == [(0,)]


def test_sitemaps_that_cost_too_much_together_are_the_failure_of_their_index_and_its_pause_grows(
    server: Any, crawl: Crawl, database: Database
) -> None:
    names = [f"{number}.xml" for number in range(9)]
    server.pages |= {name: sitemap(costs=8) for name in (f"/{name}" for name in names)}
    server.pages["/index"] = index(server, *names)
    sitemaps = [f"{server.url}/index"]
    answer = crawl(sitemaps=sitemaps, articles=ARTICLES)
    assert failures(database, "index") == (1, COSTLY)
    assert answer["stats"]["discovery/over_cpu"] == 6, "three are read, and a part of one"
    assert database("SELECT count(*) FROM sources WHERE failures AND kind = 'sitemap' AND parent IS NOT NULL") == [(0,)]
    crawl(sitemaps=sitemaps, articles=ARTICLES)
    assert failures(database, "index") == (2, COSTLY)
    assert 28 < pauses(database)[0] <= 30
    server.pages |= {f"/{name}": sitemap("/story/1") for name in names}
    crawl(sitemaps=sitemaps, articles=ARTICLES)
    assert failures(database, "index") == (0, None)


def test_a_sitemap_that_costs_too_much_rests_while_its_index_is_read(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.pages |= {"/index": index(server, "costly.xml", "good.xml"), "/story/1": "first", "/story/2": "second"}
    server.pages |= {"/costly.xml": sitemap(costs=11), "/good.xml": sitemap("/story/1")}
    sitemaps = [f"{server.url}/index"]
    crawl(sitemaps=sitemaps, articles=ARTICLES)
    server.pages["/good.xml"] = sitemap("/story/1", "/story/2")
    answer = crawl(sitemaps=sitemaps, articles=ARTICLES)
    assert [item["url"] for item in answer["items"]] == [f"{server.url}/story/2"]
    assert server.asked("/costly.xml") == 1
    assert failures(database, "costly.xml") == (1, COSTLY)
    assert failures(database, "index") == (0, None)
    assert 13 < pauses(database, "not_before")[0] <= 15
    assert database("SELECT next_due FROM sources WHERE url LIKE '%/costly.xml'") == [(None,)]


def test_a_front_page_that_costs_too_much_leaves_robots_txt_to_name_the_sources(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.pages |= {"/": sitemap(costs=11), "/news.xml": sitemap("/story/1"), "/story/1": "first"}
    server.pages["/robots.txt"] = f"User-agent: *\nSitemap: {server.url}/news.xml\n"
    answer = crawl(articles=ARTICLES)
    assert [item["url"] for item in answer["items"]] == [f"{server.url}/story/1"]
    assert database("SELECT failure_kind FROM sources WHERE kind = 'start'") == [(COSTLY,)]
