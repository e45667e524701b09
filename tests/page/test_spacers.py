"""Gaps that authors make with no-break spaces, and titles without an end."""

from __future__ import annotations

import pytest

from newscrawl.page import parse
from newscrawl.page.parse import TITLE_NOT_CLOSED


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
