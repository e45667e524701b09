"""Dates: which one is believed, by its place, its label and its line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from newscrawl.extraction.metadata.read import read_metadata
from newscrawl.model import Metadata, PublishedDate
from newscrawl.page import Page, parse

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


LATER = "2024-05-20T08:00:00Z"


def day(found: PublishedDate | None) -> tuple[str, str] | None:
    return (found.when.date().isoformat(), found.source) if found else None


H1 = "<h1>The bridge</h1>"
ASIDE = "<aside><time datetime='2023-01-02'>2 January 2023</time> Another story</aside>"
LONG_LINE = "Updated 9:01 AM EST, Mon May 20, 2024 | Published 5:30 PM EST, Fri May 17, 2024"
FIRST, CHANGED = ("2024-05-17", "headline"), ("2024-05-20", "headline:updated")
ONLY = ("2024-05-17", "headline:updated")

SHOWN: list[tuple[str, tuple[str, str] | None, tuple[str, str] | None]] = [
    (
        (
            f"{H1}<p><a>Ada Example</a> <time datetime='2024-05-17T12:30:00+02:00'>an hour ago</time></p><p>Joined</p>"
            "<p>11 May 2017</p>"
        ),
        ("2024-05-17", "time"),
        None,
    ),
    (f"{H1}<p>17 May 2024</p>{ASIDE}", FIRST, None),
    (f"{H1}{ASIDE}<p>17 May 2024</p>", ("2023-01-02", "time"), None),
    (f"{H1}<p>Updated <time datetime='2024-05-20'>20 May 2024</time></p><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<div>Updated on</div><div>20 May 2024</div><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<div>Dernière mise à jour :</div><div>20 May 2024</div><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<div>Zuletzt aktualisiert</div><div>20 May 2024</div><p>17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Zuletzt aktualisiert am 17. Mai 2024</p>", ONLY, ONLY),
    (f'{H1}<abbr class="published-date" title="2024-05-17T12:30:00Z">17 May</abbr>', ("2024-05-17", "class"), None),
    (f"{H1}<p>Stand: 20.05.2024, 17:40 Uhr</p><p>Erstmals publiziert: 17.05.2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Stand: 20.05.2024, 17:40 Uhr</p>", CHANGED, CHANGED),
    (f"{H1}<p><a>Health</a><span>MAY 17, 2024</span><span>Updated: MAY 20, 2024</span></p>", FIRST, CHANGED),
    (f"{H1}<p>{LONG_LINE}</p>", FIRST, CHANGED),
    (f"{H1}<p>By Ada Example on Friday, May 17, 2024 at 5:30 p.m.</p>", FIRST, None),
    (f"{H1}<p>Published 17 May 2024, updated 20 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Updated 20 May 2024 | Published 17 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>17.05.2024 (aktualisiert: 20.05.2024)</p>", FIRST, CHANGED),
    (f"{H1}<p>Mis à jour le 20 mai 2024</p>", CHANGED, CHANGED),
    (f"{H1}<p>更新日 2024年5月20日</p>", CHANGED, CHANGED),
    (f"{H1}<p>Обновлено 20 мая 2024</p>", CHANGED, CHANGED),
    (f"{H1}<p>تحديث 20 مايو 2024</p>", CHANGED, CHANGED),
    (f"{H1}<p>17.05.2024, Stand 20.05.2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Stand by me, 17 May 2024</p>", FIRST, None),
    (f"{H1}<p>17 May 2024Updated: 20 May 2024</p>", FIRST, CHANGED),
    (f"{H1}<p>Foto: Die Brücke am 4. Mai 2019</p>", None, None),
    (f"{H1}<p>© 2024 The Globe</p>", None, None),
    (f"{H1}<p>Registriert: 18.09.2008</p>", None, None),
    (f"{H1}<p>Member since 11 May 2017</p>", None, None),
    (f"{H1}<figure><img src=a.jpg><figcaption>The bridge on 4 May 2019</figcaption></figure>", None, None),
    (f"{H1}<figure><img src=a.jpg><figcaption><div><p>On 4 May 2019</p></div></figcaption></figure>", None, None),
    (f"{H1}<p>The council will meet again on 3 December 2024 to discuss it.</p>", None, None),
]


@pytest.mark.parametrize(("body", "published", "modified"), SHOWN)
def test_the_days_that_readers_see_at_the_headline(
    read: Read, body: str, published: tuple[str, str] | None, modified: tuple[str, str] | None
) -> None:
    page = read(body=body)
    assert (day(page.published), day(page.modified)) == (published, modified)


def test_a_meta_element_and_the_line_at_the_headline_outvote_json_ld(read: Read) -> None:
    head = f'<meta property="article:published_time" content="{LATER}">'
    article = {"@type": "NewsArticle", "datePublished": "2024-05-02T08:00:00Z"}
    line = "<h1>The bridge</h1><p>20 May 2024</p>"
    assert day(read(head, line, ld=article).published) == ("2024-05-20", "meta:article:published_time")
    assert day(read(head, "<h1>The bridge</h1>", ld=article).published) == ("2024-05-02", "json-ld:datePublished")
    changed = article | {"dateModified": LATER}
    assert day(read(head, line, ld=changed).published) == ("2024-05-02", "json-ld:datePublished")


def test_an_earlier_day_right_behind_the_headline_beats_the_day_of_the_last_rewriting(read: Read) -> None:
    article = {"@type": "Article", "datePublished": LATER, "dateModified": LATER}
    body = "<h1>The bridge</h1><p>17 May 2023</p>"
    assert day(read(body=body, ld=article).published) == ("2023-05-17", "headline")


@pytest.mark.parametrize(
    ("body", "changes", "url"),
    [
        ("<h1>The bridge</h1><p>In the flood of 17 May 2023.</p>", {}, None),
        ("<h1>The bridge</h1><p><a href=/old>17 May 2023</a></p>", {}, None),
        ("<h1>The bridge</h1><p>17 May 2023</p>", {"dateModified": "2024-06-20"}, None),
        ("<h1>The bridge</h1><p>17 May 2023</p>", {}, "https://example.com/2024/05/the-bridge"),
        (f"<h1>The bridge</h1>{'<p>So it is.</p>' * 5}<p>17 May 2023</p>", {}, None),
    ],
    ids=["a sentence", "a link", "changed later", "the address agrees", "further down"],
)
def test_otherwise_the_publication_stated_for_machines_stays(
    read: Read, body: str, changes: dict[str, str], url: str | None
) -> None:
    address: dict[str, Any] = {"url": url} if url else {}
    page = read(body=body, ld={"@type": "Article", "datePublished": LATER, **changes}, **address)
    assert day(page.published) == ("2024-05-20", "json-ld:datePublished")


def test_dublin_core_s_date_is_asked_after_the_visible_ones(read: Read) -> None:
    head = '<meta name="dcterms.date" content="2024-04-01"><meta name="date" content="2024-04-01">'
    assert day(read(head, "<h1>The bridge</h1><p>17 May 2024</p>").published) == ("2024-05-17", "headline")
    assert day(read(head, "<h1>The bridge</h1>").published) == ("2024-04-01", "meta:dcterms.date")


@pytest.mark.parametrize(
    ("key", "found"),
    [("w-published-date", True), ("shop:pub_date", True), ("posted_on", True), ("unpublish-date", False), ("x", False)],
)
def test_a_meta_element_may_name_the_publication_in_the_site_s_own_words(read: Read, key: str, found: bool) -> None:
    published = read(f'<meta name="{key}" content="2024-05-17">').published
    assert day(published) == (("2024-05-17", f"meta:{key}") if found else None)


def test_the_day_on_which_an_archive_copied_a_page_is_not_the_page_s(read: Read) -> None:
    archive = "https://web.archive.org/web/20240517101010id_"
    assert read(url=f"{archive}/http://example.com/story").published is None
    assert day(read(url=f"{archive}/http://example.com/2019/03/04/story").published) == ("2019-03-04", "url")


@pytest.mark.parametrize(
    ("lang", "url", "month"),
    [
        ("en", "https://example.com/story", 5),
        ("en-US", "https://example.co.uk/story", 6),
        ("en", "https://example.in/story", 6),
        ("en", "https://example.io/story", 5),
        ("en-GB", "https://example.com/story", 6),
        ("", "https://example.gov/story", 5),
        ("", "https://example.com/story", 5),
        ("de", "https://example.com/story", 6),
    ],
)
def test_figures_are_read_as_language_and_country_write_them(read: Read, lang: str, url: str, month: int) -> None:
    head = "<title>The bridge and the river</title>"
    published = read(head, "<h1>The bridge and the river</h1><p>05/06/2024</p>", lang=lang, url=url).published
    assert published is not None
    assert published.when.month == month


SHORT_TEXT = "<p>The council opened the new bridge, and many people came from the villages to see it.</p>" * 6


@pytest.mark.parametrize(
    "line",
    ["Aktualisiert: 20.05.2024", "This page was last edited on 20 May 2024, at 12:30.", "Last updated: May 20, 2024"],
)
def test_the_change_at_the_end_of_a_page_is_used_if_it_states_no_other_day(read: Read, line: str) -> None:
    body = "<h1>The bridge</h1>" + "<p>It is open to all.</p>" * 20 + f"{SHORT_TEXT}<p>{line}</p>"
    assert day(read(body=body).published) == ("2024-05-20", "text:updated")
    assert read(body=f"{body}<p>Updated: 3 May 2023</p>").published is None
    assert day(read(body=f"{body}<p>Published: 17 May 2024</p>").published) == ("2024-05-17", "text")


NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
PROSE = "<p>The town council met on Monday evening and decided to build the new bridge that many had asked for.</p>"


def published(body: str, url: str = "https://example.org/story") -> tuple[str, str] | None:
    """Day and source; the body's lines stand too far from the headline to be read with it."""
    html = f"<html><body><h1>The bridge</h1>{'<p>So it is.</p>' * 20}{PROSE * 3}{body}</body></html>"
    found = read_metadata(parse(html, url=url), fetched_at=NOW).published
    return (found.when.date().isoformat(), found.source) if found else None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Published on 4 March 2019", "2019-03-04"),
        ("Erschienen am: 01.11.2023", "2023-11-01"),
        (("Dieser Artikel wurde am 14. Dezember 2015 um 14:48 von Hanna geschrieben und steht unter Verkehr und Bauen "
         "bei allen anderen Berichten über Brücken."), "2015-12-14"),
        ("Publicado el 3 de mayo de 2018", "2018-05-03"),
        ("Publié le 7 juin 2017", "2017-06-07"),
        ("Опубликовано 5 мая 2016", "2016-05-05"),
        ("公開日 2020年2月3日", "2020-02-03"),
        ("发布时间：二〇二〇年二月三日", "2020-02-03"),
    ],
)  # fmt: skip
def test_a_line_that_says_when_the_page_was_published_is_believed(line: str, day: str) -> None:
    others = "<p>12 May 2014</p><p>13 May 2014</p>"
    assert published(f"{others}<p>{line}</p>") == (day, "text")


@pytest.mark.parametrize(
    "body",
    [
        "<p>19. Mai 2010</p>",
        "<p>Anna, 19.5.2010, 13:36</p><p>19.5.2010 - 22:40</p>",
        "<p>19 May 2010</p><p>19 May 2010</p><p>2 April 2009</p>",
        "<p>May 19, 2010</p><p>A. Example, The Bridges, Daily Globe, Mar 20, 2005</p>",
        (
            "<p>19.5.2010 - Bei der Sitzung des Stadtrats wurde über die neue Brücke gesprochen, die sich viele seit "
            "langem gewünscht hatten.</p>"
        ),
        (
            "<p>Lyon, 19 mai 2010 (AFP) – Le conseil de la ville a parlé lundi du nouveau pont et de son coût, qui a "
            "doublé depuis un an.</p>"
        ),
        "<p>LONDON, May 19, 2010 - The council spoke about the bridge and its cost, which has doubled in a year.</p>",
    ],
)
def test_the_one_day_that_lines_agree_on_is_believed(body: str) -> None:
    assert published(body) == ("2010-05-19", "text")


@pytest.mark.parametrize(
    "body",
    [
        "<p>19 May 2010</p><p>2 April 2009</p>",
        "<p>Copyright © 19.12.2019 by the paper</p>",
        "<p>Last updated: 19 May 2010</p><p>Zuletzt geändert am 20.5.2010</p>",
        "<p>Registered: 19 May 2010</p>",
        "<p><a href=/old>The bridge of 19 May 2010</a></p>",
        "<p>In the night to 19 May 2010 the river rose by two metres and took the old bridge with it to the sea.</p>",
        "<p>1 November 2026</p>",
        "<p>May 2010</p>",
        "".join(f"<p>{day} May 2010</p>" for day in range(1, 29)) * 2,
        "<p>It met on 19 May 2010 and spoke about the bridge again.</p>",
        "<figure><figcaption>The bridge on 19 May 2010</figcaption></figure>",
    ],
)
def test_lines_that_disagree_or_mean_something_else_are_no_date(body: str) -> None:
    assert published(body) is None


@pytest.mark.parametrize("line", ["Last updated: 19 May 2010", "Zuletzt geändert am 19.5.2010"])
def test_the_only_change_is_the_last_resort_and_its_source_says_so(line: str) -> None:
    assert published(f"<p>{line}</p>") == ("2010-05-19", "text:updated")


@pytest.mark.parametrize("address", ["/news/29-10-2021", "/news/29.10.2021/bridge", "/29_10_2021.html"])
def test_an_address_may_write_its_day_first(address: str) -> None:
    assert published("", f"https://example.org{address}") == ("2021-10-29", "url")


MEETING: Final = "<p>" + "The harbour board met on Monday and spoke about the new quay for the ferries. " * 6 + "</p>"
LABELLED: Final = (
    "<p>Received: 29 July 2022. Accepted: 16 December 2022. Published: 2 January 2023</p>",
    ("<ul><li>Received: 29 July 2022</li><li>Accepted: 16 December 2022</li><li>Published: 02 January 2023</li></ul>"),
    "<p>Published: 2 January 2023; received 29 July 2022; accepted 16 December 2022</p>",
    "<p>Ruling of 1 January 2023, published on 2 January 2023</p>",
    "<dl><dt>Received</dt><dd>29 July 2022</dd><dt>Published</dt><dd>2 January 2023</dd></dl>",
    "<p>Eingegangen am 29. Juli 2022, veröffentlicht am 2. Januar 2023</p>",
    "<p>Urteil vom 1. Januar 2023, veröffentlicht am 2. Januar 2023</p>",
    "<p>Reçu le 29 juillet 2022, accepté le 16 décembre 2022, publié le 2 janvier 2023</p>",
    "<p>Arrêt du 1er janvier 2023, publié le 2 janvier 2023</p>",
    "<p>Recibido: 29 de julio de 2022 / Aceptado: 16 de diciembre de 2022 / Publicado: 2 de enero de 2023</p>",
    "<p>Sentenza del 1 gennaio 2023, pubblicata il 2 gennaio 2023</p>",
    "<p>Wyrok z 1 stycznia 2023, opublikowano 2 stycznia 2023</p>",
    "<p>Поступила 29 июля 2022, опубликована 2 января 2023</p>",
    "<p>收稿日期：2022-07-29　发布日期：2023-01-02</p>",
    "<p>收稿：2022-07-29 发表：2023-01-02</p>",
    "<p>접수 2022-07-29 | 게재 2023-01-02</p>",
    "<p>受付日：2022年7月29日　公開日：2023年1月2日</p>",
    "<p>Event date: 29 July 2022 | Posted: 2 January 2023</p>",
    "<p>Recorded 29 July 2022 · Released 2 January 2023</p>",
    "<ul><li>Eingang: 29.07.2022</li><li>Veröffentlicht: 02.01.2023</li></ul>",
    "<div><span>Received 29 July 2022</span> <span>Published 2 January 2023</span></div>",
    "<p>Accepted 29 July 2022</p><p>Published online: 2 January 2023</p>",
    "<p>Decisão de 1 de janeiro de 2023, publicada em 2 de janeiro de 2023</p>",
    "<p>Uitspraak van 1 januari 2023, gepubliceerd op 2 januari 2023</p>",
    "<p>Karar tarihi: 29 Temmuz 2022, yayın tarihi: 2 Ocak 2023</p>",
)
COMMENTS: Final = (
    (
        '<section class="comments"><div class="comment"><p>Posted May 9, 2026 8:05 UTC by '
        "<b>reader1</b></p><p>I disagree with it all.</p></div></section>"
    ),
    (
        "<details class=CommentBox open><summary>Comments</summary>"
        "<p>Ada, 9 May 2026 at 10:00</p><p>I disagree with it all.</p></details>"
    ),
    (
        '<ol class="comment-list"><li><time datetime="2026-05-09T10:00:00Z">9 May 2026'
        "</time><p>I disagree with it.</p></li></ol>"
    ),
    '<div id="disqus_thread"><p>Published 9 May 2026</p><p>No.</p></div>',
    '<div class="kommentare"><div class="date">09.05.2026, 10:00</div><p>Das sehe ich anders.</p></div>',
    '<div id="commentaires"><span class="date">9 mai 2026</span><p>Non.</p></div>',
    '<div class="lista-comentarios"><p>Publicado el 9 de mayo de 2026</p><p>No.</p></div>',
    '<section class="discussion"><p>reader2 - 9 May 2026</p><p>No.</p></section>',
    '<div class="replies"><div class="reply"><p class="date">2026-05-09 10:00</p><p>No.</p></div></div>',
    '<div class="articleComments"><p>9 May 2026</p><p>No.</p></div>',
    '<div class="kommentarii comments-block"><p>9 мая 2026</p><p>Нет.</p></div>',
    (
        '<div itemprop="comment" itemscope itemtype="https://schema.org/Comment">'
        '<time itemprop="dateCreated" datetime="2026-05-09">9 May</time><p>No.</p></div>'
    ),
    '<div class="UserComment"><time pubdate datetime="2026-05-09">9 May</time><p>No.</p></div>',
    '<div class="yorumlar"><span class="tarih date">9 Mayıs 2026</span><p>Hayır.</p></div>',
)


def _day(metadata: Metadata) -> str | None:
    return metadata.published.when.date().isoformat() if metadata.published else None


@pytest.mark.parametrize("lines", LABELLED)
def test_the_day_behind_the_label_of_a_publication_counts(read: Read, lines: str) -> None:
    assert _day(read(body=f"<article><h1>The quay</h1>{lines}{MEETING * 3}</article>")) == "2023-01-02"


def test_a_day_before_the_publication_is_not_preferred_to_a_meta_element(read: Read) -> None:
    head = '<meta name="dc.date" content="2023-01-02">'
    assert (
        _day(read(head, f"<article><h1>The quay</h1><p>Received: 29 July 2022</p>{MEETING * 3}</article>"))
        == "2023-01-02"
    )


def test_each_time_element_of_a_line_has_its_label(read: Read) -> None:
    line = "Received <time>29 July 2022</time>, published <time>2 January 2023</time>"
    assert _day(read(body=f"<article><h1>The quay</h1><p>{line}</p>{MEETING * 3}</article>")) == "2023-01-02"


@pytest.mark.parametrize("comments", COMMENTS)
def test_the_day_of_a_comment_is_no_date_of_the_page(read: Read, comments: str) -> None:
    assert _day(read(body=f"<main><article><h1>The quay</h1>{MEETING * 3}</article>{comments}</main>")) is None
    dated = f"<main><article><h1>The quay</h1><p>2 January 2023</p>{MEETING * 3}</article>{comments}</main>"
    assert _day(read(body=dated)) == "2023-01-02"


@pytest.mark.parametrize(
    "body",
    [
        '<main class="replies"><article class="comments-open"><h1>The quay</h1><p>2 January 2023</p>{}</article>',
        '<article><h1>The quay</h1><p class="comments-meta">2 January 2023 <a href="#c">3 comments</a></p>{}</article>',
        '<div class="HeaderComment"><h1>The quay</h1></div><p class="HeaderComment_date">2 January 2023</p>{}',
        '<article><h1>The quay</h1><p class="commentary-date">2 January 2023</p>{}</article>',
    ],
)
def test_an_article_in_an_element_with_such_a_name_keeps_its_date(read: Read, body: str) -> None:
    assert _day(read(body=body.format(MEETING * 3))) == "2023-01-02"


def test_time_is_linear_in_comments(doubling: Callable[..., None], fetched_at: datetime) -> None:
    def page(comments: int) -> Page:
        thread = '<div class="comment"><p>Posted 9 May 2026</p><time>9 May 2026</time><p>No.</p></div>' * comments
        return parse(
            f"<article><h1>The quay</h1>{MEETING}</article><section>{thread}</section>", url="https://a.example/b"
        )

    doubling(lambda parsed: read_metadata(parsed, fetched_at=fetched_at), page, 2_000)
