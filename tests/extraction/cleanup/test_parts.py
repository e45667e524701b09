"""Parts among and around the paragraphs of an article: which are text of it, and which are left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import pytest

import newscrawl

TITLE: Final = "Bridge agreed"
STORY: Final = [
    "The council agreed on Tuesday evening, after nine hours of debate in the old town hall, to build the new bridge.",
    "The first of the two contracts goes to a company from the coast that has built many bridges here before.",
    "Nobody spoke against it, though the owner of the ferry asked who would buy his old boats from next summer on.",
    "The work begins after the floods of March, and the first carts are to cross the river at the end of August.",
    "Until then the ferry carries people and letters whenever the river is lower than the mark on the old mill.",
]
OFFER: Final = "The best stories of the coast in your mailbox every morning."
LINE: Final = "The mayor was glad of it and said that the river would be no border for the two towns any longer."
TEASER: Final = "The old bridge and those who built it"
EMAIL: Final = "<input type=email>"


def article(part: str = "", *, below: str = "", above: str = "", head: str = "") -> str:
    texts = [f"<p>{text}</p>" for text in STORY]
    inside = f"{''.join(texts[:3])}{part}{''.join(texts[3:])}{below}"
    return (
        f"<html lang=en><head><title>{TITLE} - The Herald</title>{head}</head><body>{above}"
        f"<article>{inside}</article></body></html>"
    )


def lines(html: str, chain: str = "classic") -> list[str]:
    return [line for line in newscrawl.extract(html, chain=chain).text.split("\n") if line]


def others(html: str) -> list[str]:
    """The lines of the text that are none of the story's paragraphs, which must all be there."""
    found = lines(html)
    assert [text for text in STORY if text not in found] == []
    return [line for line in found if line not in STORY]


LEFT_OUT: Final = {
    "a version in print": "<p>A version of this article appears in print on page 5.</p>",
    "a pointer in Spanish": "<p>Lee también: Otro puente</p>",
    "the word for adverts": "<p>Advertisement</p>",
    "a notice of rights": "<p>© 2024 The Paper</p>",
    "the author of a post": "<p>— Ann Bee (@annbee) <a href=/>May 1, 2023</a></p>",
    "more": f"<p>MORE: <a href=/b>{TEASER}</a></p>",
    "related": f"<p>Related: <a href=/b>{TEASER}</a></p>",
    "related in brackets": f"<p>[Related: <a href=/b>{TEASER}</a>]</p>",
    "see also in Spanish": "<p>VEA TAMBIÉN: <a href=/b>El viejo puente y los que lo construyeron</a></p>",
    "a pointer in Zulu": "<p>FUNDA OLUNYE UDABA LAPHA | <a href=/b>Ibhuloho elidala</a></p>",
    "a caption": "<figure><img><figcaption>The bridge. <b>Photo:</b> AP</figcaption></figure>",
    "an aside": "<aside><p>Read also</p><ul><li>This</ul></aside>",
    "the headline": "<h1>Bridge agreed</h1>",
    "the headline in capitals": "<div><span>BRIDGE AGREED!</span></div>",
    "the headline in parts": "<h1>Bridge <i>agreed</i></h1>",
    "a sign-up beside its field": f"<div><p>{OFFER}</p>{EMAIL}</div>",
    "a sign-up above its field": f'<div><p>{OFFER}</p><div><INPUT TYPE="Email"></div></div>',
    "a sign-up by the field's name": f'<section><h3>{OFFER}</h3><label><input name="EMAIL"></label></section>',
    "a sign-up below its field": f'<div><input type=text name="your-mail"><p>{OFFER}</p><p>{OFFER}</p></div>',
    "an advert": f"<div class=ad><p>{LINE}</p></div>",
    "links to others": "<div class=related-links><ul><li>Bridge opens</li></ul></div>",
    "prose in an aside": f"<aside><p>{LINE}</p></aside>",
    "prose in a figure": f"<figure><p>{LINE}</p></figure>",
    "a hidden list": f"<ul hidden><li>{LINE}</li></ul>",
    "a linked list": f"<ul><li><a href=/>{LINE}</a></li></ul>",
    "an author's box": "<div class=author-bio><p>The author writes about bridges.</p></div>",
    "a hidden line": "<p hidden>Nobody sees this.</p>",
    "a hidden appeal": f"<div class='hidden box'><p>{LINE}</p></div>",
}


@pytest.mark.parametrize("part", LEFT_OUT)
def test_what_is_no_text_of_the_article_is_left_out(part: str) -> None:
    assert others(article(LEFT_OUT[part])) == []


KEPT: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "a label of the text": ("<p>Related: the ferry will go on.</p>", ["Related: the ferry will go on."]),
    "a paragraph that begins like a note": (f"<p>Read more {LINE} {LINE}</p>", [f"Read more {LINE} {LINE}"]),
    "an address within the text": ("<p>Write to ana@example.org</p>", ["Write to ana@example.org"]),
    "a quotation": ("<blockquote><p>Well said.</p></blockquote>", ["Well said."]),
    "a point of a list": ("<ul><li>One point.</li></ul>", ["One point."]),
    "a sub-head": ("<h3>Sub-head</h3>", ["Sub-head"]),
    "a table": ("<table><tr><td>5 km</td></tr></table>", ["5 km"]),
    "a paragraph in a wrapper": (f"<div><p>{LINE}</p></div>", [LINE]),
    "turns of an interview": ("<p>Why?</p><p>We trained.</p>", ["Why?", "We trained."]),
    "names": ("<ul><li>Mark Hill<li>Ana Torres</ul>", ["Mark Hill", "Ana Torres"]),
    "a sentence with a year": ("<p>That was in 1911.</p>", ["That was in 1911."]),
    "the headline in a sentence": ("<p>Bridge agreed, builders wait.</p>", ["Bridge agreed, builders wait."]),
    "a tag in words": (f"<p>&lt;p&gt; is an element. {LINE}</p>", [f"<p> is an element. {LINE}"]),
    "prose with a field for a search": (f"<div><p>{LINE}</p><input type=search name=q></div>", [LINE]),
    "prose with a hidden field": (f"<div><p>{LINE}</p><input type=hidden name=mailto></div>", [LINE]),
    "prose in the element of a field": (f"<p>{LINE}</p>{EMAIL}", [LINE]),
}  # fmt: skip


@pytest.mark.parametrize("part", KEPT)
def test_what_belongs_to_the_article_stays(part: str) -> None:
    html, texts = KEPT[part]
    assert others(article(html)) == texts


@pytest.mark.parametrize(
    "below",
    [
        "<h3>Comments (2)</h3><p>Bridges are bad.</p>",
        "<h3>Mehr zum Thema</h3><p>Bridges are bad.</p>",
        "<h3>相关阅读</h3><p>Bridges are bad.</p>",
        "<p>Write to ana@example.org</p>" * 2,
    ],
)
def test_what_stands_below_the_end_is_left_out(below: str) -> None:
    assert others(article(below=below, above="<h1>Bridge agreed</h1>")) == []


@pytest.mark.parametrize(
    "body",
    [
        f"<article><p class=ad>{LINE}</p><p class=ad>{LINE} Yes.</p></article>",
        f"<div class=related><div><p>{LINE}</p><p>{LINE} Yes.</p></div></div>",
        f"<article><p class=social>{LINE}</p><p class=social>{LINE} Yes.</p></article>",
        f"<aside><p>{LINE}</p><p>{LINE} Yes.</p></aside>",
        f"<body class='hidden'><p>{LINE}</p><p>{LINE} Yes.</p></body>",
        f"<div id=privacy-page><p>{LINE}</p><p>{LINE} Yes.</p></div>",
    ],
)
def test_a_page_with_all_of_its_text_in_boxes_keeps_it(body: str) -> None:
    assert lines(f"<title>River</title>{body}") == [LINE, f"{LINE} Yes."]


def test_a_notice_of_consent_above_the_article_is_left_out() -> None:
    assert others(article(above=f"<div id=onetrust-banner><p>{LINE}</p><p>{LINE}</p></div>")) == []


SLOTS: Final = {
    "an advert": "<div class=advertisement><span>Advertisement</span><a href=/click><img alt=Offer></a></div>",
    "a sponsor's lines": "<div class=sponsored><h4>Sponsored</h4><p><a href=/x>Solar panels on your roof, nothing to "
    "pay until spring. See in a minute whether your house is suitable.</a></p></div>",
    "an unnamed link": "<div><a href=/x>Why wait for the weekend? Fly to the sea for less than a dinner.</a></div>",
    "a pointer": "<p><b>Read more:</b> <a href=/news/1>Whale seen in the harbour for the third time</a></p>",
    "a form": "<div class=newsletter><p>All that matters, every morning. Sign up for our newsletter.</p>"
    "<form><button>Sign up</button></form></div>",
    "a teaser": "<aside><a href=/shop><b>The ten best walks for a wet weekend</b></a></aside>",
    "a frame": "<div id=slot-1><iframe src=/frame></iframe></div>",
    "two at once": "<div class=ad><p><a href=/y>Invest like the professionals now</a></p></div>"
    "<aside><a href=/z>How a village got its bakery back</a></aside>",
}
LONG: Final = f"{STORY[0][:-1]}, and to close the ferry that has carried people across since the war."
SERVED: Final = (LONG, "Nobody spoke against it.", STORY[1], LONG, "Nobody spoke against it.", LONG, "Photo: Ann Bee")


def served(*slots: tuple[int, str]) -> str:
    """The text of an article with slots before some of its paragraphs; the last place is below it."""
    before = dict(slots)
    paragraphs = [f"{before.get(i, '')}<p>{text}</p>" for i, text in enumerate(SERVED)]
    body = f"<h1>The new bridge</h1><article>{''.join(paragraphs)}{before.get(len(SERVED), '')}</article>"
    return newscrawl.extract(f"<!DOCTYPE html><html><body>{body}</body></html>").text


@pytest.mark.parametrize("place", range(len(SERVED) + 1))
@pytest.mark.parametrize("slot", SLOTS)
def test_an_article_has_the_same_text_with_and_without_an_advert(slot: str, place: int) -> None:
    assert served((place, SLOTS[slot])) == "\n\n".join(SERVED)


@pytest.mark.parametrize(("one", "other"), list(permutations(SLOTS, 2)))
def test_two_adverts_among_the_paragraphs_change_nothing(one: str, other: str) -> None:
    for first, second in ((1, 2), (1, 4), (2, 5), (4, 6)):
        assert served((first, SLOTS[one]), (second, SLOTS[other])) == "\n\n".join(SERVED)


@pytest.mark.parametrize(
    "below",
    [
        "<h2>More of it</h2>",
        "<p>Have your say</p>",
        "<p>12 comments</p>",
        "<p><a href=/>Tickets</a></p>",
        f"<section><div><p>{LINE}</p></div></section>",
        "<p>&nbsp;</p><p>Kicker</p><p>Tag</p>",
    ],
)
def test_what_stands_below_an_advert_at_the_end_is_not_added(below: str) -> None:
    assert others(article(below=SLOTS["an unnamed link"] + below)) == []


def test_a_quotation_beside_an_advert_stays() -> None:
    assert others(article(f"{SLOTS['an unnamed link']}<blockquote>Nobody knew.</blockquote>")) == ["Nobody knew."]


SOURCE: Final = "<div class=shot><a href=#p1><img src=a.jpg></a><h3>The bridge in the morning</h3></div>" * 20


@pytest.mark.parametrize("chain", ["classic", "best"])
@pytest.mark.parametrize(
    "block",
    [
        f"<textarea hidden>{SOURCE}</textarea>",
        f"<iframe src=//ads.example/>{SOURCE}</iframe>",
        f"<iframe src=//ads.example/><script>show()</script>{SOURCE}</iframe><textarea>{SOURCE}</textarea>",
    ],
)
def test_the_source_of_html_is_never_text(block: str, chain: str) -> None:
    assert lines(article(above=block), chain) == STORY


def test_a_page_with_nothing_but_source_has_no_text() -> None:
    assert lines(f"<body><iframe>{SOURCE}</iframe>") == []


def test_only_chains_finish_and_algorithms_by_name_do_not() -> None:
    story = "".join(f"<p>{text * 2}</p>" for text in STORY)
    html = f"<title>{TITLE} today by all</title><main><div><h1>{TITLE} today by all</h1>{story}</div></main>"
    chains = {"mine": ["boilerpipe-wide+tree2"]}
    has_title = {
        chain: TITLE in newscrawl.extract(html, chain=chain, chains=chains).text
        for chain in ("classic", "boilerpipe-wide+tree2", "mine")
    }
    assert has_title == {"classic": False, "boilerpipe-wide+tree2": True, "mine": False}


def test_a_label_that_only_an_advert_made_content_goes() -> None:
    texts = [
        newscrawl.extract(
            f"<article><p>Kicker</p><p>One two</p>{slot}<p>Three</p>{f'<p>{LONG}</p>' * 3}</article>"
        ).text
        for slot in (f"<div class=ad><p>{LINE}</p></div>", "")
    ]
    assert texts[0] == texts[1]
    assert "Kicker" not in texts[1]
