"""What is found beside an article's group: runs beside adverts, on which its text does not depend, and the lead
paragraph between headline and article."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.cleanup.beside import judge_again, standfirst
from newscrawl.extraction.cleanup.boxes import ANY_NAMES, SURE_NAMES
from newscrawl.page import Page

LONG = (
    "The council agreed on Tuesday evening, after nine hours of debate in the old town hall, to build the new bridge "
    "over the river and to close the ferry that has carried people across since the war."
)
MIDDLE = "The first of the two contracts goes to a company from the coast that has built bridges here before."
SHORT = "Nobody spoke against it."
LAST = "Photo: Ann Bee"
ARTICLE = (LONG, SHORT, MIDDLE, LONG, SHORT, LONG, LAST)

SLOTS = {
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
MakePage = Callable[..., Page]


def text_of(page: Page) -> str:
    return run_chain(page, resolve("classic")).text


def served(page_of: MakePage, *slots: tuple[int, str]) -> Page:
    """The article with mark-up before some of its paragraphs; the last place is below it."""
    before = dict(slots)
    paragraphs = [f"{before.get(i, '')}<p>{text}</p>" for i, text in enumerate(ARTICLE)]
    return page_of(f"<h1>The new bridge</h1><article>{''.join(paragraphs)}{before.get(len(ARTICLE), '')}</article>")


@pytest.mark.parametrize("place", range(len(ARTICLE) + 1))
@pytest.mark.parametrize("slot", SLOTS.values(), ids=SLOTS)
def test_an_article_has_the_same_text_with_and_without_an_advert(page_of: MakePage, slot: str, place: int) -> None:
    assert text_of(served(page_of, (place, slot))) == "\n\n".join(ARTICLE)


@pytest.mark.parametrize(("one", "other"), list(permutations(SLOTS, 2)))
def test_two_adverts_among_the_paragraphs_change_nothing(page_of: MakePage, one: str, other: str) -> None:
    for first, second in ((1, 2), (1, 4), (2, 5), (4, 6)):
        assert text_of(served(page_of, (first, SLOTS[one]), (second, SLOTS[other]))) == "\n\n".join(ARTICLE)


def test_a_label_that_only_an_advert_made_content_goes(page_of: MakePage) -> None:
    advert = f"<div class=ad><p>{MIDDLE}</p></div>"
    paragraphs = f"<p>Three</p><p>{LONG}</p><p>{LONG}</p><p>{LONG}</p>"
    with_advert, without = (
        text_of(page_of(f"<article><p>Kicker</p><p>One two</p>{slot}{paragraphs}</article>")) for slot in (advert, "")
    )
    assert with_advert == without
    assert "Kicker" not in without


def test_nothing_but_neighbours_of_slots_is_judged(page_of: MakePage) -> None:
    page = page_of(f"<article><p>One</p><p>Two</p><p>{LONG}</p><p>{LONG}</p></article>")
    assert judge_again(page, (0, 2, 3), (0, 2, 3)) == (0, 2, 3)


@pytest.mark.parametrize(
    "below", ["<h2>More of it</h2>", "<p>Have your say</p>", "<p>12 comments</p>", "<p><a href=/>Tickets</a></p>",
              f"<section><div><p>{LONG}</p></div></section>"],
)  # fmt: skip
def test_what_ends_or_heads_or_stands_elsewhere_below_an_advert_is_not_added(page_of: MakePage, below: str) -> None:
    page = page_of(f"<article><p>{LONG}</p><p>{LONG}</p>{SLOTS['an unnamed link']}{below}</article>")
    assert judge_again(page, (0, 1), (0, 1)) == (0, 1)


def test_teasers_in_a_list_of_pointers_are_not_added(page_of: MakePage) -> None:
    teaser = "<li><h4><a href=/1>Whale seen in the harbour</a></h4><div>It was the third time since winter began.</div>"
    page = page_of(f"<article><p>{LONG}</p><ul>{teaser * 3}<li><a href=/all>All of our stories</a></ul><p>{LONG}</p>")
    group = (0, len(page.runs) - 1)
    assert judge_again(page, group, group) == group


def test_quotations_beside_an_advert_come_back(page_of: MakePage) -> None:
    quotation = f"<blockquote>{SHORT}</blockquote>"
    page = page_of(f"<article><p>{LONG}</p>{SLOTS['an unnamed link']}{quotation}<p>{LONG}</p></article>")
    assert judge_again(page, (0, 3), (0, 3)) == (0, 2, 3)


def test_an_empty_paragraph_beside_an_advert_is_still_seen(page_of: MakePage) -> None:
    """The gap that its author made stands between the two short lines and what would make them content."""
    pages = [
        page_of(f"<article><p>{LONG}</p><p>{LONG}</p>{slot}<p>&nbsp;</p><p>Kicker</p><p>Tag</p></article>")
        for slot in ("", SLOTS["an unnamed link"])
    ]
    assert all(judge_again(page, (0, 1), (0, 1)) == (0, 1) for page in pages)


def test_an_article_whose_paragraphs_have_an_adverts_name_stays(page_of: MakePage) -> None:
    page = page_of(f"<article><p class=ad>{LONG}</p><p class=ad>{LONG}</p></article>")
    assert judge_again(page, (0, 1), (0, 1)) == (0, 1)


def test_nothing_stays_nothing(page_of: MakePage) -> None:
    assert judge_again(page_of("<p>text</p>"), (), ()) == ()


@pytest.mark.parametrize(
    ("name", "sure", "maybe"),
    [("widget", True, True), ("elementor-widget", False, True), ("news-card", True, True), ("cardinal", False, False),
     ("discard", False, False), ("d-none", True, True), ("hidden", True, True), ("hidden-xs", False, False),
     ("unhidden", False, False), ("photo-desc", True, True), ("photograph", False, False), ("ad-top", False, True),
     ("header", False, False), ("timeslot", False, False), ("slot1", False, True), ("players", False, False)],
)  # fmt: skip
def test_names_of_boxes(name: str, sure: bool, maybe: bool) -> None:
    assert (bool(SURE_NAMES.search(name)), bool(ANY_NAMES.search(name))) == (sure, maybe)


LEAD = "After ten years of talks the city will have a second bridge, and nobody knows yet who is to pay for it."


def lead_of(page_of: Callable[..., Page], above: str, description: str = LEAD) -> list[str]:
    head = f"<title>Bridge agreed</title><meta name=description content='{description}'>"
    page = page_of(f"{above}<article><p>{MIDDLE}</p></article>", head)
    return [page.runs[i].text for i in standfirst(page, (len(page.runs) - 1,))]


@pytest.mark.parametrize("description", [LEAD, LEAD[:80] + "...", LEAD + " More in the story.", LEAD.upper()])
def test_the_run_that_says_what_the_description_says(page_of: Callable[..., Page], description: str) -> None:
    above = f"<h1>Bridge agreed</h1><p>5 March</p><h2>{LEAD}</h2><p>By Ana Ruiz</p>"
    assert lead_of(page_of, above, description) == [LEAD]


@pytest.mark.parametrize(
    "above",
    [
        pytest.param(f"<p>{LEAD}</p>", id="no headline above it"),
        pytest.param(f"<p>{LEAD}</p><h1>Bridge agreed</h1>", id="above the headline"),
        pytest.param(f"<h1>Bridge agreed</h1><p>{MIDDLE}</p>", id="another text"),
        pytest.param(f"<h1>Bridge agreed</h1><p hidden>{LEAD}</p>", id="hidden"),
        pytest.param(f"<h1>Bridge agreed</h1><a href=/>{LEAD}</a>", id="a link"),
        pytest.param(f"<h1>Bridge agreed</h1><div class=share-box>{LEAD}</div>", id="in a box"),
    ],
)
def test_what_is_no_standfirst(page_of: Callable[..., Page], above: str) -> None:
    assert lead_of(page_of, above) == []


@pytest.mark.parametrize("description", ["", "Bridge"])
def test_a_page_without_a_telling_description_has_none(page_of: Callable[..., Page], description: str) -> None:
    assert lead_of(page_of, f"<h1>Bridge agreed</h1><p>{LEAD}</p>", description) == []
