"""Chains by name."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.errors import ConfigurationError, UnknownChainError
from newscrawl.extraction.chain import resolve

EXTRACTORS = [
    "boilerpipe-article",
    "boilerpipe-article-sentences",
    "boilerpipe-canola",
    "boilerpipe-default",
    "boilerpipe-largest",
    "boilerpipe-num-words",
    "boilerpipe-wide",
    "boilerpipe-wide+group",
    "justext",
]


def steps(name: str, extra: dict[str, Any] | None = None) -> list[str]:
    return [step.name for step in resolve(name, extra or {}).steps]


def test_classic_is_boilerpipe_with_the_articles_group_then_justext_then_long_lines() -> None:
    assert steps("classic") == ["boilerpipe-wide+group", "justext", "unlinked+group"]


@pytest.mark.parametrize(("suffix", "depth"), [("+tree", 2), *((f"+tree{n}", n) for n in range(1, 6))])
@pytest.mark.parametrize("name", EXTRACTORS)
def test_any_extractor_can_have_a_tree_filter(name: str, suffix: str, depth: int) -> None:
    assert steps(name + suffix) == [f"{name.removesuffix('+group')}+tree{depth}"]


def test_a_tree_filter_on_a_chain_narrows_every_step() -> None:
    assert steps("classic+tree3") == ["boilerpipe-wide+tree3", "justext+tree3", "unlinked+tree3"]


def test_settings_define_more_chains() -> None:
    extra = {"mine": ["boilerpipe-article+tree1", "justext"], "other": ("justext+tree",)}
    assert steps("mine", extra) == ["boilerpipe-article+tree1", "justext"]
    assert steps("other", extra) == ["justext+tree2"]
    assert steps("mine+tree4", extra) == ["boilerpipe-article+tree4", "justext+tree4"]


@pytest.mark.parametrize(
    "name", ["", "nonsense", "classic+tree0", "classic+tree6", "justext+tree12", "justext+trees", "+tree", "Justext"]
)
def test_an_unknown_name_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownChainError, match=r"choose one of .*classic.*justext") as caught:
        resolve(name)
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"classic": ["justext"]}, "'classic' is built in"),
        ({"justext": ["justext"]}, "'justext' is built in"),
        ({"a+tree": ["justext"]}, r"leave out '\+'"),
        ({"mine": []}, "give a list of one or more"),
        ({"mine": "justext"}, "give a list of one or more"),
        ({"mine": None}, "give a list of one or more"),
        ({"mine": ["nonsense"]}, "'nonsense' is no extractor: choose one of accb, boilerpipe-article"),
        ({"mine": ["classic"]}, "'classic' is no extractor"),
        ({"mine": [3]}, "3 is no extractor"),
        ({"mine": ["justext+tree7"]}, "depths are 1 to 5"),
    ],
)
def test_a_chain_in_the_settings_that_cannot_work_is_refused_whichever_chain_is_asked_for(
    extra: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        resolve("justext", extra)
    assert caught.value.setting == "NEWSCRAWL_CHAINS"
