"""The measured systems by name: our recipes and chains, and other extractors as `peer/NAME`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

from newscrawl.bench.peers import PEERS, PREFIX, Subject, run_peer
from newscrawl.errors import UsageError
from newscrawl.extraction import boilerpipe, justext
from newscrawl.extraction.chain import Chain, resolve, run_chain
from newscrawl.extraction.chains import known_names
from newscrawl.extraction.language import declared_language, detect, page_language, sample_text
from newscrawl.extraction.render import render
from newscrawl.extraction.treefilter import DEFAULT_DEPTH, tree_filter
from newscrawl.page import Page

DEPTHS: Final = (1, 2, 3, 4, 5)
TREE_BASES: Final = ("boilerpipe-wide", "boilerpipe-article")
"""Recipes that are measured with the tree filter at every depth."""
NO_LANGUAGE: Final = "und"
"""The tag of BCP 47 for an unknown language."""
FIRST: Final = ("best", "classic")
"""Chains that come first in reports."""


@dataclass(frozen=True, slots=True)
class SystemInput:
    """The input of a system: the page parsed for ours and decoded for the others."""

    page: Page
    html: str


System = Callable[[SystemInput], str]


def chain_names() -> tuple[str, ...]:
    """Returns all our chains and algorithms without tree filter, the recommended ones first."""
    names = known_names()
    return (*(name for name in FIRST if name in names), *(name for name in names if name not in FIRST))


def own_names() -> tuple[str, ...]:
    """Returns all recipes, the tree filter at every depth, jusText, and the chain `classic` at every depth."""
    trees = [f"{base}+tree{depth}" for base in TREE_BASES for depth in DEPTHS]
    classics = [f"classic@{depth}" for depth in DEPTHS]
    return (*boilerpipe.RECIPES, *trees, *JUSTEXT, "classic", *classics)


@cache
def system(name: str) -> System:
    """Returns the system with this name, built once per process. Raises UsageError (UnknownChainError) for an unknown
    name."""
    if name in JUSTEXT:
        return JUSTEXT[name]
    if name.startswith(PREFIX):
        peer = name.removeprefix(PREFIX)
        if peer not in PEERS:
            raise UsageError(f"unknown peer {peer!r}: choose one of {', '.join(PEERS)}")
        return partial(_peer, name=peer)
    base, _, depth = name.partition("+tree")
    if base in boilerpipe.RECIPES:
        return partial(_recipe, recipe=base, depth=_depth(name, depth))
    return partial(_chain, chain=_chain_of(name))


def _peer(case: SystemInput, *, name: str) -> str:
    return run_peer(name, Subject(case.html, case.page.url, page_language(case.page)))


def _recipe(case: SystemInput, *, recipe: str, depth: int) -> str:
    runs = boilerpipe.select(case.page, recipe)
    return render(case.page, tree_filter(case.page, runs, depth) if depth else runs)


def _chain(case: SystemInput, *, chain: Chain) -> str:
    return run_chain(case.page, chain).text


def _chain_of(name: str) -> Chain:
    """A chain by name; in `classic@N` the tree filter at depth N chooses the group in the first step."""
    base, at, depth = name.partition("@")
    chain = resolve(base)
    if not at:
        return chain
    first, *rest = chain.steps
    recipe = first.extractor.removesuffix("+group")
    specs = (f"{recipe}+tree{_depth(name, depth)}", *(step.name for step in rest))
    return replace(resolve("at", {"at": specs}), name=name)


def _depth(name: str, digits: str) -> int:
    if digits and digits not in {str(depth) for depth in DEPTHS}:
        raise UsageError(f"unknown depth in {name!r}: choose 1 to {DEPTHS[-1]}")
    return int(digits) if digits else DEFAULT_DEPTH if name.endswith(("+tree", "@")) else 0


def _justext(case: SystemInput, *, language: Callable[[Page], str | None]) -> str:
    return render(case.page, justext.select(case.page, language(case.page)))


def _chosen(_page: Page) -> None:
    return None


def _declared(page: Page) -> str:
    return declared_language(page) or NO_LANGUAGE


def _detected(page: Page) -> str:
    return detect(sample_text(page))[0] or NO_LANGUAGE


JUSTEXT: Final[dict[str, System]] = {
    "justext": partial(_justext, language=_chosen),
    "justext-declared": partial(_justext, language=_declared),
    "justext-detected": partial(_justext, language=_detected),
}
"""jusText by the source of the language: the default, only declarations, only detection."""
