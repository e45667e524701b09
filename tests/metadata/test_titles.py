"""The right headline, without the site's name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.model import Metadata

Read = Callable[..., Metadata]


def stated(headline: str) -> str:
    """An article of JSON-LD with this headline."""
    return f'<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "{headline}"}}</script>'


CUT = [
    ("Council votes on bridge - The Daily Globe", "Council votes on bridge"),
    ("Council votes on bridge — Daily Globe — Daily Globe", "Council votes on bridge"),
    ("Daily Globe | Council votes on bridge", "Council votes on bridge"),
    ("Council votes on bridge - Daily Globe News", "Council votes on bridge"),
    ("Council votes on bridge - dailyglobe.com", "Council votes on bridge"),
    ("Bridge - a council divided", "Bridge - a council divided"),
    ("Well-known bridge", "Well-known bridge"),
]


@pytest.mark.parametrize(("title", "headline"), CUT)
def test_the_sites_name_is_cut_at_either_end(read: Read, title: str, headline: str) -> None:
    head = f'<title>{title}</title><meta property="og:site_name" content="Daily Globe">'
    assert read(head, url="https://www.dailyglobe.com/story").title == headline


@pytest.mark.parametrize(
    ("title", "site", "headline"),
    [
        ("[마르비뉴스] 낡은 보 다리 통행 금지", "마르비뉴스", "낡은 보 다리 통행 금지"),
        ("마르비뉴스 | 낡은 보 다리 통행 금지", "마르비뉴스", "낡은 보 다리 통행 금지"),
        ("마르비뉴스: 낡은 보 다리 통행 금지", "마르비뉴스", "낡은 보 다리 통행 금지"),
        ("<마르비뉴스> 낡은 보 다리 통행 금지", "마르비뉴스", "낡은 보 다리 통행 금지"),
        ("「마르비뉴스」 낡은 보 다리 통행 금지", "마르비뉴스", "낡은 보 다리 통행 금지"),
        ("낡은 보 다리 통행 금지 [마르비뉴스]", "마르비뉴스", "낡은 보 다리 통행 금지"),
        ("【マルビ新聞】古い橋が通行止めに", "マルビ新聞", "古い橋が通行止めに"),
        ("《马比新闻》旧桥禁止货车通行", "马比新闻", "旧桥禁止货车通行"),
        ("马比新闻：旧桥禁止货车通行", "马比新闻", "旧桥禁止货车通行"),
        ("[Marrowby News] Weir bridge closed", "Marrowby News", "Weir bridge closed"),
        ("Weir bridge closed (Marrowby News)", "Marrowby News", "Weir bridge closed"),
        ("Marrowby News >> Weir bridge closed", "Marrowby News", "Weir bridge closed"),
        ("[단독] 낡은 보 다리 통행 금지", "마르비뉴스", "[단독] 낡은 보 다리 통행 금지"),
        ("[마르비 기획] 낡은 보 다리", "마르비뉴스", "[마르비 기획] 낡은 보 다리"),
        ("Weir bridge closed (again)", "Marrowby News", "Weir bridge closed (again)"),
    ],
)
def test_the_sites_name_in_brackets_is_cut_at_either_end(read: Read, title: str, site: str, headline: str) -> None:
    shown = title.replace("<", "&lt;")
    head = f'<title>{shown}</title><meta property="og:site_name" content="{site}">'
    assert read(head).title == headline
    assert read(f'{head}<meta property="og:title" content="{shown}">', f"<h1>{shown}</h1>").title == headline


KICKERS = [
    '<span class="article__kicker">After the flood</span> <span>The bridge opens at last</span>',
    '<div class="head-topline">After the flood</div>The bridge opens at last',
    "<small class=Dachzeile>After the flood:</small> The bridge opens at last",
    '<a href=/x><span class="over-title">After the flood</span></a> The bridge opens at last',
]


@pytest.mark.parametrize("heading", KICKERS)
def test_an_element_for_the_kicker_in_the_heading_is_no_part_of_the_headline(read: Read, heading: str) -> None:
    head = "<title>After the flood: The bridge opens at last | Daily Globe</title>"
    assert read(head=head, body=f"<h1>{heading}</h1>").title == "The bridge opens at last"


PAGES = {
    "the visible heading, whatever machines are told": (
        '<title>Bridge vote: all to know - Globe</title><meta property="og:title" content="Vote on the bridge">',
        "<h1>Council votes on the old bridge</h1>",
        "Council votes on the old bridge",
    ),
    "the heading below that of the section": (
        (
            '<title>Council votes on bridge | Local life | Globe</title><meta property="og:site_name" content="Globe">'
            '<meta property="og:title" content="Council votes on bridge | Local life">'
        ),
        "<h1>Local life</h1><h1>Council votes on bridge</h1>",
        "Council votes on bridge",
    ),
    "no heading that no other title bears out": (
        f"<title>Council votes on bridge</title>{stated('Council votes on bridge')}",
        "<h1>Menu</h1>",
        "Council votes on bridge",
    ),
    "a heading without its kicker": (
        stated("Let the bridge stand for ever"),
        "<h1><span>Opinion</span> Let the bridge stand for ever</h1>",
        "Let the bridge stand for ever",
    ),
    "a heading with a kicker that machines are told as well": (
        '<meta property="og:title" content="After the flood: The bridge opens at last">',
        f"<h1>{KICKERS[2]}</h1>",
        "After the flood: The bridge opens at last",
    ),
    "a heading with its beginning before a colon": (
        '<meta property="og:title" content="Why bridges fail">',
        "<h1>Analysis: Why bridges fail</h1>",
        "Analysis: Why bridges fail",
    ),
    "the only heading where titles for machines differ": (
        '<title>Storm kills three</title><meta property="og:title" content="Live: storm hits coast">',
        "<h1>Villagers dig out after a sleepless night</h1>",
        "Villagers dig out after a sleepless night",
    ),
    "the whole title of one that was cut": (
        (
            '<title>A very long headline about the bridge and the river - Globe</title><meta property="og:site_name" '
            f'content="Globe">{stated("A very long headline about...")}'
        ),
        "",
        "A very long headline about the bridge and the river",
    ),
    "the title in the field of the site's name": (
        (
            '<title>Council votes | Globe</title><meta property="og:site_name" content="Council votes">'
            '<meta property="og:title" content="Council votes">'
        ),
        "",
        "Council votes",
    ),
    "a title without the section behind a bar": (
        "<title>What people love about bridges | River Talk</title>",
        "<h2>What people love about bridges</h2><h1>But what they love is the view</h1>",
        "What people love about bridges",
    ),
    "a heading without the day in it": (
        '<meta property="og:title" content="How the bridge was built">',
        "<h1>How the bridge was built Posted on July 1, 2024 by Ada</h1>",
        "How the bridge was built",
    ),
    "of two first headings the one that machines are told": (
        '<title>News - Globe</title><meta property="og:title" content="How the bridge was built">',
        "<h1>News</h1><h1>How the bridge was built</h1>",
        "How the bridge was built",
    ),
    "letters of a word in several elements": ("", "<h1><span>C</span>ouncil vo<b>t</b>es</h1>", "Council votes"),
    "an ellipsis that the title with the site's name does not continue": (
        "<title>Council votes on the old bridge and then nobody knew… – 7 Days</title>",
        "<h1>Council votes on the old bridge and then nobody knew…</h1>",
        "Council votes on the old bridge and then nobody knew…",
    ),
    "words with which another title begins": (
        f'<meta property="og:title" content="2025 guide to the bridge and its roof">{stated("Guide to the bridge")}',
        "<h1>2025 guide to the bridge</h1>",
        "2025 guide to the bridge",
    ),
    "a beginning that is a part of the site's name": (
        (
            "<title>Hafen kaufen – die Stadt prüft ein Angebot | Hafenkaufen24</title>"
            '<meta property="og:site_name" content="Hafenkaufen24">'
        ),
        "<h1>Hafen kaufen – die Stadt prüft ein Angebot</h1>",
        "Hafen kaufen – die Stadt prüft ein Angebot",
    ),
    "an article at the beginning, which is no kicker": (
        "<title>Old Bridge Is Rebuilt</title>",
        "<h1>The Old Bridge Is Rebuilt</h1>",
        "The Old Bridge Is Rebuilt",
    ),
    "the same in German": (
        "<title>alte Brücke wird gebaut</title>",
        "<h1>Die alte Brücke wird gebaut</h1>",
        "Die alte Brücke wird gebaut",
    ),
    "a colon that divides no blog's name": (
        "<title>Live: How the bridge was built | Globe News</title>",
        "<h1>Live: How the bridge was built</h1><h2>Globe News</h2>",
        "Live: How the bridge was built",
    ),
}


@pytest.mark.parametrize("taken", PAGES)
def test_the_title_is(read: Read, taken: str) -> None:
    head, body, title = PAGES[taken]
    assert read(head, body).title == title


@pytest.mark.parametrize("label", [" | Opinion", " | Editorial", " [Watch]"])
def test_a_label_behind_the_headline_is_cut(read: Read, label: str) -> None:
    assert read("<title>Council votes on bridge</title>", f"<h1>Council votes on bridge{label}</h1>").title == (
        "Council votes on bridge"
    )


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Salt &amp;amp; pepper", "Salt & pepper"),
        ("It&amp;#8217;s done", "It’s done"),
        ("5 &lt; 6 and AT&amp;T &amp;copy 2024", "5 < 6 and AT&T &copy 2024"),
        ("A &lt;em&gt;great&lt;/em&gt; day", "A great day"),
        ("one\n\ttwo\u00a0three", "one two three"),
        ("right\u202eto left\u202c\u200b", "rightto left"),
        ("e\u0301te\u0301", "été"),
        ("نیم\u200cفاصله", "نیم\u200cفاصله"),
    ],
)
def test_titles_are_decoded_and_cleaned(read: Read, written: str, title: str) -> None:
    assert read(f"<title>{written}</title>").title == title


def test_a_page_without_title_has_none(read: Read) -> None:
    assert read().title is None
    assert read("<title> \u200b </title>", "<h1></h1>").title is None


BLOGS = [
    ("<title>The River Notes » Blog Archive » How the bridge was built</title>", "https://example.com/2024/?p=3"),
    ("<title>The River Notes: How the bridge was built</title>", "https://example.com/how-the-bridge-was-built"),
    (
        '<title>It was built | The River Notes</title><meta property="og:title" content="How the bridge was built">',
        "https://example.com/3",
    ),
]


@pytest.mark.parametrize(("head", "url"), BLOGS, ids=["shown lower", "in the address", "told to machines"])
def test_the_blog_s_name_in_the_first_heading_is_not_the_headline(read: Read, head: str, url: str) -> None:
    body = "<h1>The River Notes</h1><h2>How the bridge was built</h2><p>So it was.</p><h2>Comments</h2>"
    assert read(head, body, url=url).title == "How the bridge was built"


@pytest.mark.parametrize(
    "heading",
    ["Council votes<br>on the<br/>old bridge", "<div>Council votes</div><div>on the <b>old</b> bridge</div>"],
)
def test_words_on_separate_lines_of_a_heading_are_separate(read: Read, heading: str) -> None:
    assert read(body=f"<h1>{heading}</h1>").title == "Council votes on the old bridge"


@pytest.mark.parametrize("added", ["-정치ㅣ항구일보", "_항구", " | 항구일보"])
def test_without_headings_the_line_with_which_the_title_begins_is_the_headline(read: Read, added: str) -> None:
    line = "시의회 옛 시장 개보수 계획 통과"
    page = read(
        f'<meta property="og:title" content="{line}{added}">', f"<div>뉴스</div><div>{line}</div><p>시의회는</p>"
    )
    assert page.title == line
