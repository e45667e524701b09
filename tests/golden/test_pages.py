"""The record of each page of tests/golden/pages by four chains, as `newscrawl extract --json` shows it.

`pages.toml` has the address of each page, the condition that the page shows, and the hints of its site if it has any.
The golden file of a page has all values of `classic`; of another chain it has those that differ from `classic`.
"""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from golden import FOLDER, check, readable

import newscrawl

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
