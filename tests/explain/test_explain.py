"""The explained page shows every run with its reasons, and runs nothing of the source."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import lxml.html
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import newscrawl
from newscrawl.errors import UnknownChainError
from newscrawl.extraction.chain import known_names, resolve
from newscrawl.extraction.explain.document import explain_html
from newscrawl.extraction.explain.reasons import EXPLAINERS, MAX_RUNS, reasons_of
from newscrawl.extraction.explain.style import STYLE
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.page import parse

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SENTENCES = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
PAGE = f"""<html lang=en><head><title>Bridge agreed</title><meta name=author content="Ana Ruiz">
<meta property="article:published_time" content="2031-01-01T10:00:00Z">
<meta name=date content="2026-03-05T10:00:00Z"></head><body>
<nav><ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul></nav>
<main><div class=page><article><h1>Bridge agreed</h1><p>{SENTENCES * 3}</p>
<figure><figcaption>The old bridge, seen from the mill in the early morning of last Sunday by our reader.</figcaption>
</figure><p>{SENTENCES * 4}</p></article></div></main>
<div id=promo><section><p>{SENTENCES.replace("council", "insurance")}</p></section></div>
<noscript>Please switch on scripts.</noscript><footer><p>All rights reserved</p></footer></body></html>"""

HOSTILE = f"""<html><head><title>&lt;script&gt;alert(1)&lt;/script&gt; &quot; onload=x</title>
<meta name=author content='"><img src=x onerror=alert(2)>'>
<meta property="og:image" content="javascript:alert(3)">
<link rel=canonical href="https://evil.example/&quot;&gt;&lt;script src=//evil.example/x.js&gt;">
<script>alert(4)</script><style>body{{background:url(//evil.example/)}}</style></head>
<body onload=alert(5)><div id='"><script>alert(6)</script>' class="x' onclick='alert(7)">
<p>{SENTENCES * 5}&lt;/details&gt;&lt;/main&gt;&lt;script&gt;alert(8)&lt;/script&gt;
&lt;style&gt;*{{display:none}}&lt;/style&gt;&lt;iframe src=//evil.example&gt;\u202e\x07</p>
<a href="javascript:alert(9)">&lt;svg onload=alert(10)&gt;</a><svg><script>alert(11)</script></svg>
<p title="&quot; autofocus onfocus=alert(12)">&lt;img src=//evil.example/pixel&gt; &lt;meta http-equiv=refresh&gt;</p>
</div></body></html>"""


def explained(html: str | bytes, **options: Any) -> str:
    return explain_html(newscrawl.extract(html, **options))


def parsed(document: str) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(document)


def piece(tree: lxml.html.HtmlElement, start: str) -> lxml.html.HtmlElement:
    found = [d for d in tree.iter("details") if d.find("summary").text_content().startswith(start)]
    assert len(found) == 1, start
    return found[0]


@pytest.mark.parametrize("chain", ["classic", "justext", "boilerpipe-article+tree1", "boilerpipe-canola"])
def test_every_piece_of_the_page_is_shown_once_in_order(chain: str) -> None:
    tree = parsed(explained(PAGE, chain=chain, fetched_at=NOW))
    starts = [d.find("summary/bdi").text_content()[:16] for d in tree.iter("details")]
    assert starts[:3] == ["Home", "Sport", "Bridge agreed"]
    assert starts[-1] == "All rights reser"
    assert [d.get("id") for d in tree.iter("details")] == [f"r{i}" for i in range(len(starts))]


def test_a_piece_bears_the_colour_of_its_fate_and_the_name_of_what_dropped_it() -> None:
    tree = parsed(explained(PAGE, chain="mine", chains={"mine": ["boilerpipe-wide+tree2", "justext"]}))
    kept, caption = piece(tree, (SENTENCES * 3).strip() + "kept"), piece(tree, "The old bridge")
    assert "kept" in kept.get("class").split()
    assert "narrowed" in caption.get("class").split()
    assert caption.find("summary/span").text_content() == "asides"
    assert "left out of the article's text" in caption.text_content()
    assert piece(tree, "Bridge agreed").find("summary/span").text_content() == "headline"
    advert = piece(tree, "The town insurance")
    assert "narrowed" in advert.get("class").split()
    assert "the heaviest group has" in advert.text_content()
    assert "NumWordsRulesClassifier" in piece(tree, "Home").find("summary").text_content()
    assert "ignored" in piece(tree, "Please switch on").get("class").split()


def test_a_piece_tells_what_every_step_of_every_attempt_said() -> None:
    said = piece(parsed(explained(PAGE)), "Sport").text_content()
    for part in ("words 1 ‹1›", "link density 1.00", "text density", "tag level", "list item", "RemoveBoilerplate"):
        assert part in said, part
    for part in ("justext", "stop words 0.00", "by itself", "beside its neighbours", "bad"):
        assert part in said, part


def test_the_head_of_the_page_has_chain_metadata_sources_and_refused_dates() -> None:
    said = parsed(explained(PAGE, url="https://example.org/bridge", fetched_at=NOW)).text_content()
    for part in ("https://example.org/bridge", "Ana Ruiz", "2026-03-05 10:00 UTC, from", "long enough", "article"):
        assert part in said, part
    assert "2031-01-01" in said


def test_the_pictures_of_the_article_are_told_and_not_loaded() -> None:
    figure = (
        '<figure><img src="https://harbour.example/a.jpg" width="800" height="600">'
        "<figcaption>The bridge at noon. Photo: Ada Example</figcaption></figure>"
    )
    body = f"<h1>The bridge opens</h1><p>{SENTENCES * 5}</p>{figure}<p>{SENTENCES * 5}</p>"
    document = explained(f"<html><body><article>{body}</article></body></html>", fetched_at=NOW)
    told = " · ".join(("https://harbour.example/a.jpg", "800 × 600", "The bridge at noon.", "by Ada Example"))
    assert told in parsed(document).text_content()
    assert "<img" not in document


@pytest.mark.parametrize("chain", ["classic", "justext", "boilerpipe-default+tree3"])
def test_nothing_of_a_hostile_page_runs_or_is_fetched(chain: str) -> None:
    document = explained(HOSTILE, url='https://evil.example/"><script>alert(0)</script>', chain=chain)
    tree = parsed(document)
    allowed = set(
        "html head meta title style body main h1 h2 h3 p span div table tr th td ul li svg a rect label input "
        "details summary bdi code dl dt dd tbody".split()
    )
    attributes = set(
        "lang charset http-equiv content name class id for title type checked dir href x y width height viewbox "
        "preserveaspectratio role aria-label".split()
    )
    for element in tree.iter():
        assert element.tag in allowed
        assert {key.lower() for key in element.attrib} <= attributes
        assert re.fullmatch(r"#r\d+", element.get("href", "#r0"))
    assert len(list(tree.iter("style"))) == 1
    assert "evil" not in next(tree.iter("style")).text
    assert document.count("<script") == 0
    assert "\u202e" not in document
    assert "\x07" not in document
    assert "default-src 'none'" in tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert [m.get("http-equiv") for m in tree.iter("meta") if m.get("http-equiv")] == ["Content-Security-Policy"]


def test_hostile_text_stays_inside_its_own_piece() -> None:
    tree = parsed(explained(HOSTILE))
    runs = tree.xpath("//div[@class='runs']")
    assert len(runs) == 1
    assert len(list(runs[0].iter("details"))) == len(list(tree.iter("details"))) == 3


@pytest.mark.parametrize(
    "page",
    [b"", b"\0", "<p>", "<div>" * 3000, b"%PDF-1.4\n\x01\x02", "<p>\ud800 lone surrogates"],
    ids=["nothing", "a zero byte", "one tag", "deeply nested", "a PDF file", "a lone surrogate"],
)
def test_an_odd_page_is_explained_too(page: bytes | str) -> None:
    assert "</html>" in explained(page).encode("utf-8").decode()


@pytest.mark.parametrize("chain", known_names())
def test_every_chain_can_be_explained(chain: str) -> None:
    tree = parsed(explained(PAGE, chain=chain))
    # It is asked only where Boilerpipe finds no article, and here it does.
    assert bool(tree.xpath("//details[contains(@class, 'kept')]")) == (chain != "unlinked+group")


def test_the_learned_score_of_a_piece_is_told_with_what_it_needed() -> None:
    tree = parsed(explained(PAGE, chain="best"))
    said = piece(tree, "Sport").text_content()
    first, second = (float(number) for number in re.findall(r"probability ([0-9.]+)", said))
    assert 0 <= first <= 1
    assert second < 0.4
    assert "as it stands outside of what classic chose" in said
    assert "as classic chose it too" in tree.text_content()


def test_what_hints_of_a_site_took_away_or_kept_is_told_with_the_hint() -> None:
    hints = SiteHints.of({"drop": ".offer", "keep": "#note", "title": "h1"})
    page = PAGE.replace("<figure>", f"<div class=offer><p>{SENTENCES}</p></div><figure>")
    page = page.replace("<footer>", f"<div id=note><p>Note: {SENTENCES}</p></div><footer>")
    plain = parsed(explained(page, chain="classic"))
    hinted = parsed(explained(page, chain="classic", hints=hints))
    offer, note = SENTENCES.strip() + "kept", "Note: "
    assert "kept" in piece(plain, offer).get("class").split()
    fates = {start: piece(hinted, start) for start in (note, SENTENCES.strip() + "hint")}
    assert "kept" in fates[note].get("class").split()
    assert all("hint" in one.text_content() for one in fates.values())
    assert "drop .offer" in hinted.text_content()


def test_each_extractor_of_a_chain_is_told_in_its_turn_with_what_it_lacked() -> None:
    short = f"<html><body><h1>Bridge</h1><p>{SENTENCES}</p></body></html>"
    told = parsed(explained(short, chain="mine", chains={"mine": ["danag", "justext", "boilerpipe-article"]}))
    said = told.text_content()
    places = [said.index(name) for name in ("danag", "justext", "boilerpipe-article")]
    assert places == sorted(places)
    assert "too short" in said


@pytest.mark.parametrize("chain", ["classic", "best", "justext", "lqf"])
@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(st.sampled_from(["<p>", "<div hidden>", "<li>", "<a href=x>", "</div>", "word ", SENTENCES]), max_size=25)
)
def test_the_kept_pieces_are_the_text_of_any_page(chain: str, pieces: list[str]) -> None:
    html = f"<title>Bridge</title><body>{''.join(pieces)}"
    kept = parsed(explained(html, chain=chain)).xpath("//details[contains(concat(' ', @class, ' '), ' kept ')]")
    text = newscrawl.extract(html, chain=chain).text
    shown = "".join(one.find("summary/bdi").text_content() for one in kept)
    assert "".join(shown.split()) == "".join(text.split())


def test_an_unknown_chain_is_refused() -> None:
    with pytest.raises(UnknownChainError):
        explained(PAGE, chain="nonsense")


@pytest.mark.parametrize("chain", ["classic", "boilerpipe-largest", "boilerpipe-wide+tree5"])
def test_time_and_size_are_linear_in_the_page(chain: str, doubling: Callable[..., None]) -> None:
    def page(paragraphs: int) -> str:
        return f"<body>{f'<div><p>{SENTENCES}</p><a href=x>More</a></div>' * paragraphs}</body>"

    assert len(explained(page(200), chain=chain)) < 2.1 * len(explained(page(100), chain=chain))
    doubling(lambda html: explained(html, chain=chain), page, 50)


def test_of_a_page_with_too_many_pieces_the_kept_ones_and_the_first_are_shown() -> None:
    article = f"<article><h1>Bridge agreed</h1><p>{SENTENCES * 9}</p></article>"
    page = "<title>Bridge agreed</title>" + "<p>a b</p>" * 2 * MAX_RUNS + article + "<p>a b</p>" * 9
    document = explained(page, chain="classic", fetched_at=NOW)
    tree = parsed(document)
    shown = [d.get("id") for d in tree.iter("details")]
    assert len(shown) == MAX_RUNS
    assert shown[:3] == ["r0", "r1", "r2"]
    assert "kept" in piece(tree, SENTENCES[:40]).get("class")
    assert "reasons are shown" in document
    left_out = [int(number.replace(",", "")) for number in re.findall(r"([0-9,]+) pieces are not shown", document)]
    assert sum(left_out) + MAX_RUNS == 2 * MAX_RUNS + 11
    assert set(re.findall(r'href="#(r[0-9]+)"', document)) <= set(shown)


PARAGRAPH = "<p>The council met on Tuesday and said that it will build the library after all this year.</p>"
MENU = "".join(f'<li class="menu"><a href="/section/{n}">Section {n}</a></li>' for n in range(12))
HTML = f"<ul>{MENU}</ul><button>press</button>{PARAGRAPH * 6}<p>one<br>two <a href='/'>three</a></p><ul>{MENU}</ul>"
PIECES = [
    "<p>",
    "<br>",
    "<ul>",
    "</ul>",
    "<li>",
    "<a href='/'>",
    "</a>",
    "<td>",
    "<select>",
    "word ",
    PARAGRAPH,
    "中文",
]


@pytest.mark.parametrize("name", EXPLAINERS)
@settings(max_examples=examples(40), deadline=None)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=30))
def test_the_explainer_selects_what_the_algorithm_selects(name: str, pieces: list[str]) -> None:
    step = resolve(name).steps[0]
    for page in (parse(HTML), parse("".join(pieces))):
        reasons = reasons_of(page, step)
        assert reasons.selected == tuple(step.select(page))
        assert {run for run, said in reasons.remarks.items() if said[-1].content} == set(reasons.selected)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cetr", "characters, 2 tags"),
        ("danag", "characters of text over code"),
        ("dsc", "tags a token"),
        ("lqf", "0 of 17 words are links"),
        ("ccb", "content is above 0.5"),
        ("accb", "content is above 0.6"),
        ("tccb", "content is above 0.7"),
    ],
)
def test_the_reasons_tell_what_was_measured(name: str, words: str) -> None:
    page = parse(HTML)
    run = next(i for i, run in enumerate(page.runs) if run.text.startswith("The council"))
    assert words in " ".join(remark.text for remark in EXPLAINERS[name](page).remarks[run + 1])


PHONE = STYLE.partition("@media(max-width:40rem){")[2]


def test_no_rule_that_breaks_words_acts_on_a_phone() -> None:
    """`overflow-wrap:anywhere` lets a table shrink a column to single letters; `break-word` does not."""
    breaking = set(re.findall(r"(\w+){[^}]*overflow-wrap:anywhere", STYLE))
    kept = set(re.findall(r"(\w+){[^}]*overflow-wrap:break-word", PHONE))
    assert breaking <= kept
    assert "word-break" not in STYLE
    assert "table{display:block;overflow-x:auto}" in PHONE
