"""Properties of the algorithms of the literature: each is a chain, in linear time, alone and with the tree filter."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable

import pytest

from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.page import Page, parse

NAMES = ["danag", "cetr", "ccb", "accb", "tccb", "dsc", "lqf"]
STORY = (
    "<p>The council of the old town met on Tuesday and said that it will build a library in the mill by the river, "
    "which has stood empty since the last miller left it to the town eleven years ago.</p>"
    "<p>Readers had asked for one for as long as anybody can remember, and the money had always gone elsewhere: to the "
    "road in the valley, to the roof of the school, and in the year of the flood to the bridge that everybody uses.</p>"
)
MENU = "".join(f'<li class="menu-item"><a href="/section/number-{n}">Section {n}</a></li>' for n in range(25))
TEASERS = "".join(f'<div class="teaser"><a href="/story/{n}">A mill by the river {n}</a></div>' for n in range(25))
CONTROL = (
    "<select><option>The colour of the mill that the council may choose on Tuesday in the old town</option></select>"
)
MAIN = f"<div id='story'>{STORY * 2}{CONTROL}{STORY * 2}</div>"
HTML = f"<div id='top'><ul>{MENU}</ul></div><main>{MAIN}</main><aside>{TEASERS}</aside>"


@pytest.mark.parametrize("name", [*NAMES, *(f"{name}+tree{depth}" for name in NAMES for depth in (1, 2))])
def test_the_story_is_kept_though_the_page_is_one_line_and_menus_at_most_at_its_edge(name: str) -> None:
    text = run_chain(parse(HTML), resolve(name)).text
    assert text.count("The council of the old town") == 4
    assert text.count("Readers had asked for one") == 4
    assert "Section 12" not in text
    assert "The colour" not in text
    assert "A mill by the river 12" not in text


@pytest.mark.parametrize("name", NAMES)
def test_the_same_page_gives_the_same_runs_twice_and_in_another_process_copy(name: str) -> None:
    page, chain = parse(HTML), resolve(name)
    copy = pickle.loads(pickle.dumps(chain))
    assert run_chain(page, chain).runs == run_chain(page, chain).runs == run_chain(parse(HTML), copy).runs


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


def test_numpy_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, newscrawl.extraction.chains; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
