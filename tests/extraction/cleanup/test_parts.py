"""Short parts between chosen paragraphs are restored, and labels are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.parts import PROSE_WORDS, restore_parts
from newscrawl.page import Page

PROSE = "The council agreed on Tuesday to build the new bridge over the river, and the mayor was glad of it. "
MakePage = Callable[..., Page]


def restored(page: Page) -> list[str]:
    """The texts that are added to the page's paragraphs."""
    chosen = [i for i, run in enumerate(page.runs) if run.words >= PROSE_WORDS]
    return [page.runs[i].text for i in restore_parts(page, chosen) if page.runs[i].words < PROSE_WORDS]


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


def test_time_is_linear(page_of: MakePage, doubling: Callable[..., None]) -> None:
    def make(size: int) -> Page:
        return page_of(f"<div><p>{PROSE}</p>{'<p>Yes.</p><ul><li>a<li>b</ul>' * size}<p>{PROSE}</p></div>")

    doubling(restored, make, 500)
