"""The runs that each algorithm keeps of every second page of tests/golden/pages, alone and with the tree filter.

tests/golden/test_pages.py has the whole records of four chains; this file has the algorithms that users choose by name.
"""

from __future__ import annotations

import tomllib
from itertools import groupby
from typing import Final

from golden import FOLDER, check, readable

from newscrawl.extraction.chain import known_names, resolve, run_chain
from newscrawl.page import parse

PAGES: Final = tomllib.loads((FOLDER / "pages" / "pages.toml").read_text("utf-8"))
FILTERED: Final = ("boilerpipe-wide+tree1", "ccb+tree2", "justext+tree3", "learned+tree4", "boilerpipe-article+tree5")
"""Each depth of the tree filter behind one algorithm."""


def spans(runs: tuple[int, ...]) -> str:
    """Returns numbers of runs as "0-3 7", so that a difference is short."""
    groups = [[run for _, run in group] for _, group in groupby(enumerate(runs), lambda pair: pair[1] - pair[0])]
    return " ".join(f"{group[0]}-{group[-1]}" if len(group) > 1 else f"{group[0]}" for group in groups)


def test_the_runs_that_each_algorithm_keeps() -> None:
    chains = {name: resolve(name) for name in (*known_names(), *FILTERED)}
    pages = {name: parse((FOLDER / "pages" / f"{name}.html").read_bytes()) for name in list(PAGES)[::2]}
    kept = {
        page: {name: spans(run_chain(parsed, chain).runs) for name, chain in chains.items()}
        for page, parsed in pages.items()
    }
    check("algorithms.json", readable(kept))
