"""The algorithms of the literature need linear time. tests/golden/algorithms.json has what they keep of pages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from newscrawl.extraction.chain import resolve
from newscrawl.extraction.lines import TextLine
from newscrawl.extraction.literature.ratios import MAX_BARE_LINES, normalised_source, outside_origin, tag_ratios
from newscrawl.page import Page

NAMES = ["danag", "cetr", "ccb", "accb", "tccb", "dsc", "lqf"]
STORY = (
    "<p>The council of the old town met on Tuesday and said that it will build a library in the mill by the river, "
    "which has stood empty since the last miller left it to the town eleven years ago.</p>"
    "<p>Readers had asked for one for as long as anybody can remember, and the money had always gone elsewhere: to the "
    "road in the valley, to the roof of the school, and in the year of the flood to the bridge that everybody uses.</p>"
)
MENU = "".join(f'<li class="menu-item"><a href="/section/number-{n}">Section {n}</a></li>' for n in range(25))
SHAPES = {
    "short lines": "x<br>",
    "links and text": f"<ul>{MENU[:400]}</ul>{STORY}",
    "nested lists": "<ul><li><a href=/>x</a>",
    "elements without text": "<a href=/><div></div></a>",
}


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        *((name, shape) for name in NAMES for shape in ("short lines", "links and text")),
        *((name, shape) for name in ("accb", "lqf") for shape in ("nested lists", "elements without text")),
    ],
)
def test_time_is_linear(doubling: Callable[..., None], page_of: Callable[..., Page], name: str, shape: str) -> None:
    doubling(resolve(name).steps[0].select, lambda n: page_of(SHAPES[shape] * n + STORY), 100)


def test_the_time_of_all_steps_over_lines_is_linear(doubling: Callable[..., None]) -> None:
    def lines(n: int) -> list[TextLine]:
        return [TextLine((0,), length, length // 5, 0, 2, 0) for length in (3, 5, 12, 40, 300, 800, 500, 20)] * (n // 8)

    doubling(lambda lines: normalised_source(lines) and outside_origin(*tag_ratios(lines)), lines, 5000)


def test_a_million_empty_elements_are_no_million_lines() -> None:
    source = normalised_source([TextLine((0,), 100, 20, 0, 2_000_000, 9_000_000)])
    assert len(source) == MAX_BARE_LINES + 1
    assert source[-1].line == 0


def test_numpy_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, newscrawl.extraction.chains; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
