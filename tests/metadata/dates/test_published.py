"""Which stated date is used, and which is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from newscrawl.model import Metadata

Read = Callable[..., Metadata]

ISO = "2024-05-17T12:30:00Z"
FETCHED_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)

PLACES: list[tuple[str, dict[str, Any], str]] = [
    ("JSON-LD", {"ld": {"@type": "NewsArticle", "datePublished": ISO}}, "json-ld:datePublished"),
    ("JSON-LD of the page", {"ld": {"@type": "WebPage", "datePublished": ISO}}, "json-ld:WebPage"),
    ("a live blog", {"ld": {"@type": ["LiveBlogPosting"], "datePublished": ISO}}, "json-ld:datePublished"),
    ("an array for a value", {"ld": {"@type": "Article", "datePublished": [ISO]}}, "json-ld:datePublished"),
    (
        "an article inside a page",
        {"ld": {"@type": "WebPage", "mainEntity": {"@type": "Article", "datePublished": ISO}}},
        "json-ld:datePublished",
    ),
    ("OpenGraph", {"head": f'<meta property="article:published_time" content="{ISO}">'}, "meta:article:published_time"),
    ("Dublin Core", {"head": f'<meta name="DC.date.issued" content="{ISO}">'}, "meta:dc.date.issued"),
    (
        "microdata",
        {
            "body": '<div itemscope itemtype="https://schema.org/NewsArticle">'
            f'<span itemprop="datePublished" content="{ISO}">x</span></div>'
        },
        "microdata:datePublished",
    ),
    ("a time element", {"body": f'<time pubdate datetime="{ISO}">x</time>'}, "time:published"),
    ("any time element", {"body": f'<time datetime="{ISO}">x</time>'}, "time"),
    ("a line under the headline", {"body": "<h1>Headline</h1><p>17 May 2024 12:30 GMT</p>"}, "headline"),
    ("a class", {"body": '<div class="article-date">17 May 2024 12:30 UTC</div>'}, "class"),
    ("an attribute", {"body": f'<div class="article-date" datetime="{ISO}">yesterday</div>'}, "class"),
]


@pytest.mark.parametrize(("page", "source"), [p[1:] for p in PLACES], ids=[p[0] for p in PLACES])
def test_the_date_is_found_where_sites_put_it(read: Read, page: dict[str, Any], source: str) -> None:
    published = read(**page).published
    assert published is not None
    assert published.source == source
    assert published.when == datetime(2024, 5, 17, 12, 30, tzinfo=UTC)
    assert published.zone_stated
    assert published.offset == 0


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/2024/05/17/story",
        "https://example.com/news/2024-05-17-story",
        "https://example.com/20240517/story",
        "https://example.com/a/2024/may/17/story",
    ],
)
def test_the_address_is_the_last_resort(read: Read, url: str) -> None:
    published = read(url=url).published
    assert published is not None
    assert (published.when.date().isoformat(), published.precision, published.zone_stated) == (
        "2024-05-17",
        "day",
        False,
    )
    assert published.source == "url"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("1970-01-01T00:00:00Z", "before 1995-01-01"),
        ("1994-12-31T23:59:59Z", "before 1995-01-01"),
        ("0001-01-01T00:00:00+23:59", "before 1995-01-01"),
        ("2099-01-01", "more than 24 hours after the download"),
        ("9999-12-31T23:59:59-23:59", "more than 24 hours after the download"),
        ("2026-11-22T12:00:01Z", "more than 24 hours after the download"),
    ],
)
def test_a_date_out_of_range_is_refused_with_the_reason(read: Read, raw: str, reason: str) -> None:
    page = read(ld={"@type": "NewsArticle", "datePublished": raw})
    assert page.published is None
    assert [(r.raw, r.source, r.reason) for r in page.refused_dates] == [(raw, "json-ld:datePublished", reason)]


@pytest.mark.parametrize("raw", ["1995-01-01T00:00:00Z", "2026-11-22T12:00:00Z", "2026-11-21T12:00:00Z"])
def test_the_bounds_themselves_are_believed(read: Read, raw: str) -> None:
    assert read(ld={"@type": "NewsArticle", "datePublished": raw}).published is not None


TEXT = "<p>The ferry to the islands leaves from the new pier, and the port expects many more guests this year.</p>" * 12
MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "Ports", "Fishing", "Weather", "Sport"))

FRESH = [
    "<h1>Headline</h1><div class=date>2026-11-21 12:00</div>{}",
    "<h1>Headline</h1><p>Saturday, 21 November 2026</p>{}",
    "<h1>Headline</h1><p class=lead>{}</p><div class=date>21 November 2026, 11:59 UTC</div>{{}}".format("Word " * 30),
    "<h1>Headline</h1><span>21.11.2026 12:00</span>{}",
    "<h1>Headline</h1><ul><li>Ada Example</li><li>21.11.2026, 12:00 Uhr</li></ul>{}",
    "<h1>Headline</h1><dl><dt>Publié le 21 novembre 2026 à 12h00</dt></dl>{}",
    "<h1>Headline</h1><time datetime=2026-11-21T12:00:00Z>just now</time>{}",
    "<h1>Headline</h1><time class=published datetime=2026-11-21T12:00:00Z>just now</time>{}",
    "<h1>Headline</h1><table><tr><td>21 de noviembre de 2026 12:00</td></tr></table>{}",
    "<h1>Headline</h1><p>Опубликовано 21 ноября 2026, 12:00</p>{}",
    "<h1>Headline</h1><p>2026年11月21日 12:00</p>{}",
    "<h1>Headline</h1><p>Updated 21 November 2026 12:00 UTC</p>{}",
    "<h1>Headline</h1><p>LYON, 21 November 2026 (AP) - The ferry is late, and nobody on the pier knows why.</p>{}",
    "<article><div>21 November 2026, 12:00 UTC</div><h1>Headline</h1>{}</article>",
    "<article><header><p>21 November 2026, 12:00 UTC</p><h1>Headline</h1></header>{}</article>",
    "<article><header><p>21 November 2026, 12:00 UTC</p></header><h1>Headline</h1>{}</article>",
    "<article><div class=head><p>Ports</p><h1>Headline</h1></div><div class=meta>21.11.2026 12:00</div>{}</article>",
    "<article><h1>Headline</h1>{}<p class=byline>By Ada Example, 21 November 2026 12:00 UTC</p></article>",
    "<div id=page><div class=info><time datetime=2026-11-21T12:00:00Z></time></div><h1>Headline</h1>{}</div>",
    "<header><p>21.11.2026 12:01</p></header><article><h1>Headline</h1><p>21.11.2026 12:00</p>{}</article>",
    "<article>21 November 2026, 12:00 UTC<h1>Headline</h1>{}</article>",
]


@pytest.mark.parametrize("body", FRESH)
def test_a_date_beside_the_headline_or_byline_is_believed_however_fresh(read: Read, body: str) -> None:
    published = read("<title>Headline</title>", body.format(TEXT)).published
    assert published is not None
    assert published.when.date() == datetime(2026, 11, 21, tzinfo=UTC).date()
    assert published.precision == "day" or abs(published.when - FETCHED_AT) <= timedelta(minutes=1)
    assert published.when <= FETCHED_AT


CLOCKS = [
    '<time datetime="2026-11-21T12:00:03Z">now</time>',
    '<time datetime="2026-11-21T11:59:01Z">now</time>',
    '<time class="published" datetime="2026-11-21T12:00:00Z">now</time>',
    '<div class="header-date">Saturday, 21 November 2026</div>',
    '<div class="date">21.11.2026 12:00 UTC</div>',
    f"<header><div class=date>21.11.2026 12:00 UTC</div><a href=/>The Coast</a></header><h1>Headline</h1>{TEXT}",
    f"<header><span>Saturday, 21 November 2026</span></header><main><h1>Headline</h1>{TEXT}</main>",
    f"<span>21.11.2026 12:00</span>{MENU}<h1>Headline</h1>{TEXT}",
    f"<div class=top-bar>21 November 2026, 12:00 UTC</div><h1>Headline</h1>{TEXT}",
    f"<div id=page><div><p>21 November 2026, 12:00 UTC</p></div><div><h1>Headline</h1>{TEXT}</div></div>",
    f"<nav><time datetime=2026-11-21T12:00:00Z>12:00</time></nav><article><h1>Headline</h1>{TEXT}</article>",
    f"<article><h1>Headline</h1>{TEXT}</article><aside><p>21 November 2026, 12:00 UTC</p></aside>",
    f"<article><h1>Headline</h1><aside><p>21 November 2026, 12:00 UTC</p></aside>{TEXT}</article>",
    f"<main><h1>Headline</h1>{TEXT}</main><div class=side><time datetime=2026-11-21T12:00:00Z>12:00</time></div>",
    f"<article><h1>Headline</h1>{TEXT}</article><footer>21 November 2026, 12:00 UTC</footer>",
    f"<h1>Headline</h1>{TEXT}<div>21 November 2026, 12:00 UTC</div>",
    f"<div class=ticker><time datetime=2026-11-21T12:00:00Z>12:00</time> Ferry late</div><h1>Headline</h1>{TEXT}",
]


@pytest.mark.parametrize("body", CLOCKS)
def test_a_clock_on_the_page_is_never_taken_for_the_date(read: Read, body: str) -> None:
    page = read("", body)
    assert page.published is None
    assert all("download" in r.reason for r in page.refused_dates)
    assert page.refused_dates


OTHER = {"datePublished": "2020-01-01", "author": {"@type": "Person", "name": "Max Other"}}
BRIDGE = "<h1>The bridge is open</h1><p>By Ada Example</p><p>May 17, 2024</p>"
ADDRESS = "https://www.example.com/2024/05/17/story"
CHOSEN: list[tuple[dict[str, Any], str | None]] = [
    ({"head": '<meta name="date" content="2026-11-21T12:00:01+00:00">'}, None),  # the server's clock
    (
        {"head": '<meta name="date" content="2024-05-17">', "ld": {"@type": "Article", "datePublished": "1970-01-01"}},
        "2024-05-17 00:00 meta:date",
    ),
    (
        {"ld": {"@type": "NewsArticle", "datePublished": "2024-05-17T12:30:00"}},
        "2024-05-17 12:30 json-ld:datePublished",
    ),
    ({"body": BRIDGE, "ld": {**OTHER, "@type": "VideoObject", "name": "A film"}}, "2024-05-17 00:00 headline"),
    (
        {"body": BRIDGE, "ld": {**OTHER, "@type": "NewsArticle", "headline": "Sunny until May", "url": "/weather"}},
        "2024-05-17 00:00 headline",
    ),
    (
        {"body": BRIDGE, "ld": {"@type": "Event", "name": "Market hall open day", "startDate": "2025-06-01"}},
        "2024-05-17 00:00 headline",
    ),
    (
        {
            "body": "<h1>The bridge is open</h1>",
            "ld": {"@type": "NewsArticle", "headline": "New bridge open now", "url": "/amp/b", "datePublished": ISO},
        },
        "2024-05-17 12:30 json-ld:datePublished",
    ),
    (
        {
            "body": "<h1>Ours</h1>",
            "ld": [
                {**OTHER, "@type": "NewsArticle", "headline": "Theirs", "url": "https://www.example.com/other"},
                {"@type": "NewsArticle", "headline": "Ours", "url": "/story", "datePublished": ISO},
            ],
        },
        "2024-05-17 12:30 json-ld:datePublished",
    ),
    (
        {"body": '<h1>Headline</h1><time datetime="2024-05-18T05:00:00">x</time>', "url": ADDRESS},
        "2024-05-18 05:00 time",
    ),
    (
        {"body": '<h1>Headline</h1><time datetime="2024-06-18T05:00:00">x</time>', "url": ADDRESS},
        "2024-05-17 00:00 url",
    ),
    (
        {
            "body": '<p>3 March 2021 Older story</p><h1>Headline</h1><span class="entry-date">17 May 2024</span>'
            '<div class="post-date">9 April 2022</div>'
        },
        "2024-05-17 00:00 class",
    ),
    ({"body": "<h1>Headline</h1><p>17.05.24</p>"}, "2024-05-17 00:00 headline"),
    ({"head": "<title>Headline | Globe | 17.05.2024</title>"}, "2024-05-17 00:00 title"),
    ({"url": "https://example.kr/news/A2024051712300005196"}, "2024-05-17 00:00 url:number"),
    ({"body": '<time datetime="05/06/2024">x</time>', "lang": "en-US"}, "2024-05-06 00:00 time"),
    ({"body": '<time datetime="05/06/2024">x</time>', "lang": "en-GB"}, "2024-06-05 00:00 time"),
]


@pytest.mark.parametrize(("page", "expected"), CHOSEN)
def test_of_several_dates_the_article_s_own_is_chosen(read: Read, page: dict[str, Any], expected: str | None) -> None:
    found = read(**page)
    assert (found.published and f"{found.published.when:%Y-%m-%d %H:%M} {found.published.source}") == expected
    assert "Max Other" not in found.authors


def test_modified_is_read_apart(read: Read) -> None:
    page = read(ld={"@type": "NewsArticle", "datePublished": ISO, "dateModified": "2024-05-18T00:00:00Z"})
    assert page.published is not None
    assert page.modified is not None
    assert page.modified.when - page.published.when == timedelta(hours=11, minutes=30)


def test_modified_long_before_published_is_refused(read: Read) -> None:
    page = read(ld={"@type": "NewsArticle", "datePublished": ISO, "dateModified": "2023-05-18T00:00:00Z"})
    assert page.modified is None
    assert page.refused_dates[0].reason == "modified before it was published"


def test_a_page_without_a_date_has_none(read: Read) -> None:
    page = read(body="<p>Nothing happened.</p>")
    assert (page.published, page.modified, page.refused_dates) == (None, None, ())
