"""The lead paragraph between headline and article."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.standfirst import standfirst
from newscrawl.page import Page

LEAD = "After ten years of talks the city will have a second bridge, and nobody knows yet who is to pay for it."
PROSE = "The council agreed on Tuesday to build the new bridge over the river after all."


def lead_of(page_of: Callable[..., Page], above: str, description: str = LEAD) -> list[str]:
    head = f"<title>Bridge agreed</title><meta name=description content='{description}'>"
    page = page_of(f"{above}<article><p>{PROSE}</p></article>", head)
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
        pytest.param(f"<h1>Bridge agreed</h1><p>{PROSE}</p>", id="another text"),
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
