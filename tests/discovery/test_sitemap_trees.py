"""Sitemap indexes: which sitemaps are requested, in which order, and that reading ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.discovery import reading as limits
from newscrawl.discovery.reading import CUT, Budget, ChildSitemap, SourceUsage
from newscrawl.discovery.sitemaps.child_choice import choose_children, is_older, period_end
from newscrawl.discovery.sitemaps.read_sitemap import CUT_XML, read_sitemap
from newscrawl.model import Discovery

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
URL = "https://news.example/sitemap.xml"


def names(children: list[ChildSitemap]) -> list[str]:
    return [child.url.removeprefix("https://news.example/") for child in children]


def child(name: str, lastmod: datetime | None = None) -> ChildSitemap:
    return ChildSitemap(f"https://news.example/{name}", lastmod)


def test_a_page_is_older_if_both_dates_are_known() -> None:
    earlier = NOW - timedelta(days=1)
    assert is_older(earlier, NOW)
    assert not any((is_older(NOW, NOW), is_older(None, NOW), is_older(earlier, None), is_older(None, None)))


def test_only_children_changed_since_the_watermark_are_asked_for_the_newest_first() -> None:
    children = [
        child("a.xml", NOW - timedelta(days=9)),
        child("b.xml", NOW - timedelta(hours=9)),
        child("c.xml", NOW - timedelta(hours=1)),
        child("d.xml"),
    ]
    assert names(choose_children(children, NOW, since=NOW - timedelta(days=1))) == ["c.xml", "b.xml", "d.xml"]


def test_a_childs_name_tells_its_period_where_the_index_gives_no_date() -> None:
    children = [child("2025-11.xml"), child("2026-03.xml"), child("map/2026/03/01.xml"), child("map?date=2019-05-05")]
    chosen = choose_children(children, NOW, since=NOW - timedelta(days=2))
    assert sorted(names(chosen)) == ["2026-03.xml", "map/2026/03/01.xml"]


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("sitemap-2026-02.xml", (2026, 3, 2)),
        ("sitemap/2026/02/27.xml", (2026, 3, 1)),
        ("sitemap_2025.xml.gz", (2026, 1, 2)),
        ("sitemap_20260227.xml", (2026, 3, 1)),
        ("sitemap.xml?yyyy=2025&mm=12&dd=31", (2026, 1, 2)),
    ],
)
def test_a_period_ends_a_day_late_for_the_sake_of_time_zones(name: str, day: tuple[int, int, int]) -> None:
    assert period_end(f"https://news.example/{name}") == datetime(*day, tzinfo=UTC)


@pytest.mark.parametrize("name", ["post-sitemap12.xml", "sitemap.xml", "sitemap-12345678.xml", "s/2026-31-99.xml"])
def test_a_name_without_a_day_month_or_year_has_no_period(name: str) -> None:
    found = period_end(f"https://news.example/{name}")
    assert found is None or found.year == 2027


def test_lists_of_tags_and_authors_are_left_out_and_words_that_only_begin_alike_are_not() -> None:
    children = ["post_tag-sitemap.xml", "author-sitemap.xml", "category-sitemap.xml", "tagesthemen-sitemap.xml",
                "stage.xml", "vintage-tags.xml", "page-sitemap.xml", "post-sitemap2.xml"]  # fmt: skip
    chosen = names(choose_children([child(name) for name in children], NOW))
    assert sorted(chosen) == ["post-sitemap2.xml", "stage.xml", "tagesthemen-sitemap.xml"]


def test_a_news_entry_keeps_language_keywords_and_the_date_of_change() -> None:
    body = (
        '<urlset xmlns:news="n"><url><loc>/a</loc><lastmod>2026-03-02T11:00:00Z</lastmod><news:news><news:publication>'
        "<news:name>News</news:name><news:language>ES</news:language></news:publication><news:title>A</news:title>"
        "<news:publication_date>2026-03-02T10:00:00Z</news:publication_date>"
        "<news:keywords>bridge,  river ,, bridge</news:keywords></news:news></url></urlset>"
    )
    (found,) = read_sitemap(body.encode(), URL).candidates
    assert found.discovery == Discovery(
        "sitemap", URL, "A", NOW - timedelta(hours=2), NOW - timedelta(hours=1), "es", ("bridge", "river")
    )


def test_the_address_of_a_picture_is_not_the_pages() -> None:
    body = (
        '<urlset xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><image:loc>/a.jpg</image:loc>'
        "<loc>/a</loc></url></urlset>"
    )
    assert [c.url for c in read_sitemap(body.encode(), URL).candidates] == ["https://news.example/a"]


def test_an_encoding_wrongly_declared_loses_no_entry() -> None:
    body = '<?xml version="1.0" encoding="UTF-8"?><urlset><url><loc>/año</loc></url><url><loc>/b</loc></url></urlset>'
    found = read_sitemap(body.encode("latin-1"), URL)
    assert [c.url for c in found.candidates] == ["https://news.example/a%C3%B1o", "https://news.example/b"]


def test_names_of_html_entities_lose_no_entry() -> None:
    body = "<urlset><url><loc>/a</loc><x>Espa&ntilde;a &nbsp;</x></url><url><loc>/b?x=1&y=2</loc></url></urlset>"
    found = read_sitemap(body.encode(), URL)
    assert [c.url for c in found.candidates] == ["https://news.example/a", "https://news.example/b?x=1&y=2"]
    assert found.problems in ((), (CUT_XML,))


def test_an_index_that_always_names_a_new_one_ends_at_the_budget() -> None:
    budget, usage = Budget(depth=3, documents=20), SourceUsage()
    waiting, asked = [("n0", 0)], 0
    while waiting:
        key, depth = waiting.pop()
        usage, allowed = usage.with_request(key, depth, budget)
        if allowed:
            asked += 1
            usage = usage.with_answer(key, 1_000, 0)
            waiting += [(f"{key}/{n}", depth + 1) for n in range(10)]
    assert asked == 20
    assert usage.flags >= {limits.DOCUMENTS}


def test_each_limit_is_named_when_it_is_met() -> None:
    budget = Budget(depth=1, documents=9, bytes=100, entries=10)
    assert SourceUsage().with_request("a", 2, budget)[0].flags == {limits.DEPTH}
    assert SourceUsage(bytes=100).with_request("a", 0, budget)[0].flags == {limits.BYTES}
    assert SourceUsage(entries=10).with_request("a", 0, budget)[0].flags == {limits.ENTRIES}
    assert SourceUsage(seen=frozenset({"a"})).with_request("a", 0, budget) == (
        SourceUsage(seen=frozenset({"a"}), flags=frozenset({limits.SEEN})),
        False,
    )
    assert SourceUsage(documents=1, bytes=60, entries=3).left(budget) == Budget(1, 8, 40, 7)


def test_a_document_reached_through_a_redirect_is_not_asked_for_again() -> None:
    usage, _ = SourceUsage().with_request("a", 0, Budget())
    assert not usage.with_answer("b", 10, 0).with_request("b", 0, Budget())[1]


def test_a_million_elements_that_are_no_entries_give_nothing() -> None:
    found = read_sitemap(b"<urlset>" + b"<x><loc>/a</loc></x>" * 100_000 + b"</urlset>", URL)
    assert found.candidates == ()
    assert CUT not in found.problems
