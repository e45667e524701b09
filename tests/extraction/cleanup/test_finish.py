"""The last step of a text removes notes, cues, contacts and the next article."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.finish import cut_at_end, drop_contacts, drop_notes, finish, one_article
from newscrawl.page import Page

PROSE = "The council agreed on Tuesday to build the new bridge over the river, and the mayor was glad of it. "
STORY = "".join(f"<p>{n} {PROSE * 2}</p>" for n in "One Two Three".split())
MakePage = Callable[..., Page]


def left(step: Callable[..., tuple[int, ...]], page: Page) -> list[str]:
    return [page.runs[i].text.split()[0] for i in step(page, range(len(page.runs)))]


@pytest.mark.parametrize(
    "note",
    [
        "A version of this article appears in print on page 5.",
        "Lee también: Otro puente",
        "Advertisement",
        "© 2024 The Paper",
        "— Ann Bee (@annbee) <a href=/>May 1, 2023</a>",
    ],
)
def test_notes_go_wherever_they_stand(page_of: MakePage, note: str) -> None:
    assert left(drop_notes, page_of(f"<p>{note}</p>{STORY}<p>{note}</p>")) == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    "pointer",
    [
        "MORE: <a href=/b>The old bridge and those who built it</a>",
        "Related: <a href=/b>The old bridge and those who built it</a>",
        "[Related: <a href=/b>The old bridge and those who built it</a>]",
        "VEA TAMBIÉN: <a href=/b>El viejo puente y los que lo construyeron</a>",
        "FUNDA OLUNYE UDABA LAPHA | <a href=/b>Ibhuloho elidala</a>",
        "Relacionadas: <a href=/b>El viejo puente</a>",
    ],
)
def test_pointers_to_other_articles_go(page_of: MakePage, pointer: str) -> None:
    assert left(drop_notes, page_of(f"{STORY}<p>{pointer}</p>{STORY}")) == ["One", "Two", "Three"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "Related: the old bridge will be closed.",
        "LONDON: The council said in <a href=/b>a letter</a> that the bridge will be built.",
        "BBC: <a href=/b>What do you say to that?</a>",
        "Website: <a href=/b>The bridge builders of the north</a>",
        "<h2>CHAPTER ONE: <a href=/b>The old bridge and those who built it</a></h2>",
    ],
)
def test_labels_of_the_text_itself_stay(page_of: MakePage, text: str) -> None:
    assert len(left(drop_notes, page_of(f"{STORY}<div>{text}</div>{STORY}"))) == 7


def test_a_paragraph_that_starts_like_a_note_stays(page_of: MakePage) -> None:
    assert left(drop_notes, page_of(f"<p>Read more {PROSE * 3}</p>")) == ["Read"]


def test_a_text_of_notes_stays(page_of: MakePage) -> None:
    assert left(drop_notes, page_of("<p>Read more: this</p><p>x</p>")) == ["Read", "x"]


@pytest.mark.parametrize("cue", ["Comments (2)", "Mehr zum Thema", "相关阅读"])
def test_the_text_ends_at_a_cue_below_it(page_of: MakePage, cue: str) -> None:
    assert left(cut_at_end, page_of(f"{STORY}<h3>{cue}</h3><p>Bridges are bad.</p>")) == ["One", "Two", "Three"]


def test_a_cue_high_up_heads_a_box_and_only_goes_itself(page_of: MakePage) -> None:
    page = page_of(f"<p>Zero {PROSE}</p><h3>Related stories</h3>{STORY}")
    assert left(cut_at_end, page) == ["Zero", "One", "Two", "Three"]


def test_the_authors_address_at_the_end_goes_and_one_in_the_text_stays(page_of: MakePage) -> None:
    mail = "<p>Write to ana@example.org</p>"
    assert left(drop_contacts, page_of(f"{STORY}{mail}<p>Zulu end.</p>")) == ["One", "Two", "Three", "Write", "Zulu"]
    assert left(drop_contacts, page_of(f"{STORY}{mail}{mail}")) == ["One", "Two", "Three"]


def test_the_next_article_on_the_page_is_another_one(page_of: MakePage) -> None:
    page = page_of(
        f"<p>Menu</p><h1>Bridge agreed</h1>{STORY * 2}<h1>Storm over</h1><p>Four {PROSE}</p>",
        "<title>Bridge agreed</title>",
    )
    assert left(one_article, page) == ["One", "Two", "Three"] * 2


def test_headings_of_its_parts_stay(page_of: MakePage) -> None:
    page = page_of(f"<h1>Bridge agreed</h1><p>A. {PROSE}</p><h1>Part</h1>{STORY}", "<title>Bridge agreed</title>")
    assert left(one_article, page) == ["A.", "Part", "One", "Two", "Three"]


def test_without_a_known_headline_nothing_is_cut(page_of: MakePage) -> None:
    assert left(one_article, page_of(f"<p>A</p>{STORY * 3}<h1></h1><p>Z</p>")) == [
        "A",
        *["One", "Two", "Three"] * 3,
        "Z",
    ]


def test_a_text_that_begins_above_its_headline_keeps_its_start(page_of: MakePage) -> None:
    page = page_of(
        f"{STORY}<h1>Bridge agreed</h1>{STORY}<h1>Storm over</h1><p>Four</p>", "<title>Bridge agreed</title>"
    )
    assert left(one_article, page) == ["One", "Two", "Three", "Bridge", "One", "Two", "Three"]


def test_what_is_named_hidden_goes_even_where_it_is_longer_than_the_article(page_of: MakePage) -> None:
    appeal = f"<div class='hidden box'><p>Help {PROSE * 8}</p></div>"
    assert left(one_article, page_of(f"<article>{STORY}</article>{appeal}")) == ["One", "Two", "Three"]
    parts = "".join(f"<div class='hidden'>{STORY}</div>" for _ in range(5))
    assert len(left(one_article, page_of(f"<article>{STORY}</article>{parts}"))) == 18
    assert left(one_article, page_of(f"<body class='hidden'>{STORY}</body>")) == ["One", "Two", "Three"]


def test_an_h1_that_an_extractor_of_sub_heads_chose_heads_a_part(page_of: MakePage) -> None:
    page = page_of(
        f"<h1>Bridge agreed</h1><div>{STORY * 2}</div><section><h1>Storm over</h1><p>Four {PROSE}</p></section>",
        "<title>Bridge agreed</title>",
    )
    heading = next(i for i, run in enumerate(page.runs) if run.text == "Storm over")
    everything = range(len(page.runs))
    without = [i for i in everything if i != heading]
    assert one_article(page, everything, parts=True) == tuple(everything[1:])
    assert one_article(page, without, parts=True) == one_article(page, without) == tuple(everything[1:heading])


def test_an_h1_within_one_element_of_text_heads_a_part_for_such_an_extractor(page_of: MakePage) -> None:
    story = f"{STORY * 2}<h1>Storm over</h1><p>Four {PROSE}</p>"
    page = page_of(f"<h1>Bridge agreed</h1><article>{story}</article>", "<title>Bridge agreed</title>")
    chosen = [i for i, run in enumerate(page.runs) if run.text != "Storm over"]
    assert one_article(page, chosen, parts=True)[-1] == chosen[-1]
    assert one_article(page, chosen)[-1] == chosen[-1] - 2
    body = page_of(f"<h1>Bridge agreed</h1>{story}", "<title>Bridge agreed</title>")
    assert one_article(body, chosen, parts=True)[-1] == chosen[-1] - 2


@pytest.mark.parametrize("step", [finish, one_article, drop_notes, cut_at_end, drop_contacts])
def test_nothing_stays_nothing(page_of: MakePage, step: Callable[..., tuple[int, ...]]) -> None:
    assert step(page_of("<h1>x</h1>", "<title>x</title>"), ()) == ()
