"""Systems are found by name. An unknown name is an error before any work."""

from __future__ import annotations

import pytest

from newscrawl.bench.measure import SystemInput, chain_names, system
from newscrawl.errors import UsageError
from newscrawl.page import parse

SENTENCES = "The town council met on Monday evening and decided to build the new bridge that many had asked for. "
HTML = f"<main><div><article><p>{SENTENCES * 4}</p><p>{SENTENCES * 5}</p></article></div></main>"


@pytest.mark.parametrize("name", [*chain_names(), "boilerpipe-wide+tree", "boilerpipe-article+tree2", "justext+tree3"])
def test_every_system_of_ours_gives_a_text_or_none(name: str) -> None:
    text = system(name)(SystemInput(parse(HTML), HTML))
    assert isinstance(text, str)
    if name.startswith("classic"):
        assert text.count("council") == 9


@pytest.mark.parametrize(
    "name", ["clasic", "classic@7", "classic@x", "boilerpipe-wide+tree9", "boilerpipe-wide+treex", "nothing@2"]
)
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        system(name)


def test_the_default_chain_comes_first() -> None:
    assert "classic" in chain_names()[:2]
    assert len(set(chain_names())) == len(chain_names())
