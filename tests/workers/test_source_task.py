"""The result of a worker for an answer of a source: filtered, ordered and limited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.reading import Budget
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import url_key
from newscrawl.workers.source_task import (
    MAX_CANDIDATES,
    MAX_CHILDREN,
    Named,
    SourceRead,
    SourceTask,
    WantedLinks,
    filter_for,
    pickle_candidates,
    read_source,
)

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
DOMAINS = ("example.com",)
SITEMAP = b'<?xml version="1.0"?><urlset><url><loc>https://example.com/a</loc></url></urlset>'
TASK = SourceTask("https://example.com/f", "feed", {}, SITEMAP, ArticleRule.of([""]), DOMAINS, DOMAINS, Budget(), NOW)


def read(**given: object) -> SourceRead:
    found = read_source(replace(TASK, **given))  # type: ignore[arg-type]
    assert isinstance(found, SourceRead), found
    return found


def urls(found: SourceRead) -> list[str]:
    return [candidate.url for candidate in found.candidates]


def test_a_sitemap_declared_as_a_feed_is_read_all_the_same() -> None:
    assert urls(read()) == ["https://example.com/a"]


def test_what_travels_back_is_chosen_and_the_freshest_first() -> None:
    def entry(number: int) -> str:
        day = (NOW - timedelta(hours=number)).isoformat()
        return f"<url><loc>https://example.com/{number}</loc><lastmod>{day}</lastmod></url>"

    rows = "".join(map(entry, reversed(range(MAX_CANDIDATES + 9)))) + "<url><loc>https://other.example/x</loc></url>"
    found = read(kind="sitemap", body=f"<urlset>{rows}</urlset>".encode())
    assert urls(found) == [f"https://example.com/{number}" for number in range(MAX_CANDIDATES)]
    assert (found.over_limit, found.offsite, found.entries) == (9, 1, MAX_CANDIDATES + 10)


def test_of_the_sitemaps_of_an_index_come_a_bounded_number_of_its_own_domains() -> None:
    hosts = ["other.example", *["example.com"] * (MAX_CHILDREN + 9)]
    rows = "".join(f"<sitemap><loc>https://{host}/{n}.xml</loc></sitemap>" for n, host in enumerate(hosts))
    found = read(kind="sitemap", body=f"<sitemapindex>{rows}</sitemapindex>".encode())
    assert found.is_index
    assert len(found.children) == MAX_CHILDREN
    assert all(child.url.startswith("https://example.com/") for _, child in found.children)


def test_candidates_travel_up_to_a_number_of_bytes() -> None:
    many = [Candidate(f"https://example.com/{n}", Discovery("feed", "f", title=f"{n:0300}")) for n in range(2_000)]
    pickled = pickle_candidates(many, most=300_000)
    kept = list(pickled)
    assert 0 < len(kept) == len(pickled) < len(many)
    assert kept == many[: len(kept)]


def test_a_front_page_says_what_it_announces_and_links() -> None:
    story = "/2026/09/the-council-votes-for-the-new-bridge"
    page = f"<head><link rel=alternate type=application/rss+xml href=/rss></head><h2><a href={story}>Votes</a></h2>"
    found = read(kind="start", url="https://example.com/", body=page.encode())
    assert [source.url for source in found.found] == ["https://example.com/rss"]
    assert urls(found) == [f"https://example.com{story}"]
    assert not found.is_article


def test_a_section_that_forbids_following_its_links_is_unusable() -> None:
    body = b"<h2><a href='/2026/09/the-council-votes-for-it'>The council votes for it</a></h2>"
    assert urls(read(kind="section", body=body))
    refused = read(kind="section", body=body, headers={"x-robots-tag": "nofollow"})
    assert (urls(refused), bool(refused.unusable)) == ([], True)


def test_without_a_declared_rule_a_feed_and_a_news_sitemap_are_believed() -> None:
    accepts = filter_for(ArticleRule())
    short = "https://example.com/7"
    assert accepts(Candidate(short, Discovery("feed", "f")))
    assert accepts(Candidate(short, Discovery("sitemap", "s", title="A title")))
    assert not accepts(Candidate(short, Discovery("sitemap", "s")))
    assert not accepts(Candidate(short, Discovery("section", "s", title="A link")))
    assert not accepts(Candidate("https://example.com/7.pdf", Discovery("feed", "f")))


def test_a_declared_rule_holds_for_every_source() -> None:
    accepts = filter_for(ArticleRule.of([r"^/story/\d+$"]))
    assert accepts(Candidate("https://example.com/story/7", Discovery("section", "s")))
    assert not accepts(Candidate("https://example.com/a-long-slug-of-many-words", Discovery("feed", "f")))


def cards(*paths: str) -> bytes:
    links = "".join(f"<h3><a href='{path}'>A headline of at least five words</a></h3>" for path in paths)
    return f"<html lang=de><body><main>{links}</main></body></html>".encode()


def test_of_an_archive_the_recent_entries_and_those_of_the_front_page_are_taken() -> None:
    dates = {"/new": NOW, "/old": NOW - timedelta(days=90), "/linked": NOW - timedelta(days=91)}
    entries = "".join(
        f"<url><loc>https://example.com{path}</loc><lastmod>{when.isoformat()}</lastmod></url>"
        for path, when in dates.items()
    )
    body = f"<urlset>{entries}</urlset>".encode()
    wanted = WantedLinks(recent=frozenset({url_key("https://example.com/linked")}))
    assert urls(read(kind="sitemap", body=body, wanted=wanted)) == [
        "https://example.com/new",
        "https://example.com/linked",
    ]


def test_what_pages_and_sitemaps_show_together_is_compared_without_a_body() -> None:
    german = [f"/de/eine-bruecke-fiel-in-den-fluss-{n}" for n in range(9)]
    front = replace(TASK, url="https://example.com/", kind="start", rule=ArticleRule())
    seen = read_source(replace(front, body=cards(*german)))
    dates = "".join(
        f"<url><loc>https://example.com{path}</loc><lastmod>{(NOW - timedelta(hours=n)).isoformat()}</lastmod></url>"
        for n, path in enumerate(german)
    )
    dated = read(kind="sitemap", body=f"<urlset>{dates}</urlset>".encode(), wanted=WantedLinks(shown=True))
    assert isinstance(seen, SourceRead)
    assert len(seen.shown) == len(dated.shown) == 9
    assert len(seen.shown_keys) == 9
    assert urls(dated) == []
    named = pickle_candidates([Candidate("https://example.com/en/1", Discovery("feed", "/f", None, NOW))]).pieces
    shown = (*seen.shown.pieces, *dated.shown.pieces)
    against = Named(named, frozenset(dated.shown_keys[:2]), frozenset({"en"}), shown)
    compared = read_source(replace(front, body=b"", wanted=WantedLinks(against=against)))
    assert isinstance(compared, SourceRead)
    assert compared.gap is not None
    assert [one.url for one in compared.gap.missing] == [f"https://example.com{path}" for path in german[2:]]
    assert compared.gap.is_uncovered
    assert urls(compared) == [one.url for one in compared.gap.missing]
    rule = ArticleRule.of([r"-[34]$"])
    ruled = read_source(replace(front, rule=rule, body=b"", wanted=WantedLinks(against=against)))
    assert isinstance(ruled, SourceRead)
    assert urls(ruled) == [f"https://example.com{path}" for path in german[3:5]], "of these, those that the rule takes"
