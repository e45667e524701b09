"""`classic` gives the text of the article without its headline, captions and asides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.cleanup.leave_out import leave_out
from newscrawl.page import parse


def left(html: str) -> list[str]:
    page = parse(html)
    return [page.runs[i].text for i in leave_out(page, range(len(page.runs)))]


LONG = "A long paragraph that is the article's own text and must stay whatever else is left out."


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
    assert left(f"<title>Bridge agreed | The Herald</title><article>{extra}<p>{LONG}</p></article>") == [LONG]


@pytest.mark.parametrize(
    "title", ["Bridge agreed - The Herald", "Bridge agreed – City – The Herald", "Bridge agreed » News"]
)
def test_the_site_name_in_the_title_does_not_hide_the_headline(title: str) -> None:
    assert left(f"<title>{title}</title><p>Bridge agreed</p><p>{LONG}</p>") == [LONG]


def test_sentences_that_mention_the_headline_stay() -> None:
    assert left(f"<title>Bridge</title><p>Bridge builders wait</p><p>{LONG}</p>") == ["Bridge builders wait", LONG]


def test_a_page_that_keeps_its_article_in_an_aside_keeps_it() -> None:
    assert left(f"<aside><p>{LONG}</p></aside><p>short</p>") == [LONG, "short"]


def test_only_chains_finish_and_algorithms_by_name_do_not() -> None:
    page = parse(
        f"<title>Bridge agreed today by all</title><main><div><h1>Bridge agreed today by all</h1><p>{LONG * 4}</p>"
        f"<p>{LONG * 4}</p></div></main>"
    )
    assert "Bridge agreed" not in run_chain(page, resolve("classic")).text
    assert "Bridge agreed" in run_chain(page, resolve("boilerpipe-wide+tree2")).text
    assert "Bridge agreed" not in run_chain(page, resolve("mine", {"mine": ["boilerpipe-wide+tree2"]})).text


def test_time_is_linear_in_nested_asides_and_in_runs(doubling: Callable[..., None]) -> None:
    def make(n: int) -> object:
        return parse("<div>" * min(n, 900) + "<p>text of a paragraph</p>" * n)

    doubling(lambda page: leave_out(page, range(len(page.runs))), make, 500)


SOURCE = (
    "<div class=shot><a href=#p1><img src=a.jpg></a><h3>The bridge in the morning</h3><p>Photo by the town</p></div>"
)
STORY = (
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
    page = f"<title>Bridge agreed</title><body><h1>Bridge agreed</h1>{block}<div>{STORY * 3}</div>"
    found = run_chain(parse(page), resolve(chain)).text
    assert "<" not in found
    assert LONG in found


def test_a_page_with_nothing_but_source_has_no_text() -> None:
    assert run_chain(parse(f"<body><iframe>{SOURCE * 20}</iframe>"), resolve("classic")).text == ""


def test_a_text_that_begins_with_a_tag_in_words_stays() -> None:
    text = "<p> is the element of a paragraph, and this sentence explains what it does on a page of the web."
    assert left(f"<article><p>{text.replace('<', '&lt;')}</p></article>") == [text]
