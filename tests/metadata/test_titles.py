"""The right headline, without the site's name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.metadata.titles import without_site
from newscrawl.model import Metadata

Read = Callable[..., Metadata]

CUT = [
    ("Council votes on bridge - The Daily Globe", "Council votes on bridge"),
    ("Council votes on bridge | Daily Globe", "Council votes on bridge"),
    ("Council votes on bridge — Daily Globe — Daily Globe", "Council votes on bridge"),
    ("Daily Globe: Council votes on bridge", "Daily Globe: Council votes on bridge"),
    ("Daily Globe | Council votes on bridge", "Council votes on bridge"),
    ("Council votes on bridge - Daily Globe News", "Council votes on bridge"),
    ("Council votes on bridge - dailyglobe.com", "Council votes on bridge"),
    ("Bridge - a council divided", "Bridge - a council divided"),
    ("Well-known bridge", "Well-known bridge"),
    ("Daily Globe", "Daily Globe"),
    ("- Daily Globe", "- Daily Globe"),
    ("", ""),
]


@pytest.mark.parametrize(("title", "headline"), CUT)
def test_the_sites_name_is_cut_at_either_end(title: str, headline: str) -> None:
    assert without_site(title, frozenset({"dailyglobe", "dailyglobecom"})) == headline


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


def test_the_visible_heading_wins_over_what_machines_are_told(read: Read) -> None:
    page = read(
        "<title>Bridge vote: all you need to know - Globe</title>"
        '<meta property="og:title" content="Vote on the bridge">',
        "<h1>Council votes on the old bridge</h1>",
    )
    assert page.title == "Council votes on the old bridge"


def test_a_heading_that_names_the_section_is_passed_over(read: Read) -> None:
    page = read(
        "<title>Council votes on bridge | Local life | Globe</title>"
        '<meta property="og:title" content="Council votes on bridge | Local life">'
        '<meta property="og:site_name" content="Globe">',
        "<h1>Local life</h1><h1>Council votes on bridge</h1>",
    )
    assert page.title == "Council votes on bridge"


def test_a_heading_no_other_title_bears_out_is_passed_over(read: Read) -> None:
    page = read(
        "<title>Council votes on bridge</title>",
        "<h1>Menu</h1>",
        ld={"@type": "NewsArticle", "headline": "Council votes on bridge"},
    )
    assert page.title == "Council votes on bridge"


def test_a_kicker_before_the_heading_is_cut(read: Read) -> None:
    page = read(
        "",
        "<h1><span>Opinion</span> Let the bridge stand for ever</h1>",
        ld={"@type": "NewsArticle", "headline": "Let the bridge stand for ever"},
    )
    assert page.title == "Let the bridge stand for ever"


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


def test_a_kicker_that_machines_are_told_as_well_is_the_headline_s_own(read: Read) -> None:
    head = '<meta property="og:title" content="After the flood: The bridge opens at last">'
    title = read(head=head, body=f"<h1>{KICKERS[2]}</h1>").title
    assert title == "After the flood: The bridge opens at last"


def test_a_beginning_with_a_colon_is_the_headlines_own(read: Read) -> None:
    page = read('<meta property="og:title" content="Why bridges fail">', "<h1>Analysis: Why bridges fail</h1>")
    assert page.title == "Analysis: Why bridges fail"


@pytest.mark.parametrize("label", [" | Opinion", " | Editorial", " [Watch]"])
def test_a_label_behind_the_headline_is_cut(read: Read, label: str) -> None:
    assert read("<title>Council votes on bridge</title>", f"<h1>Council votes on bridge{label}</h1>").title == (
        "Council votes on bridge"
    )


def test_the_only_heading_is_the_headline_where_titles_for_machines_differ(read: Read) -> None:
    page = read(
        '<title>Storm kills three</title><meta property="og:title" content="Live: storm hits coast">',
        "<h1>Villagers dig out after a sleepless night</h1>",
    )
    assert page.title == "Villagers dig out after a sleepless night"


def test_a_title_cut_with_an_ellipsis_yields_to_the_whole_one(read: Read) -> None:
    page = read(
        "<title>A very long headline about the bridge and the river - Globe</title>"
        '<meta property="og:site_name" content="Globe">',
        ld={"@type": "NewsArticle", "headline": "A very long headline about..."},
    )
    assert page.title == "A very long headline about the bridge and the river"


def test_the_title_in_the_site_name_field_is_not_cut_away(read: Read) -> None:
    page = read(
        '<title>Council votes | Globe</title><meta property="og:site_name" content="Council votes">'
        '<meta property="og:title" content="Council votes">'
    )
    assert page.title == "Council votes"
    assert page.site_name is None


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


def test_a_headline_with_a_colon_is_no_blog_s_name(read: Read) -> None:
    head = "<title>Live: How the bridge was built | Globe News</title>"
    body = "<h1>Live: How the bridge was built</h1><h2>Globe News</h2>"
    assert read(head, body, url="https://example.com/live").title == "Live: How the bridge was built"


def test_a_section_behind_a_bar_goes_where_the_page_shows_the_title_without_it(read: Read) -> None:
    head = "<title>What people love about bridges | River Talk</title>"
    body = "<h2>What people love about bridges</h2><h1>But what they love is the view</h1>"
    assert read(head, body).title == "What people love about bridges"


def test_a_heading_loses_the_day_that_follows_in_it(read: Read) -> None:
    head = '<meta property="og:title" content="How the bridge was built">'
    body = "<h1>How the bridge was built Posted on July 1, 2024 by Ada</h1>"
    assert read(head, body).title == "How the bridge was built"


def test_of_two_first_headings_the_one_that_is_repeated_for_machines_is_the_headline(read: Read) -> None:
    head = '<title>News - Globe</title><meta property="og:title" content="How the bridge was built">'
    assert read(head, "<h1>News</h1><h1>How the bridge was built</h1>").title == "How the bridge was built"


@pytest.mark.parametrize(
    "heading",
    ["Council votes<br>on the<br/>old bridge", "<div>Council votes</div><div>on the <b>old</b> bridge</div>"],
)
def test_words_on_separate_lines_of_a_heading_are_separate(read: Read, heading: str) -> None:
    assert read(body=f"<h1>{heading}</h1>").title == "Council votes on the old bridge"


def test_elements_on_one_line_do_not_separate_letters(read: Read) -> None:
    assert read(body="<h1><span>C</span>ouncil vo<b>t</b>es</h1>").title == "Council votes"


def test_a_title_that_only_adds_a_site_does_not_continue_after_an_ellipsis(read: Read) -> None:
    title = "Council votes on the old bridge and then nobody knew…"
    assert read(f"<title>{title} – 7 Days</title>", f"<h1>{title}</h1>").title == title


@pytest.mark.parametrize(
    ("heading", "other"),
    [
        ("The Old Bridge Is Rebuilt", "Old Bridge Is Rebuilt"),
        ("Die alte Brücke wird gebaut", "alte Brücke wird gebaut"),
    ],
)
def test_an_article_at_the_beginning_of_a_heading_is_no_kicker(read: Read, heading: str, other: str) -> None:
    assert read(f"<title>{other}</title>", f"<h1>{heading}</h1>").title == heading


def test_words_with_which_another_title_begins_are_no_kicker(read: Read) -> None:
    head = '<meta property="og:title" content="2025 guide to the bridge and its roof">'
    page = read(head, "<h1>2025 guide to the bridge</h1>", ld={"@type": "Article", "headline": "Guide to the bridge"})
    assert page.title == "2025 guide to the bridge"


def test_the_beginning_of_a_headline_that_is_a_part_of_the_sites_name_stays(read: Read) -> None:
    title = "Hafen kaufen – die Stadt prüft ein Angebot"
    head = f'<title>{title} | Hafenkaufen24</title><meta property="og:site_name" content="Hafenkaufen24">'
    assert read(head, f"<h1>{title}</h1>").title == title


@pytest.mark.parametrize("added", ["-정치ㅣ항구일보", "_항구", " | 항구일보"])
def test_without_headings_the_line_with_which_the_title_begins_is_the_headline(read: Read, added: str) -> None:
    line = "시의회 옛 시장 개보수 계획 통과"
    page = read(
        f'<meta property="og:title" content="{line}{added}">', f"<div>뉴스</div><div>{line}</div><p>시의회는</p>"
    )
    assert page.title == line
