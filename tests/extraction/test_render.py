"""Text is laid out as readers see it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.render import render
from newscrawl.page import Page, parse


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("<p>One.</p><p>Two.</p>", "One.\n\nTwo.", id="blocks are paragraphs"),
        pytest.param("<p>One<br>two</p>", "One\ntwo", id="a br is a new line"),
        pytest.param("<p>One <br> two</p>", "One\ntwo", id="a br among blanks is a new line"),
        pytest.param("<div>One<br><br>two</div>", "One\n\ntwo", id="two brs are a new paragraph"),
        pytest.param("<p>One<br></p><p>two</p>", "One\n\ntwo", id="a br at a block's edge is no line of its own"),
        pytest.param("<section>One</section><br><section>two</section>", "One\n\ntwo", id="a br between blocks"),
        pytest.param(
            "<p><cite>One</cite><br><cite>two</cite></p>", "One\ntwo", id="a br between tags that are no blocks"
        ),
        pytest.param("<p>One <cite>two</cite> three</p>", "One two three", id="inner tags do not break the line"),
        pytest.param("<p>un<cite>brok</cite>en</p>", "unbroken", id="inner tags do not break words"),
        pytest.param("<p><q>One</q> <q>two</q></p>", "One two", id="a blank between tags is a blank"),
        pytest.param("<article>One</article>two", "One\n\ntwo", id="text after a block"),
        pytest.param("<p>中<cite>文</cite></p>", "中文", id="scripts without blanks get none"),
    ],
)
def test_layout(page_of: Callable[..., Page], body: str, text: str) -> None:
    page = page_of(body)
    assert render(page, range(len(page.runs))) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("<p>One<q>dropped</q>two</p>", "One two", id="words around a dropped run do not melt"),
        pytest.param("<p>One</p><p>dropped</p><p>two</p>", "One\n\ntwo", id="a dropped paragraph leaves one gap"),
        pytest.param("<p>One<br>dropped<br>two</p>", "One\ntwo", id="a dropped line leaves one new line"),
        pytest.param("<p>One<br>dropped<p>two</p>", "One\n\ntwo", id="the widest gap counts"),
    ],
)
def test_layout_around_dropped_runs(page_of: Callable[..., Page], body: str, text: str) -> None:
    page = page_of(body)
    assert render(page, [i for i, run in enumerate(page.runs) if run.text != "dropped"]) == text


def test_no_runs_give_no_text() -> None:
    assert render(parse("<p>text"), ()) == ""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param("coun&shy;cil", "council", id="soft hyphen"),
        pytest.param("coun\u200bcil \ufeffmet\u2060", "council met", id="zero-width blank, mark of byte order, joiner"),
        pytest.param("ข่าว\u200bวันนี้", "ข่าว\u200bวันนี้", id="between Thai words"),
        pytest.param("ភាសា\u200bខ្មែរ", "ភាសា\u200bខ្មែរ", id="between Khmer words"),
        pytest.param(
            "می\u200cخواهم 👨\u200d👩\u200d👧", "می\u200cخواهم 👨\u200d👩\u200d👧", id="joiners of Persian and emoji"
        ),
    ],
)
def test_invisible_characters_are_left_out_where_they_part_no_words(
    page_of: Callable[..., Page], body: str, text: str
) -> None:
    page = page_of(f"<p>{body}</p>")
    assert render(page, range(len(page.runs))) == text
