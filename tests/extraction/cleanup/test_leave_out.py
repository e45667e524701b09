"""`classic` gives the text of the article without its headline, captions and asides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction import resolve, run_chain
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
