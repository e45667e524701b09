"""NewsSpider from its sources to raw pages: real downloader, real store, a server on loopback."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import brotli
import pytest
import zstandard_bodies

from newscrawl.crawling.spider.limits import RELOAD_AFTER
from newscrawl.storage.frontier import patterns

Crawl = Callable[..., dict[str, Any]]
Database = Callable[[str], list[tuple[Any, ...]]]

ARTICLES = (r"^/story/\d+$",)


def paths(answer: dict[str, Any]) -> list[str]:
    """The paths of the items' addresses, sorted."""
    return sorted("/" + item["url"].split("/", 3)[3] for item in answer["items"])


def test_a_feeds_articles_become_raw_pages_and_links_to_other_sites_are_never_asked(server: Any, crawl: Crawl) -> None:
    elsewhere = f"http://localhost:{server.url.rpartition(':')[2]}/story/1"
    entries = [("/story/1", "Mon, 02 Mar 2026 10:00:00 GMT"), (f"{server.url}/story/2?utm_source=rss", "")]
    server.feed("/feed", *entries, (elsewhere, ""), ("/tag/politics", ""))
    server.pages |= {"/story/1": "first", "/story/2": "second"}
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert paths(answer) == ["/story/1", "/story/2"]
    first = next(item for item in answer["items"] if item["url"].endswith("/1"))
    assert first == {
        "url": f"{server.url}/story/1",
        "final_url": f"{server.url}/story/1",
        "status": 200,
        "body": "first",
        "site": "site",
        "kind": "feed",
        "source": f"{server.url}/feed",
        "title": "Title of /story/1",
        "content_type": "text/html; charset=utf-8",
    }
    assert (answer["stats"]["discovery/offsite"], answer["stats"]["discovery/not_article"]) == (1, 1)
    assert server.asked("/story/1") == 1


def test_compressed_articles_and_sources_are_read(server: Any, crawl: Crawl) -> None:
    encodings = {"gzip": gzip.compress, "br": brotli.compress, "deflate": zlib.compress}
    pack = {"Content-Type": "text/html"}
    server.feed("/inner", *((f"/story/{number}", "") for number in range(1, 6)))
    server.pages["/feed"] = (200, {"Content-Encoding": "gzip"}, gzip.compress(server.pages.pop("/inner").encode()))
    for number, (name, packed) in enumerate(encodings.items(), 1):
        server.pages[f"/story/{number}"] = (200, pack | {"Content-Encoding": name}, packed(b"text of " + name.encode()))
    twice = gzip.compress(gzip.compress(b"text packed twice"))
    server.pages["/story/4"] = (200, pack | {"Content-Encoding": "gzip, gzip"}, twice)
    server.pages["/story/5"] = (200, pack | {"Content-Encoding": "zstd"}, zstandard_bodies.compress(b"text of zstd"))
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert {item["body"] for item in answer["items"]} == {
        *("text of gzip", "text of br", "text of deflate", "text packed twice", "text of zstd"),
    }


def test_a_429_that_is_repeated_with_success_leaves_one_event(
    server: Any, crawl: Crawl, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.feed("/feed", ("/story/1", ""))
    server.pages["/story/1"] = "first"
    pleas, plain = [(429, {"Retry-After": "0"}, b""), (503, {}, b"")], server.answer
    monkeypatch.setattr(
        server,
        "answer",
        lambda path, *rest: pleas.pop(0) if path == "/story/1" and pleas else plain(path, *rest),
    )
    settings = {"NEWSCRAWL_FIRST_BACKOFF": 0.1, "RETRY_TIMES": 3}
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES, settings=settings)
    assert paths(answer) == ["/story/1"]
    told = database("SELECT status, reason FROM events WHERE kind = 'politeness/slow_down_requested'")
    assert told == [(429, "the host asked to slow down (Retry-After: 0)")]
    assert answer["stats"]["politeness/slow_down_requested"] == 2


def test_a_kill_after_a_sources_answer_hides_no_article_behind_its_304(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.feed("/feed", ("/story/1", ""), ("/story/2", ""))
    server.pages |= {"/story/1": "first", "/story/2": "second"}
    killed = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES, failpoint="after-source-answer")
    assert killed["returncode"] == -9
    assert database("select count(*) from pages where state = 'found'") == [(2,)]
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert answer["stats"]["downloader/response_status_count/304"] == 1
    assert paths(answer) == ["/story/1", "/story/2"]


def test_requests_that_end_without_a_page_are_stored_with_their_reason(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.feed("/feed", *((f"/story/{number}", "") for number in range(1, 8)))
    port = server.url.rpartition(":")[2]
    server.pages |= {
        "/robots.txt": "User-agent: *\nDisallow: /story/3\n",
        "/story/1": (500, {}, b"broken"),
        # 2 is not there, 3 is forbidden
        "/story/4": (200, {}, b"  \n"),
        "/story/5": (301, {"Location": f"http://localhost:{port}/story/5"}, b""),
        "/story/6": (302, {"Location": "/"}, b""),
        "/story/7": (302, {"Location": "/story/7"}, b""),
        "/": "front page",
    }
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert answer["items"] == []
    kinds = dict(database("select substr(url, -1), kind from events where kind <> 'found' order by id"))
    assert kinds == {
        "1": "http/500",
        "2": "http/404",
        "3": "robots/forbidden",
        "4": "http/empty",
        "5": "redirect/offsite",
        "6": "redirect/home",
        "7": "redirect/loop",
    }
    assert {name: answer["stats"].get(name) for name in kinds.values()} == dict.fromkeys(kinds.values(), 1)
    assert database("select count(*) from pages where state = 'found'") == [(0,)]


def test_a_host_that_wants_to_rest_keeps_its_pages_for_the_next_crawl(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.feed("/feed", *((f"/story/{number}", "") for number in range(1, 4)))
    server.pages |= {f"/story/{number}": (503, {"Retry-After": "90000"}, b"") for number in range(1, 4)}
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert answer["items"] == []
    assert answer["stats"]["politeness/host_resting"] == 2
    assert database("select state, count(*) from pages group by state order by state") == [("failed", 1), ("found", 2)]


def test_a_redirected_article_is_one_page_also_beside_its_target(server: Any, crawl: Crawl, database: Database) -> None:
    server.feed("/feed", ("/story/1", ""), ("/story/2", ""))
    server.pages |= {"/story/1": (301, {"Location": "/story/2"}, b""), "/story/2": "second"}
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert {item["final_url"] for item in answer["items"]} == {f"{server.url}/story/2"}
    assert database("select count(*) from articles") == [(1,)]
    assert database("select count(*) from pages where state = 'found'") == [(0,)]
    before = len(server.requests)
    crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert [path for path, _ in server.requests[before:]] == ["/feed"], "robots.txt is known for a day"


def test_max_articles_stops_asking_and_the_next_crawl_goes_on(server: Any, crawl: Crawl) -> None:
    server.feed("/feed", *((f"/story/{number}", "") for number in range(10)))
    server.pages |= {f"/story/{number}": f"text {number}" for number in range(10)}
    first = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES, arguments={"max_articles": "4"})
    assert len(first["items"]) == 4
    second = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert len(second["items"]) == 6
    assert set(paths(first)).isdisjoint(paths(second))


def test_since_leaves_older_articles_for_another_crawl(server: Any, crawl: Crawl) -> None:
    now = datetime.now(UTC)
    server.feed(
        "/feed",
        ("/story/1", format_datetime(now - timedelta(hours=1))),
        ("/story/2", format_datetime(now - timedelta(days=5))),
        ("/story/3", ""),
    )
    server.pages |= {f"/story/{number}": f"text {number}" for number in (1, 2, 3)}
    fresh = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES, arguments={"since": "2d"})
    assert paths(fresh) == ["/story/1", "/story/3"]
    assert fresh["stats"]["discovery/too_old"] == 1
    rest = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert paths(rest) == ["/story/2"]


def test_the_freshest_article_is_fetched_first(server: Any, crawl: Crawl) -> None:
    now = datetime.now(UTC)
    ages = {1: 30, 2: 2, 3: 90, 4: 9}
    entries = [(f"/story/{number}", format_datetime(now - timedelta(hours=hours))) for number, hours in ages.items()]
    server.feed("/feed", *entries, ("/story/5", format_datetime(now + timedelta(days=900))))
    server.pages |= {f"/story/{number}": f"text {number}" for number in range(1, 6)}
    crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    asked = [path for path, _ in server.requests if path.startswith("/story/")]
    assert asked == ["/story/2", "/story/4", "/story/1", "/story/3", "/story/5"]


def test_url_fetches_that_article_alone(server: Any, crawl: Crawl) -> None:
    server.feed("/feed", ("/story/1", ""))
    server.pages |= {"/story/1": "first", "/odd/address": "second"}
    answer = crawl(
        feeds=[f"{server.url}/feed"], articles=ARTICLES, arguments={"url": f"{server.url}/odd/address#comments"}
    )
    assert paths(answer) == ["/odd/address"]
    assert answer["items"][0]["kind"] == "start"
    assert server.asked("/feed") == 0


def test_sitemaps_are_followed_through_indexes_to_a_depth_and_never_in_circles(server: Any, crawl: Crawl) -> None:
    def index(*children: str) -> str:
        return (
            "<sitemapindex>"
            + "".join(f"<sitemap><loc>{child}</loc></sitemap>" for child in children)
            + ("</sitemapindex>")
        )

    def urlset(*links: str) -> str:
        return "<urlset>" + "".join(f"<url><loc>{link}</loc></url>" for link in links) + "</urlset>"

    port = server.url.rpartition(":")[2]
    server.pages |= {
        "/s0.xml": index("/s0.xml", "/s1.xml", "/tags-sitemap.xml", f"http://localhost:{port}/foreign.xml"),
        "/s1.xml": index("/s2.xml", "/flat.xml"),
        "/s2.xml": index("/s3.xml"),
        "/s3.xml": index("/s4.xml"),
        "/s4.xml": urlset("/story/9"),
        "/flat.xml": urlset("/story/1", "/about"),
        "/story/1": "first",
    }
    answer = crawl(sitemaps=[f"{server.url}/s0.xml"], articles=ARTICLES)
    assert paths(answer) == ["/story/1"]
    asked = [path for path, _ in server.requests if path.endswith(".xml")]
    assert sorted(asked) == ["/flat.xml", "/s0.xml", "/s1.xml", "/s2.xml", "/s3.xml"]


def test_an_index_that_always_names_a_new_sitemap_comes_to_an_end(server: Any, crawl: Crawl) -> None:
    children = "".join(f"<sitemap><loc>/s.xml?n={number}</loc></sitemap>" for number in range(500))
    server.pages["/s.xml"] = f"<sitemapindex>{children}</sitemapindex>"
    crawl(sitemaps=[f"{server.url}/s.xml"], articles=ARTICLES)
    assert len(server.requests) <= 51 + 1


def test_a_broken_child_is_asked_again_though_its_index_is_unchanged(server: Any, crawl: Crawl) -> None:
    server.pages |= {
        "/index.xml": "<sitemapindex><sitemap><loc>/child.xml</loc></sitemap></sitemapindex>",
        "/child.xml": (503, {"Retry-After": "0"}, b""),
        "/story/1": "first",
    }
    assert crawl(sitemaps=[f"{server.url}/index.xml"], articles=ARTICLES)["items"] == []
    server.pages["/child.xml"] = "<urlset><url><loc>/story/1</loc></url></urlset>"
    assert paths(crawl(sitemaps=[f"{server.url}/index.xml"], articles=ARTICLES)) == ["/story/1"]


def test_a_feed_that_is_html_is_recorded_as_unreadable_and_its_validators_are_not_kept(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.pages["/feed"] = "<!doctype html><html><body>We have moved</body></html>"
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert answer["stats"]["source/unreadable"] == 1
    assert database("select failure_kind, etag from sources") == [("source/unreadable", None)]


def test_a_section_page_gives_the_links_that_are_articles(server: Any, crawl: Crawl) -> None:
    server.pages |= {
        "/world/": '<a href="/story/1">One thing happened</a> <a href="/story/1"><img></a> <a href="/world/">World</a>',
        "/story/1": "first",
    }
    answer = crawl(sections=[f"{server.url}/world/"], articles=ARTICLES)
    assert [(item["kind"], item["title"]) for item in answer["items"]] == [("section", "One thing happened")]


def test_a_site_without_sources_finds_them_once_and_keeps_them(server: Any, crawl: Crawl) -> None:
    server.pages |= {
        "/": '<html><head><link rel="alternate" type="application/rss+xml" href="/found"></head></html>',
        "/robots.txt": "Sitemap: /news-map.xml\nUser-agent: *\nAllow: /\n",
        "/news-map.xml": "<urlset><url><loc>/story/2</loc></url></urlset>",
        "/story/1": "first",
        "/story/2": "second",
    }
    server.feed("/found", ("/story/1", ""))
    assert paths(crawl(articles=ARTICLES)) == ["/story/1", "/story/2"]
    again = crawl(articles=ARTICLES)
    assert again["stats"]["downloader/response_status_count/304"] == 2
    assert server.asked("/") == 1


def test_generic_takes_the_feed_of_a_front_page(server: Any, crawl: Crawl) -> None:
    server.pages |= {
        "/": '<html><head><link rel="alternate" type="application/rss+xml" href="/rss.xml"></head></html>',
        "/1": "first",
        "/two": "second",
    }
    server.feed("/rss.xml", ("/1", ""), ("/two", ""), ("/two.pdf", ""), ("/login", ""))
    answer = crawl(generic=True, arguments={"url": server.url})
    assert paths(answer) == ["/1", "/two"]
    assert {item["site"] for item in answer["items"]} == {"generic"}
    second = crawl(generic=True, arguments={"url": server.url})
    assert second["items"] == []
    assert second["stats"]["downloader/response_status_count/304"] == 1


def test_generic_falls_back_to_the_links_of_the_page(server: Any, crawl: Crawl) -> None:
    server.pages |= {
        "/": '<a href="/news/a-bridge-fell-into-the-river">Bridge</a> <a href="/news/">News</a> <a href="/us">Us</a>',
        "/news/a-bridge-fell-into-the-river": "first",
    }
    answer = crawl(generic=True, arguments={"url": server.url})
    assert paths(answer) == ["/news/a-bridge-fell-into-the-river"]
    assert "http/404" not in answer["stats"]  # robots.txt is not there, and need not be
    assert [path for path, _ in server.requests if "sitemap" in path or "feed" in path] == []


def test_generic_tries_the_usual_addresses_last_and_stores_no_failure_of_them(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.pages |= {"/": "<p>nothing here</p>", "/1234567": "first"}
    server.feed("/rss.xml", ("/1234567", ""))
    answer = crawl(generic=True, arguments={"url": server.url})
    assert paths(answer) == ["/1234567"]
    assert answer["stats"]["discovery/guess_failed"] == 4
    assert database("select url from sources") == [(f"{server.url}/rss.xml",)]


def test_generic_given_an_article_fetches_it_alone(server: Any, crawl: Crawl) -> None:
    server.pages["/news/a-bridge-fell-into-the-river"] = '<meta property="og:type" content="article"><p>It fell.'
    answer = crawl(generic=True, arguments={"url": f"{server.url}/news/a-bridge-fell-into-the-river"})
    assert [item["kind"] for item in answer["items"]] == ["start"]
    assert sorted({path for path, _ in server.requests}) == ["/news/a-bridge-fell-into-the-river", "/robots.txt"]


def test_where_every_source_fails_the_front_pages_links_are_taken(server: Any, crawl: Crawl) -> None:
    link = "/2026/11/21/the-council-met-and-spoke-of-the-ferry"
    server.pages |= {
        "/feed": (500, {}, b"broken"),
        "/other": (404, {}, b""),
        "/": (200, {"Content-Type": "text/html"}, f"<a href='{link}'>The council met and spoke</a>".encode()),
        link: "the story",
    }
    answer = crawl(feeds=[f"{server.url}/feed", f"{server.url}/other"], articles=(r"/\d{4}/",))
    assert paths(answer) == [link]
    assert answer["stats"]["discovery/front_page_instead"] == 1
    assert answer["stats"]["discovery/source_failed"] == 2


def test_a_front_page_that_fails_like_every_source_is_counted_no_more_than_it_is_stored(
    server: Any, crawl: Crawl, database: Database
) -> None:
    server.pages |= {"/feed": (404, {}, b""), "/": (404, {}, b"")}
    answer = crawl(feeds=[f"{server.url}/feed"], articles=ARTICLES)
    assert server.asked("/") == 1
    assert answer["stats"]["http/404"] == answer["stats"]["discovery/source_failed"] == 1
    assert database("select url from sources") == [(f"{server.url}/feed",)]
    assert database("select number from site_hours where kind = 'http/404'") == [(1,)]


def test_one_source_that_can_be_read_is_enough_to_leave_the_front_page_alone(server: Any, crawl: Crawl) -> None:
    server.feed("/feed", ("/story/1", ""))
    server.pages |= {"/story/1": "first", "/other": (500, {}, b""), "/": "front page"}
    answer = crawl(feeds=[f"{server.url}/feed", f"{server.url}/other"], articles=ARTICLES)
    assert paths(answer) == ["/story/1"]
    assert "/" not in {path for path, _ in server.requests}


def test_robots_txt_is_fetched_once_also_where_its_sitemaps_are_read(server: Any, crawl: Crawl) -> None:
    server.pages |= {"/robots.txt": f"Sitemap: {server.url}/map.xml\n", "/": "front page"}
    server.pages["/map.xml"] = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>"
    crawl(articles=ARTICLES, home=f"{server.url}/")
    asked = [path for path, _ in server.requests]
    assert asked.count("/robots.txt") == 1
    assert "/map.xml" in asked


def test_a_calendar_is_given_up_while_its_addresses_wait_in_the_queue(
    server: Any, crawl: Crawl, database: Database
) -> None:
    """Its days have no page; what else the feed names is fetched, and the next crawl begins none of the days."""
    entries = [(f"/day/{number}", "Mon, 02 Mar 2026 10:00:00 GMT") for number in range(320)]
    server.feed("/feed", *entries, ("/story/1", ""), ("/story/story/story/2", ""))
    server.pages["/story/1"] = "first"
    answer = crawl(feeds=[f"{server.url}/feed"], articles=(r"^/(?:day|story)/",))
    assert paths(answer) == ["/story/1"]
    assert server.asked("/story/story/story/2") == 0
    days = sum(path.startswith("/day/") for path, _ in server.requests)
    assert patterns.ENOUGH <= days <= patterns.ENOUGH + 2 * RELOAD_AFTER  # answers of one batch, and in flight
    assert database("SELECT pattern FROM url_patterns WHERE given_up_at IS NOT NULL") == [("127.0.0.1/day/#",)]
    assert database("SELECT count(*) FROM pages WHERE state = 'found' AND url LIKE '%/day/%'") == [(0,)]
    server.feed("/feed", *((f"/day/{number}", "") for number in range(400, 420)))
    crawl(feeds=[f"{server.url}/feed"], articles=(r"^/(?:day|story)/",))
    assert sum(path.startswith("/day/") for path, _ in server.requests) == days
