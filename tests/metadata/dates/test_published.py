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


def test_a_date_the_server_generates_in_a_meta_element_is_refused(read: Read) -> None:
    assert read('<meta name="date" content="2026-11-21T12:00:01+00:00">').published is None


def test_after_a_refusal_the_next_source_is_asked(read: Read) -> None:
    page = read('<meta name="date" content="2024-05-17">', ld={"@type": "NewsArticle", "datePublished": "1970-01-01"})
    assert page.published is not None
    assert page.published.source == "meta:date"
    assert len(page.refused_dates) == 1


def test_a_date_without_zone_is_read_as_utc_and_says_so(read: Read) -> None:
    published = read(ld={"@type": "NewsArticle", "datePublished": "2024-05-17T12:30:00"}).published
    assert published is not None
    assert published.when == datetime(2024, 5, 17, 12, 30, tzinfo=UTC)
    assert not published.zone_stated


def test_the_article_of_this_page_is_chosen_among_several(read: Read) -> None:
    page = read(
        body="<h1>Ours</h1>",
        ld=[
            {
                "@type": "NewsArticle",
                "headline": "Theirs",
                "url": "https://www.example.com/other",
                "datePublished": "2020-01-01",
            },
            {"@type": "NewsArticle", "headline": "Ours", "url": "https://www.example.com/story", "datePublished": ISO},
        ],
    )
    assert page.published is not None
    assert page.published.when.year == 2024
    assert page.title == "Ours"


@pytest.mark.parametrize(
    "other",
    [
        {"@type": "VideoObject", "name": "A film of the harbour", "uploadDate": "2020-01-01"},
        {
            "@type": "NewsArticle",
            "headline": "Sunny weather until May",
            "url": "/weather",
            "datePublished": "2020-01-01",
        },
    ],
    ids=["a film", "another article"],
)
def test_an_object_of_another_title_is_not_the_article(read: Read, other: dict[str, Any]) -> None:
    other["author"] = {"@type": "Person", "name": "Max Other"}
    page = read(body="<h1>The bridge is open</h1><p>By Ada Example</p><p>May 17, 2024</p>", ld=other)
    assert page.published is not None
    assert page.published.when.date().isoformat() == "2024-05-17"
    assert page.authors == ("Ada Example",)


def test_an_object_with_a_title_for_search_engines_is_the_article(read: Read) -> None:
    article = {"@type": "NewsArticle", "headline": "New bridge open now", "url": "/amp/bridge", "datePublished": ISO}
    page = read(body="<h1>The bridge is open</h1>", ld=article)
    assert page.published is not None
    assert page.published.source == "json-ld:datePublished"


def test_a_moment_shown_at_the_headline_is_more_exact_than_the_day_in_the_address(read: Read) -> None:
    address = "https://www.example.com/2024/05/17/story"
    beside = read(body='<h1>Headline</h1><time datetime="2024-05-18T05:00:00">x</time>', url=address)
    assert beside.published is not None
    assert beside.published.when == datetime(2024, 5, 18, 5, tzinfo=UTC)
    later = read(body='<h1>Headline</h1><time datetime="2024-06-18T05:00:00">x</time>', url=address)
    assert later.published is not None
    assert later.published.source == "url"


def test_the_class_beside_the_headline_wins_over_dates_of_other_articles(read: Read) -> None:
    page = read(
        body="<p>3 March 2021 Older story</p><h1>Headline</h1>"
        '<span class="entry-date">17 May 2024</span><div class="post-date">9 April 2022</div>'
    )
    assert page.published is not None
    assert page.published.when.date().isoformat() == "2024-05-17"


DAYS: list[tuple[dict[str, Any], str]] = [
    ({"body": "<h1>Headline</h1><p>17.05.24</p>"}, "headline"),
    ({"head": "<title>Headline | Globe | 17.05.2024</title>"}, "title"),
    ({"url": "https://example.kr/news/A2024051712300005196"}, "url:number"),
]


@pytest.mark.parametrize(("page", "source"), DAYS, ids=[d[1] for d in DAYS])
def test_a_day_is_found_where_no_moment_is_stated(read: Read, page: dict[str, Any], source: str) -> None:
    published = read(**page).published
    assert published is not None
    assert (published.source, published.when.date().isoformat()) == (source, "2024-05-17")


def test_modified_is_read_apart(read: Read) -> None:
    page = read(ld={"@type": "NewsArticle", "datePublished": ISO, "dateModified": "2024-05-18T00:00:00Z"})
    assert page.published is not None
    assert page.modified is not None
    assert page.modified.when - page.published.when == timedelta(hours=11, minutes=30)


def test_modified_long_before_published_is_refused(read: Read) -> None:
    page = read(ld={"@type": "NewsArticle", "datePublished": ISO, "dateModified": "2023-05-18T00:00:00Z"})
    assert page.modified is None
    assert page.refused_dates[0].reason == "modified before it was published"


def test_american_figures_follow_the_declared_language(read: Read) -> None:
    body = '<time datetime="05/06/2024">x</time>'
    american, british = read("", body, lang="en-US").published, read("", body, lang="en-GB").published
    assert american is not None
    assert british is not None
    assert (american.when.month, british.when.month) == (5, 6)


def test_a_page_without_a_date_has_none(read: Read) -> None:
    page = read(body="<p>Nothing happened.</p>")
    assert (page.published, page.modified, page.refused_dates) == (None, None, ())


def test_an_event_that_the_article_is_about_is_not_the_article(read: Read) -> None:
    event = {"@type": "Event", "name": "Market hall open day", "startDate": "2025-06-01", "datePublished": "2024-01-01"}
    body = "<h1>Council votes to rebuild the old market hall</h1><p>17 May 2024</p>"
    published = read(body=body, ld=event).published
    assert published is not None
    assert published.when.date().isoformat() == "2024-05-17"
    assert read(body=body, ld=event).title == "Council votes to rebuild the old market hall"
