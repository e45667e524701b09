"""No selector that is accepted, on no page, takes more than linear time, and a page that is too large says so."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from newscrawl.article.extracted import extract
from newscrawl.page import Page, parse
from newscrawl.site_hints import SiteHints
from newscrawl.site_hints.apply import TOO_LARGE, hints_of_page

NOW = datetime(2026, 11, 24, tzinfo=UTC)
PATIENCE = 15.0
"""CPU seconds for any selector on any page; they take two."""

FLAT = "<p class=a>one <span class=b>two</span></p>" * 12_000
DEEP = "<div class=a>" * 1_500 + "text"
INLINE = "<p>" + "<span class=a>" * 1_000 + "x" * 1_000 + "</span>" * 1_000 + ("<i class=a>y</i><br>" * 10_000)
WIDE = "<div>" + "<p><a href=/x>y</a></p>" * 12_000 + "</div>"
LONG = f"<p class='{'a ' * 3_000_000}'>x</p>" + "<p class=b>y</p>" * 1_000

SELECTORS = (
    "//*//*//*//*",
    "//*" * 20,
    "//*[.//*[.//*[.//*]]]",
    "//*[following-sibling::*[following-sibling::*[following-sibling::*]]]",
    "* * * * * * * * *",
    "* ~ * ~ * ~ * ~ *",
    ":has(:has(:has(p)))",
    "*:nth-last-child(3n+2):not(:nth-of-type(2n+1))",
    ".a",
    "//*[contains(concat(' ', normalize-space(@class), ' '), ' a ')]",
    "//*[contains(., 'nothing of the kind')]",
    "//*[translate(@class, 'abcdefgh', 'ABCDEFGH') = concat(., .)]",
)


def cpu_seconds(page: Page, selector: str, kind: str) -> float:
    hints = SiteHints.of({kind: selector})
    begun = time.process_time()
    found = hints_of_page(page, hints, NOW)
    assert found is not None
    assert found.matches or found.problem == TOO_LARGE
    return time.process_time() - begun


@pytest.mark.parametrize("html", [FLAT, DEEP, INLINE, WIDE, LONG], ids=["flat", "deep", "inline", "wide", "long"])
def test_every_selector_takes_bounded_time_on_every_page(html: str) -> None:
    page = parse(html)
    spent = {selector: cpu_seconds(page, selector, "drop") for selector in SELECTORS}
    assert max(spent.values()) < PATIENCE, spent


def test_ten_megabytes_are_not_too_much_and_fifty_hints_end() -> None:
    page = parse("<div class=art><p class=a>Some words of a long page.</p></div>" * 170_000)
    assert cpu_seconds(page, ".a", "drop") < PATIENCE
    many = {"drop": [f"//*[contains(., '{number}')]//*//*" for number in range(50)]}
    begun = time.process_time()
    found = hints_of_page(page, SiteHints.of(many), NOW)
    assert time.process_time() - begun < PATIENCE
    assert found is not None
    assert found.problem == TOO_LARGE
    assert not found.dropped


def test_a_page_that_is_too_large_is_extracted_without_its_hints() -> None:
    text = "<p>The council met on Monday and spoke for three hours about the bridge of the town.</p>" * 12
    extracted = extract(f"<main>{text}</main>" + "<i></i>" * 400_000, hints={"drop": ["//*//*//*[.//i]"] * 20})
    assert extracted.text.startswith("The council met")
    assert TOO_LARGE in extracted.problems
    assert extracted.trace[-1].reason == TOO_LARGE
