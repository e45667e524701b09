"""What each filter of the clean-up leaves of a text, and what stays although it looks alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.cleanup.draft import run_filters
from newscrawl.extraction.cleanup.finish import FINISH, OF_BLOCKS, OF_PARTS
from newscrawl.page import Page, parse
from newscrawl.page.parse import PROSE_WORDS

PROSE = "The council agreed on Tuesday to build the new bridge over the river, and the mayor was glad of it. "
THREE = ["One", "Two", "Three"]
STORY = "".join(f"<p>{n} {PROSE * 2}</p>" for n in THREE)
OFFER = "The best stories of the coast in your mailbox every morning."
LONG = "A long paragraph that is the article's own text and must stay whatever else is left out."
MakePage = Callable[..., Page]
Left = Callable[..., list[str]]


def first_words(texts: Sequence[str]) -> list[str]:
    return [text.split()[0] for text in texts]


def one_article(page: Page, runs: Sequence[int], *, parts: bool = False) -> tuple[int, ...]:
    return run_filters(page, runs, (OF_PARTS if parts else OF_BLOCKS)[: -len(FINISH)])


def of_one_article(page: Page) -> list[str]:
    return first_words([page.runs[i].text for i in one_article(page, range(len(page.runs)))])


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
def test_notes_go_wherever_they_stand(page_of: MakePage, left: Left, note: str) -> None:
    assert first_words(left(page_of(f"<p>{note}</p>{STORY}<p>{note}</p>"), "notes")) == THREE


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
def test_pointers_to_other_articles_go(page_of: MakePage, left: Left, pointer: str) -> None:
    assert first_words(left(page_of(f"{STORY}<p>{pointer}</p>{STORY}"), "notes")) == THREE * 2


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
def test_labels_of_the_text_itself_stay(page_of: MakePage, left: Left, text: str) -> None:
    assert len(first_words(left(page_of(f"{STORY}<div>{text}</div>{STORY}"), "notes"))) == 7


def test_a_paragraph_that_starts_like_a_note_stays(page_of: MakePage, left: Left) -> None:
    assert first_words(left(page_of(f"<p>Read more {PROSE * 3}</p>"), "notes")) == ["Read"]


def test_a_text_of_notes_stays(page_of: MakePage, left: Left) -> None:
    assert first_words(left(page_of("<p>Read more: this</p><p>x</p>"), "notes")) == ["Read", "x"]


@pytest.mark.parametrize("cue", ["Comments (2)", "Mehr zum Thema", "相关阅读"])
def test_the_text_ends_at_a_cue_below_it(page_of: MakePage, left: Left, cue: str) -> None:
    assert first_words(left(page_of(f"{STORY}<h3>{cue}</h3><p>Bridges are bad.</p>"), "after the end")) == [
        "One",
        "Two",
        "Three",
    ]


def test_a_cue_high_up_heads_a_box_and_only_goes_itself(page_of: MakePage, left: Left) -> None:
    page = page_of(f"<p>Zero {PROSE}</p><h3>Related stories</h3>{STORY}")
    assert first_words(left(page, "after the end")) == ["Zero", *THREE]


def test_the_authors_address_at_the_end_goes_and_one_in_the_text_stays(page_of: MakePage, left: Left) -> None:
    mail = "<p>Write to ana@example.org</p>"
    assert first_words(left(page_of(f"{STORY}{mail}<p>Zulu end.</p>"), "contacts")) == [
        "One",
        "Two",
        "Three",
        "Write",
        "Zulu",
    ]
    assert first_words(left(page_of(f"{STORY}{mail}{mail}"), "contacts")) == THREE


def test_the_next_article_on_the_page_is_another_one(page_of: MakePage) -> None:
    page = page_of(
        f"<p>Menu</p><h1>Bridge agreed</h1>{STORY * 2}<h1>Storm over</h1><p>Four {PROSE}</p>",
        "<title>Bridge agreed</title>",
    )
    assert of_one_article(page) == THREE * 2


def test_headings_of_its_parts_stay(page_of: MakePage) -> None:
    page = page_of(f"<h1>Bridge agreed</h1><p>A. {PROSE}</p><h1>Part</h1>{STORY}", "<title>Bridge agreed</title>")
    assert of_one_article(page) == ["A.", "Part", *THREE]


def test_without_a_known_headline_nothing_is_cut(page_of: MakePage) -> None:
    assert of_one_article(page_of(f"<p>A</p>{STORY * 3}<h1></h1><p>Z</p>")) == ["A", *THREE * 3, "Z"]


def test_a_text_that_begins_above_its_headline_keeps_its_start(page_of: MakePage) -> None:
    page = page_of(
        f"{STORY}<h1>Bridge agreed</h1>{STORY}<h1>Storm over</h1><p>Four</p>", "<title>Bridge agreed</title>"
    )
    assert of_one_article(page) == [*THREE, "Bridge", *THREE]


def test_what_is_named_hidden_goes_even_where_it_is_longer_than_the_article(page_of: MakePage) -> None:
    appeal = f"<div class='hidden box'><p>Help {PROSE * 8}</p></div>"
    assert of_one_article(page_of(f"<article>{STORY}</article>{appeal}")) == THREE
    parts = "".join(f"<div class='hidden'>{STORY}</div>" for _ in range(5))
    assert len(of_one_article(page_of(f"<article>{STORY}</article>{parts}"))) == 18
    assert of_one_article(page_of(f"<body class='hidden'>{STORY}</body>")) == THREE


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


def test_nothing_stays_nothing(page_of: MakePage) -> None:
    page = page_of("<h1>x</h1><input type=email>", "<title>x</title>")
    assert run_filters(page, (), OF_BLOCKS) == run_filters(page, (), OF_PARTS) == ()


def kept(html: str) -> list[str]:
    page = parse(html)
    filters = [one for one in FINISH if one.name in {"headline", "asides"}]
    return [page.runs[i].text for i in run_filters(page, range(len(page.runs)), filters)]


@pytest.mark.parametrize(
    "extra",
    [
        "<figure><img><figcaption>The bridge. <b>Photo:</b> AP</figcaption></figure>",
        "<aside><p>Read also</p><ul><li>This</ul></aside>",
        "<h1>Bridge agreed</h1>",
        "<div><span>BRIDGE AGREED!</span></div>",
        "<h1>Bridge <i>agreed</i></h1>",
    ],
)
def test_what_is_no_text_of_the_article_is_left_out(extra: str) -> None:
    assert kept(f"<title>Bridge agreed | The Herald</title><article>{extra}<p>{LONG}</p></article>") == [LONG]


@pytest.mark.parametrize(
    "title", ["Bridge agreed - The Herald", "Bridge agreed – City – The Herald", "Bridge agreed » News"]
)
def test_the_site_name_in_the_title_does_not_hide_the_headline(title: str) -> None:
    assert kept(f"<title>{title}</title><p>Bridge agreed</p><p>{LONG}</p>") == [LONG]


def test_sentences_that_mention_the_headline_stay() -> None:
    assert kept(f"<title>Bridge</title><p>Bridge builders wait</p><p>{LONG}</p>") == ["Bridge builders wait", LONG]


def test_a_page_that_keeps_its_article_in_an_aside_keeps_it() -> None:
    assert kept(f"<aside><p>{LONG}</p></aside><p>short</p>") == [LONG, "short"]


def test_only_chains_finish_and_algorithms_by_name_do_not() -> None:
    page = parse(
        f"<title>Bridge agreed today by all</title><main><div><h1>Bridge agreed today by all</h1><p>{LONG * 4}</p>"
        f"<p>{LONG * 4}</p></div></main>"
    )
    assert "Bridge agreed" not in run_chain(page, resolve("classic")).text
    assert "Bridge agreed" in run_chain(page, resolve("boilerpipe-wide+tree2")).text
    assert "Bridge agreed" not in run_chain(page, resolve("mine", {"mine": ["boilerpipe-wide+tree2"]})).text


SOURCE = (
    "<div class=shot><a href=#p1><img src=a.jpg></a><h3>The bridge in the morning</h3><p>Photo by the town</p></div>"
)
BRIDGE = (
    "<p>" + f"{LONG} The council of the town met on Monday and decided to build the new bridge at last. " * 2 + "</p>"
)


@pytest.mark.parametrize("chain", ["classic", "best"])
@pytest.mark.parametrize(
    "block",
    [
        f"<textarea hidden>{SOURCE * 20}</textarea>",
        f"<iframe src=//ads.example/>{SOURCE * 20}</iframe>",
        f"<iframe src=//ads.example/><script>show()</script>{SOURCE * 20}</iframe><textarea>{SOURCE}</textarea>",
    ],
    ids=["template in a text field", "advert in an iframe", "both"],
)
def test_the_source_of_html_is_never_text(block: str, chain: str) -> None:
    page = f"<title>Bridge agreed</title><body><h1>Bridge agreed</h1>{block}<div>{BRIDGE * 3}</div>"
    found = run_chain(parse(page), resolve(chain)).text
    assert "<" not in found
    assert LONG in found


def test_a_page_with_nothing_but_source_has_no_text() -> None:
    assert run_chain(parse(f"<body><iframe>{SOURCE * 20}</iframe>"), resolve("classic")).text == ""


def test_a_text_that_begins_with_a_tag_in_words_stays() -> None:
    text = "<p> is the element of a paragraph, and this sentence explains what it does on a page of the web."
    assert kept(f"<article><p>{text.replace('<', '&lt;')}</p></article>") == [text]


def article(part: str) -> str:
    return f"<div><p>{PROSE}</p><p>{PROSE}</p>{part}<p>{PROSE}</p></div>"


@pytest.mark.parametrize(
    "box",
    [
        pytest.param(f"<div><p>{OFFER}</p><input type=email></div>", id="beside the field"),
        pytest.param(f'<div><p>{OFFER}</p><div><INPUT TYPE="Email"></div></div>', id="above the field's element"),
        pytest.param(f'<section><h3>{OFFER}</h3><label><input name="EMAIL"></label></section>', id="by its name"),
        pytest.param(
            f'<div><input type=text name="your-mail"><p>{OFFER}</p><p>{OFFER}</p></div>', id="below the field"
        ),
    ],
)
def test_a_box_with_a_field_for_a_mail_address_goes(page_of: MakePage, left: Left, box: str) -> None:
    assert left(page_of(article(box)), "sign ups") == [PROSE.strip()] * 3


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(f"<div><p>{OFFER}</p><input type=search name=q></div>", id="another field"),
        pytest.param(f"<div><p>{OFFER}</p><input type=hidden name=mailto></div>", id="a hidden field"),
        pytest.param(f"<div><p>{PROSE * 3}</p><p>{OFFER}</p><input type=email></div>", id="a part of the article"),
        pytest.param(f"<p>{OFFER}</p><input type=email>", id="no element of its own"),
    ],
)
def test_other_parts_stay(page_of: MakePage, left: Left, part: str) -> None:
    assert OFFER in left(page_of(article(part)), "sign ups")


def test_an_article_that_is_hardly_more_than_its_box_stays(page_of: MakePage, left: Left) -> None:
    assert OFFER in left(page_of(f"<div><div><p>{OFFER}</p><input type=email></div><p>Sold out.</p></div>"), "sign ups")


ADDED = [replace(one, then=()) for one in FINISH if one.name == "missing parts"]


def restored(page: Page) -> list[str]:
    """The texts that are added to the page's paragraphs."""
    chosen = [i for i, run in enumerate(page.runs) if run.words >= PROSE_WORDS]
    return [page.runs[i].text for i in run_filters(page, chosen, ADDED) if page.runs[i].words < PROSE_WORDS]


@pytest.mark.parametrize(
    ("part", "texts"),
    [
        pytest.param("<p>Why?</p><p>We trained.</p>", ["Why?", "We trained."], id="turns of an interview"),
        pytest.param("<ul><li>Mark Hill<li>Ana Torres</ul>", ["Mark Hill", "Ana Torres"], id="names"),
        pytest.param("<p>That was in 1911.</p>", ["That was in 1911."], id="a sentence with a year"),
        pytest.param("<p>Updated: 16 May 2026</p>", [], id="a line with a date"),
        pytest.param("<p>Read <a href=/b>this</a>.</p>", [], id="a link"),
        pytest.param("<p hidden>Nobody sees this.</p>", [], id="not displayed"),
        pytest.param('<p class="advert">Buy now.</p>', [], id="a box"),
        pytest.param("<ul><li><a href=/a>Sport</a><li><a href=/b>Weather</a></ul>", [], id="a menu"),
        pytest.param("<div>Photo</div>", [], id="an element that is no paragraph"),
    ],
)
def test_parts_between_paragraphs(page_of: MakePage, part: str, texts: list[str]) -> None:
    assert restored(page_of(f"<div><p>{PROSE}</p>{part}<p>{PROSE}</p></div>")) == texts


def test_a_short_paragraph_below_the_last_stays_out(page_of: MakePage) -> None:
    assert restored(page_of(f"<div><p>{PROSE}</p><p>{PROSE}</p><p>Why?</p></div>")) == []
