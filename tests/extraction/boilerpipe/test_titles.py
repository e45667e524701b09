"""The headline is the first block with the page's title or an essential part of it."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.blocks import TITLE
from newscrawl.extraction.boilerpipe.filters.titles import DocumentTitleMatchClassifier, potential_titles


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        ("Rain ends the long drought", "Rain ends the long drought"),
        ("Rain ends the long drought", "RAIN ENDS THE LONG DROUGHT!"),
        ("Rain ends the long drought | Example News", "Rain ends the long drought"),
        ("Example » Weather » Rain ends the long drought", "Rain ends the long drought"),
        ("Weather: Rain ends the long drought", "Rain ends the long drought"),
        ("Rain ends the long drought (Example News)", "Rain ends the long drought"),
        ("Rain ends the long drought, Example", "Rain ends the long drought"),
        ("Farmers' joy\u00a0as rain falls", "Farmers joy as rain 'falls'"),
        ("Farmers joy as rain falls", "Farmers joy... as rain falls?"),
        ("Rain - the long-awaited end - Example", "Rain - the long-awaited end"),
        ("Example - the long-awaited end of drought", "The long-awaited end of drought"),
        ("First part of four | second part of four", "Second part of four"),
    ],
)
def test_the_headline_may_be_part_of_the_title(block: Any, document: Any, title: str, headline: str) -> None:
    page = document(block(text="Weather"), block(text=headline), block(text=headline), title=title)
    assert DocumentTitleMatchClassifier().process(page)
    assert [b.labels for b in page.blocks] == [0, TITLE, 0]


@pytest.mark.parametrize("title", [None, "", " ' ", "-", "||", "Rain ends the long drought"])
def test_a_page_that_does_not_show_its_title_has_no_headline(block: Any, document: Any, title: str | None) -> None:
    page = document(block(text="Rain comes"), block(text=""), block(text="- rain ends"), title=title)
    assert not DocumentTitleMatchClassifier().process(page)


def test_a_part_that_names_a_site_is_no_headline() -> None:
    titles = potential_titles("Rain falls | The very best news of example.com today")
    assert "rain falls" in titles
    assert "the very best news of example.com today" not in titles


def test_a_title_that_ends_in_a_separator_has_one_part_only() -> None:
    assert potential_titles("Rain falls:") == {"rain falls:"}
