"""What is extracted of each page of tests/golden/pages: its record by four chains, as `newscrawl extract --json` shows
it, and of every second page the runs that each algorithm keeps, alone and with the tree filter.

`pages.toml` has the address of each page, the condition that the page shows, and the hints of its site if it has any.
The golden file of a page has all values of `classic`; of another chain it has those that differ from `classic`.
"""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final

import pytest
from golden import FOLDER, check, readable

import newscrawl
from newscrawl.extraction.chain import known_names, resolve, run_chain
from newscrawl.page import parse

CHAINS: Final = ("classic", "best", "justext", "boilerpipe-article")
FETCHED_AT: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
PAGES: Final[dict[str, Any]] = tomllib.loads((FOLDER / "pages" / "pages.toml").read_text("utf-8"))


def record(name: str, chain: str) -> dict[str, Any]:
    """Returns the record of a page. Each line of its text is a value, so that a difference shows where it is."""
    page = PAGES[name]
    body = (FOLDER / "pages" / f"{name}.html").read_bytes()
    found = newscrawl.extract(body, url=page["url"], chain=chain, fetched_at=FETCHED_AT, hints=page.get("hints"))
    values = found.to_dict()
    return {**values, "text": values["text"].split("\n")}


@pytest.mark.parametrize("name", PAGES)
def test_the_record_of_a_page(name: str) -> None:
    of_chain = {chain: record(name, chain) for chain in CHAINS}
    classic = of_chain["classic"]
    for chain in CHAINS[1:]:
        values = of_chain[chain]
        of_chain[chain] = {key: value for key, value in values.items() if value != classic[key]}
    check(f"pages/{name}.json", readable(of_chain))


@pytest.mark.parametrize("ending", ["html", "json"])
def test_each_stored_page_and_record_is_named(ending: str) -> None:
    assert sorted(PAGES) == sorted(path.stem for path in (FOLDER / "pages").glob(f"*.{ending}"))


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
