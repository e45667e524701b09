"""The lead paragraph between headline and article, and names of boxes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.beside import standfirst
from newscrawl.extraction.cleanup.within import ANY_NAMES, SURE_NAMES
from newscrawl.page import Page

MIDDLE = "The first of the two contracts goes to a company from the coast that has built bridges here before."


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
