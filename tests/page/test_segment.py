"""Runs, elements and hints of a page; spacers, deferred reading and words."""

from __future__ import annotations

import gc
import pickle
import re
import weakref
from collections.abc import Callable
from threading import Thread

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.page import Page, parse
from newscrawl.page.elements import Elements
from newscrawl.page.parse import TITLE_NOT_CLOSED, TREE_TRUNCATED
from newscrawl.page.words import BLANKLESS, count_words, count_words_until, has_blankless, split_words


def texts(html: str) -> list[str]:
    return [run.text for run in parse(html).runs]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one<p>two", ["one", "two"]),
        ("<p>an <b>in</b>line <a href=x>link</a> stays</p>", ["an inline link stays"]),
        ("<p>a<br>b", ["a", "b"]),
        ("<p>a<img src=x>b</p>", ["a", "b"]),
        ("<p>a<script>var x = 'text'</script>b</p>", ["a", "b"]),
        ("<p>a<!-- comment -->b</p>", ["ab"]),
        ("<p>long<wbr>est word<wbr></wbr>s</p>", ["longest words"]),
        ("<p>\u6f22<ruby>\u5b57<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>\u3067</p>", ["\u6f22\u5b57\u3067"]),
        (
            "<p><ruby><rb>\u6f22</rb><rtc><rt>kan</rt></rtc></ruby>\u5b57<ruby>\u3067<rt>de</ruby>",
            ["\u6f22\u5b57\u3067"],
        ),
        ("<title>t</title><style>p{}</style><template><p>no</p></template><p>yes", ["yes"]),
        ("<div>  \n </div><p> x \n\t y </p>", ["x y"]),
        ("bare text", ["bare text"]),
        ("<table><tr><td>1<td>2</table>", ["1", "2"]),
        ("<my-element>custom</my-element> <fb:like>tags</fb:like>", ["custom", "tags"]),
        ("<p>a&nbsp;b &amp; &lt;c&gt; &#8211; d</p>", ["a b & <c> – d"]),
        ("", []),
        ("<", ["<"]),
        ("<html></html>", []),
    ],
)
def test_runs_end_where_any_algorithm_splits(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("10<sup>6</sup> and 3 × 10<sup>9</sup>", "10^6 and 3 × 10^9"),
        ("10<sup>\u22126</sup>, 10<sup>-6</sup>, 10<sup>+6</sup>", "10^\u22126, 10^-6, 10^+6"),
        ("10<sup>1<i>2</i></sup>", "10^12"),
        ("2011<sub>15ya</sub>", "2011_15ya"),
        ("in 1974<sup><a href=#n>3</a></sup> it", "in 1974^3 it"),
        ("3<sup>1</sup>/<sub>2</sub> miles", "3^1/2 miles"),
        ("9<sup>99</sup>", "9^99"),
        ("\u0661\u0660<sup>\u0666</sup>", "\u0661\u0660^\u0666"),
        ("<sup>1</sup>2019 was dry", "1 2019 was dry"),
        ("x<sub>1</sub><sup>2</sup>", "x1^2"),
        ("240 m<sup>2</sup>, CO<sub>2</sub>, 1<sup>st</sup>, word<sup>1</sup>, 7<sup>[1]</sup>", None),
        ("10 <sup>6</sup> 10<sup> 6</sup> 10<b>6</b>", None),
    ],
)
def test_raised_and_lowered_digits_make_no_other_number(html: str, text: str | None) -> None:
    plain = re.sub("<[^>]*>", "", html)
    assert texts(f"<p>{html}</p>") == [text if text is not None else plain]


@pytest.mark.parametrize(
    "html",
    [
        "<h2><a name=x>Costs</a></h2>",
        "<a id=x><p>Costs</p></a>",
        "<p><a class=button>Costs</a>",
        "<a name=top><p>Costs",
    ],
)
def test_an_anchor_without_target_is_no_link(html: str) -> None:
    (run,) = parse(html).runs
    assert (run.words, run.linked_words) == (1, 0)


@pytest.mark.parametrize(
    "style",
    [
        "color:rgb(150,0,0)",
        "color:rgb(0 0 0)",
        "color:#000",
        "color:#ff0000",
        "color:hsl(0,0%,0%)",
        "color:rgba(0,0,0,0.5)",
        "color:rgb(0 0 0 / 50%)",
        "color:#fff;background:#000",
        "color:transparent;-webkit-background-clip:text",
        "font-size:0.8em",
        "font-size:.9rem",
        "font-size:10px",
        "text-indent:-20px",
        "margin-left:-100%",
        "position:absolute;left:0;top:-20px",
        "left:-9999px",
        "opacity:1",
        "height:0",
    ],
)
def test_a_style_that_shows_its_words_hides_none(style: str) -> None:
    page = parse(f"<div style='{style}'>some words</div>")
    assert ([run.text for run in page.runs], page.unseen) == (["some words"], 0)


@pytest.mark.parametrize(
    "style",
    [
        "color:rgba(150,0,0,0)",
        "color:rgb(0 0 0 / 0%)",
        "color:#00000000",
        "color:transparent",
        "color:#fff;background:#ffffff",
        "color:white;background-color:rgb(255, 255, 255)",
        "font-size:0",
        "FONT-SIZE: 0px !important",
        "font-size:.0em",
        "font-size:1px",
        "text-indent:-9999px",
        "text-indent:-100%",
        "margin-left:-9999px",
        "position:absolute;left:-9999px",
        "position:fixed;top:-200em",
        "position:absolute;clip:rect(0,0,0,0)",
        "position:absolute;clip-path:inset(100%)",
    ],
)
def test_words_that_nobody_sees_are_counted_and_in_no_run(style: str) -> None:
    page = parse(f"<p>one</p><div style='{style}'>two <b>words</b></div>three")
    assert ([run.text for run in page.runs], page.unseen) == (["one", "three"], 2)


@pytest.mark.parametrize("attribute", ["href=/x", "href", "onclick='share()'", "role=button", "target=_blank"])
def test_an_anchor_that_does_something_is_a_link(attribute: str) -> None:
    (run,) = parse(f"<p><a class=x {attribute}>Share</a>").runs
    assert run.linked_words == 1


def test_head_and_hints_are_found_wherever_they_stand() -> None:
    page = parse(
        """<html lang=es><head><title> A  title </title><base href=/b/>
        <meta property="og:title" content=" OG "><meta name=Author content=X>
        <link rel="alternate" type="application/rss+xml" href="/rss"></head>
        <body><meta itemprop=datePublished content=2026-01-02>
        <script type="application/ld+json">{"@type": "NewsArticle", "headline": "H"}</script>
        <h1>Head <i>line</i></h1><span class="Byline">By A. B.</span><time datetime=2026>now</time>
        <a rel=Author href=/a>A <b>B</b></a></body>"""
    )
    assert (page.head.title, page.head.base) == ("A title", "/b/")
    assert page.head.first("nothing", "og:title") == "OG"
    assert page.head.all("author") == ["X"]
    assert page.head.links[0].href == "/rss"
    assert page.hints.language == "es"
    assert page.hints.headline == "Head line"
    assert page.hints.json_ld[0]["headline"] == "H"
    assert [m.text for m in page.hints.marked] == ["", "Head line", "By A. B.", "now"]
    assert [(link.href, link.text, link.rel) for link in page.links] == [("/a", "A B", "author")]


def test_nesting_deeper_than_the_parser_goes_is_a_problem_and_not_an_exception() -> None:
    page = parse("<p>before</p>" + "<div>" * 3000 + "inside")
    assert page.problems == (TREE_TRUNCATED,)
    assert page.runs[0].text == "before"


def test_nesting_within_the_parsers_limit_is_whole() -> None:
    page = parse("<div>" * 1500 + "inside" + "</div>" * 1500 + "<p>after")
    assert page.problems == ()
    assert [run.text for run in page.runs] == ["inside", "after"]


def test_nothing_of_the_tree_outlives_the_parse() -> None:
    """A cycle through the tree would keep every page alive until the collector runs."""
    gc.disable()
    try:
        page: Page | None = parse("<p>x <a href=y>z</a></p>" * 50)
        alive = weakref.ref(page)  # type: ignore[arg-type]
        page = None
        assert alive() is None
    finally:
        gc.enable()


def test_runs_that_were_read_in_every_way_keep_nothing_alive() -> None:
    """The compiled core hides them from the collector, which could free no cycle that they were part of."""

    def alive() -> int:
        return sum(isinstance(thing, Elements) for thing in gc.get_objects())

    gc.collect()
    before = alive()
    gc.disable()
    try:
        page: Page | None = parse("<div hidden class=k><p>x <a href=y>z</a></p></div><p>after" * 20)
        assert page is not None
        assert [(run.code > 0, run.hidden) for run in page.runs][:2] == [(True, True), (True, False)]
        assert list(page.elements.attributes)
        assert pickle.loads(pickle.dumps(page)).runs == page.runs
        assert alive() == before + 1
        page = None
        assert alive() == before
    finally:
        gc.enable()


@given(st.text(alphabet="<>/='\"abip divrt&#;!-\0\n é漢", max_size=400))
@settings(max_examples=examples(200))
def test_any_mark_up_gives_clean_runs(html: str) -> None:
    page = parse(html)
    for run in page.runs:
        assert run.text == " ".join(run.text.split())
        assert run.text
        assert 0 <= run.linked_words <= run.words
        assert 0 <= run.element < len(page.elements)


@given(st.binary(max_size=400))
def test_any_bytes_give_a_page(body: bytes) -> None:
    parse(body, content_type="text/html")


SHAPES: dict[str, Callable[[int], str]] = {
    "flat": lambda n: "<p>Some words of a paragraph, <a href=x>a link</a> too.</p>" * n,
    "nested": lambda n: ("<div>" * 400 + "x" + "</div>" * 400) * (n // 100),
    "many comments": lambda n: "<p>a</p><!-- b -->" * n,
    "unclosed comments": lambda n: "<!--" * n,
    "many attributes": lambda n: (
        "<p " + " ".join(f"a{i}=v" for i in range(n // 10)) + ">x" + "<p class=byline id=b>y" * n
    ),
    "one long text": lambda n: "<p>" + "word and word " * (10 * n),
    "one long link": lambda n: "<p><a href=x>" + "word <b>and</b> " * n,
    "many breaks": lambda n: "<p>" + "a<br>" * n,
    "marked inside marked": lambda n: "<div class=byline>" * min(n, 1900) + "text " * n,
    "unclosed inline": lambda n: "<b>x" * min(n, 1900) + "y " * n,
    "many entities": lambda n: "<p>" + "&amp;&nbsp;&#8217; " * n,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear_in_the_size_of_the_page(shape: str, doubling: Callable[..., None]) -> None:
    doubling(parse, SHAPES[shape], 400)


@pytest.mark.parametrize(
    ("html", "spacers"),
    [
        ("<p>one</p><p>&nbsp;</p><p>two</p>", [1]),
        ("<p>one</p><p>&nbsp;</p><p>\u00a0 &nbsp;</p><p>two</p>", [1, 1]),
        ("<p>one</p><p><b>&nbsp;</b>two</p>", []),
        ("<p>one<b>&nbsp;</b></p><p> </p><p>two</p>", []),
        ("<p>one</p><noscript>&nbsp;</noscript><select><option>&nbsp;</select><p>two</p>", []),
        ("<p>one</p><p>&nbsp;</p>", [1]),
    ],
)
def test_a_paragraph_of_no_break_spaces_alone_is_a_spacer_and_no_run(html: str, spacers: list[int]) -> None:
    page = parse(html)
    assert [index for index, _ in page.spacers] == spacers
    assert not any(run.text.isspace() for run in page.runs)


@pytest.mark.parametrize("title", ["<title>Rain ahead", "<TITLE lang=en>Rain ahead\n"])
def test_a_title_without_end_does_not_swallow_the_page(title: str) -> None:
    page = parse(f"<html><head>{title}<meta name=a content=b></head><body><h1>Rain</h1><p>It rains.</p></body></html>")
    assert [run.text for run in page.runs] == ["Rain", "It rains."]
    assert (page.head.title or "").startswith("Rain ahead")
    assert TITLE_NOT_CLOSED in page.problems


def test_a_title_with_mark_up_on_a_page_without_text_stays_as_it_is() -> None:
    page = parse("<title>a &lt; b</title><body></body>")
    assert page.head.title == "a < b"
    assert page.runs == page.problems == ()


HTML = """<html lang=en><body class=home><h1 id=top>Rain</h1><div style="color: red" class=byline>By A. B.</div>
<p hidden>not <b style="display: none">seen</b></p><a rel=next href="/two">On</a>
<script type="application/ld+json">{"@type": "NewsArticle"}</script></body></html>"""


def test_a_page_survives_pickling_with_all_that_was_not_read_yet() -> None:
    page = parse(HTML)
    copy = pickle.loads(pickle.dumps(page))
    assert copy == page
    assert copy.links[0].href == "/two"
    assert copy.elements.attributes[1] == {"class": "home"}
    assert [run.code for run in copy.runs] == [run.code for run in page.runs]


def test_threads_parse_at_the_same_time(html_of: Callable[[int], str]) -> None:
    expected = [parse(html_of(number)) for number in range(8)]
    found: dict[int, Page] = {}

    def work(number: int) -> None:
        for _ in range(20):
            found[number] = parse(html_of(number))

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(8)] == expected


@pytest.fixture
def html_of() -> Callable[[int], str]:
    return lambda number: f"<h1 class=c{number}>Page {number}</h1>" + f"<p>Paragraph of {number}.</p>" * (number + 1)


def test_the_headline_is_found_behind_any_number_of_marked_elements() -> None:
    page = parse("<i class=date>today</i>" * 300 + "<h1>Rain</h1>")
    assert page.hints.headline == "Rain"
    assert len(page.hints.marked) == 200


def test_marked_elements_are_told_by_class_property_and_relation() -> None:
    page = parse(
        "<p class='x BYLINE'>a<p class=up-date>b<p class=none>c<p itemprop>d<p rel=author>e<p rel='author me'>f<time>g"
    )
    assert [mark.text for mark in page.hints.marked] == ["a", "b", "d", "e", "g"]
    assert page.hints.marked == pickle.loads(pickle.dumps(page.hints.marked))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("well-known words can't be split", 5),
        ("a – b — c | d • e", 5),
        ("prices rose 3.5 % in May", 5),
        ("新闻报道的主要内容", 5),
        ("東京で新しい駅が開業した。", 6),
        ("他说 hello world 了", 4),
        ("ไทยรัฐ", 3),
        ("Новости — это важно", 3),
        ("서울의 새 도서관", 3),
    ],
)
def test_words_by_script(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(max_size=80))
def test_counting_never_fails(text: str) -> None:
    assert count_words(text) >= 0
    assert all(split_words(text))


def test_scripts_without_blanks_are_told_from_all_others() -> None:
    """Character by character the quick look and the expression agree."""
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    assert [c for c in characters if has_blankless(c)] == BLANKLESS.findall("".join(characters))
    assert has_blankless("It’s “新” here")
    assert not has_blankless("It’s “new” – ﬁne, नया, 새 것, 😀")


@given(st.lists(st.sampled_from(["one", "–", "unbelievably-long", "新闻报道", "2"]), max_size=30), st.integers(1, 9))
def test_the_beginning_of_a_text_tells_that_it_has_enough_words(pieces: list[str], enough: int) -> None:
    text = " ".join(pieces)
    assert (count_words_until(text, enough) > enough) == (count_words(text) > enough)
