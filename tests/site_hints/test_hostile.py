"""The work of hints is known before: it is refused, or its time is in proportion to the estimate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from newscrawl import extract
from newscrawl.extraction.site_hints.apply import TOO_LARGE
from newscrawl.extraction.site_hints.cost import Shape, work_of
from newscrawl.extraction.site_hints.selectors import read_selector
from newscrawl.page import parse

PAGES: Final[dict[str, Callable[[int], str]]] = {
    "flat": lambda n: "<p class=a>one <span class=b>two</span></p>" * n,
    "deep": lambda n: "<div class=a>" * 40 + "<p class=b>x</p>" * n,
    "inline": lambda n: "<p><span class=a>x</span>" + "<i class=a>y</i><br>" * n,
    "words": lambda n: "<div>" * 200 + "<style>" + "word " * (50 * n),
    "attributes": lambda n: f"<p {' '.join(f'a{number}=x' for number in range(n // 20))}>x</p>",
    "classes": lambda n: f"<div class='{'a ' * n}'>" + "<p class=b>x</p>" * n,
}
ANYWHERE: Final = "//*[contains(., 'nothing of the kind')]"
STEPS: Final = 4
"""Doublings over which the growth of an estimate is averaged: depths and numbers of children are rounded up."""


def root_of(html: str) -> Any:
    return parse(html).tree.root


@pytest.mark.parametrize(
    ("selector", "shape"),
    [
        (".a .b", "flat"),
        (".a .b", "classes"),
        ("p + p", "flat"),
        ("//div//p", "deep"),
        ("//p[count(//p) > 2]", "flat"),
        ("//*[ancestor::*[.//nothing]]", "flat"),
        ("//*[contains(@class, 'a')]", "inline"),
        (ANYWHERE, "deep"),
    ],
)
def test_the_time_of_a_selector_grows_no_faster_than_its_estimate(
    selector: str, shape: str, doubling: Callable[..., None]
) -> None:
    found, page = read_selector(selector), PAGES[shape]
    small, large = (work_of(found.xpath, Shape(root_of(page(n)))) for n in (400, 400 << STEPS))
    doubling(found.find, lambda n: root_of(page(n)), 400, factor=1.4 * (large / small) ** (1 / STEPS))


@pytest.mark.parametrize(
    ("selector", "shape"),
    [
        ("//*[count(//*) > count(//*//*)]", "flat"),
        ("//div//p", "deep"),
        ("* ~ *", "flat"),
        ("//p[contains(//body, .)]", "flat"),
        (f"//*[ancestor::{ANYWHERE[2:]}]", "flat"),
        ("//p[contains(.., 'nothing of the kind')]", "flat"),
        (f"//*[{' or '.join(['string-length((.)) = 3'] * 12)}]", "words"),
        (f"//*[{' or '.join(['string-length(self::node()) = 3'] * 12)}]", "words"),
        (f"//*[{' or '.join(['floor(.) = 3'] * 12)}]", "words"),
        (f"//*[{' or '.join(['id(.)'] * 12)}]", "words"),
        (f"//*[{'normalize-space(' * 30}.{')' * 30} = 'x']", "words"),
        (f"//*[contains(., '{'w' * 900}')]", "words"),
        (f"//*[translate(., '{'x' * 900}', '') = 'x']", "words"),
        ("//*[@*[../@*[../@*[../@* = 'z']]]]", "attributes"),
    ],
)
def test_a_page_on_which_hints_would_take_too_long_is_extracted_without_them(selector: str, shape: str) -> None:
    text = "<p>The council met on Monday and spoke for three hours about the bridge of the town.</p>" * 12
    extracted = extract(f"<main>{text}</main>{PAGES[shape](20_000)}", hints={"drop": (".none", selector)})
    assert extracted.text.startswith("The council met")
    assert TOO_LARGE in extracted.problems
    assert extracted.trace[-1].reason == TOO_LARGE


def test_what_people_write_is_applied_on_large_pages() -> None:
    hints = {
        "drop": [
            ".story .advert",
            "//div[@class='story']//p[contains(., 'Ad')]",
            "//p[count(a) > 3]",
            "li ~ li > a",
        ],
        "keep": ["main > .story p", "//div[.//h2 and not(.//p)]", "//p[string-length(.) < 4]"],
    }
    story = "<div class=story><h2>A head</h2><p>Some words of it</p><ul><li>x<li><a>y</a></ul></div>"
    extracted = extract(f"<main>{story * 800}</main>", hints=hints)
    assert TOO_LARGE not in extracted.problems
    assert extracted.hints is not None
    assert len(extracted.hints.matches) == 7
