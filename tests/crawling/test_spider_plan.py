"""The decisions of a crawl before its requests: which sources, in which order, how many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from scrapy.http import Response

from newscrawl.crawling.spider import crawl_plan, responses
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.crawling.spider.sources import site_reader
from newscrawl.discovery.reading import DEPTH, DOCUMENTS, ENTRIES, SEEN, Budget, ChildSitemap
from newscrawl.model import TOO_COSTLY
from newscrawl.model.identity import url_key
from newscrawl.storage.records import SourceRow

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
SITE = Site.declared("x", domains=["example.com"])
ROW = SourceRow("x", "https://example.com/feed", "feed", None, None, None, None, None, NOW, 200, 0, None, 1, 1, 1, 0)


def feed(name: str) -> Source:
    return Source(f"https://example.com/{name}", "feed")


def test_sources_are_taken_once_and_up_to_a_number() -> None:
    accounts = crawl_plan.Accounts(most=2)
    assert [accounts.take(feed(name)) for name in "aabc"] == [
        (is_taken, frozenset()) for is_taken in (True, False, True, False)
    ]


def to_read(children: Iterable[ChildSitemap], stored: Iterable[SourceRow]) -> tuple[list[Source], int, bool]:
    keyed = [(url_key(child.url), child) for child in children]
    rows = {url_key(row.url): row for row in stored}
    return crawl_plan.children_to_read(Source("https://example.com/s.xml", "sitemap"), keyed, rows, NOW)


def test_children_of_an_index_unchanged_since_they_were_read_are_left_out() -> None:
    def child(name: str, lastmod: datetime | None) -> ChildSitemap:
        return ChildSitemap(f"https://example.com/{name}.xml", lastmod)

    children = [
        child("read", NOW - timedelta(days=2)),
        child("changed", NOW - timedelta(hours=1)),
        child("failed", NOW - timedelta(days=2)),
        child("undated", None),
        child("resting", None),
    ]
    read_at = NOW - timedelta(days=1)
    stored = [
        replace(
            ROW, url=entry.url, kind="sitemap", last_fetched=read_at, last_status=500 if "failed" in entry.url else 200
        )
        for entry in children
    ]
    assert not to_read(children, stored)[2]
    stored[-1] = replace(stored[-1], failure_kind=TOO_COSTLY, not_before=NOW + timedelta(hours=1))
    chosen, _, in_backoff = to_read(children, stored)
    assert in_backoff
    assert [source.url.rpartition("/")[2] for source in chosen] == ["changed.xml", "failed.xml", "undated.xml"]
    assert {source.depth for source in chosen} == {1}


def test_no_more_children_are_taken_of_an_index_than_a_crawl_could_read() -> None:
    children = [ChildSitemap(f"https://example.com/{number}.xml") for number in range(crawl_plan.MAX_CHILDREN + 7)]
    chosen, left_out, _ = to_read(children, [])
    assert [source.url for source in chosen] == [child.url for child in children[: crawl_plan.MAX_CHILDREN]]
    assert left_out == 7


@pytest.mark.parametrize("harm", ["none", "over the budget", "a child rests"])
def test_a_source_is_well_when_all_that_it_leads_to_was_read_within_the_budget(harm: str) -> None:
    accounts = crawl_plan.Accounts(Budget(seconds=10.0))
    top = Source("https://example.com/s.xml", "sitemap")
    child = Source("https://example.com/1.xml", "sitemap", depth=1, parent=top.url)
    for source in (top, child):
        accounts.take(source)
    accounts.note_answer(top, top.url, 100, 1)
    assert not accounts.end(top, good=True), "its child is still to be read"
    if harm == "over the budget":
        accounts.note_cpu_time(child, 10.0)
    elif harm == "a child rests":
        accounts.note_harm(child)
    assert accounts.end(child, good=True) is (harm == "none")


def test_a_crawl_in_which_nothing_was_read_says_nothing_of_a_source() -> None:
    accounts = crawl_plan.Accounts()
    accounts.take(feed("a"))
    assert not accounts.end(feed("a"), good=True)


def test_what_an_index_leads_to_is_on_its_account_and_other_sources_have_their_own() -> None:
    accounts = crawl_plan.Accounts(Budget(depth=2, documents=3, entries=10))
    top, other = Source("https://example.com/s.xml", "sitemap"), Source("https://example.com/t.xml", "sitemap")
    below = [Source(f"https://example.com/{n}.xml", "sitemap", depth=n, parent=top.url) for n in range(1, 4)]
    more = [Source(f"https://example.com/{n}.xml", "sitemap", 1, parent=top.url) for n in ("x", "moved")]
    assert [accounts.take(source)[0] for source in (top, below[0])] == [True, True]
    assert accounts.take(below[2]) == (False, {DEPTH})
    accounts.note_answer(below[0], more[1].url, 100, 4)
    assert accounts.left(below[1]) == Budget(depth=2, documents=1, bytes=Budget().bytes - 100, entries=6)
    assert accounts.take(below[1]) == (True, frozenset())
    assert accounts.take(more[0]) == (False, {DOCUMENTS})
    assert accounts.take(more[1]) == (False, {SEEN})
    assert accounts.take(other) == (True, frozenset())
    accounts.note_answer(other, other.url, 100, 10)
    assert accounts.take(Source("https://example.com/y.xml", "sitemap", 1, parent=other.url)) == (False, {ENTRIES})


def test_a_source_may_move_within_its_own_domain_only() -> None:
    source = Source("https://feeds.cdn.example/x", "feed")
    assert site_reader.moved_away(Response("https://www.example.com/feed"), SITE, source) is None
    assert site_reader.moved_away(Response("https://other.cdn.example/x"), SITE, source) is None
    refused = site_reader.moved_away(Response("https://evil.example/x"), SITE, source)
    assert refused is not None
    assert refused.code == "redirect/offsite"


def test_repeated_headers_are_joined_and_names_are_lower_case() -> None:
    response = Response("https://example.com/", headers={"X-A": ["1", "2"], "ETag": b'"\xff"'})
    assert responses.lower_headers(response) == {"x-a": "1, 2", "etag": '"\ufffd"'}
    assert responses.header(response, "Last-Modified") is None
