"""The systems that are measured, by name: our recipes and chains, and other people's extractors as `peer/NAME`."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

from newscrawl.extraction import boilerpipe, justext
from newscrawl.extraction.chain import Chain, resolve, run_chain
from newscrawl.extraction.language import declared_language, detect, sample_text
from newscrawl.extraction.render import render
from newscrawl.extraction.treefilter import tree_filter
from newscrawl.page import Page

DEPTHS: Final = (1, 2, 3, 4, 5)
TREE_BASES: Final = ("boilerpipe-wide", "boilerpipe-article")
"""Recipes that are shown behind the tree filter at every depth."""
NO_LANGUAGE: Final = "und"
"""BCP 47's tag for a text whose language is not known."""


@dataclass(frozen=True, slots=True)
class Case:
    """One page as systems get it: parsed once for ours, decoded once for the others."""

    page: Page
    html: str


System = Callable[[Case], str]


def own_names() -> tuple[str, ...]:
    """All recipes, the tree filter at every depth, jusText, and the chain `classic` at every depth."""
    trees = [f"{base}+tree{depth}" for base in TREE_BASES for depth in DEPTHS]
    classics = [f"classic@{depth}" for depth in DEPTHS]
    return (*boilerpipe.RECIPES, *trees, *JUSTEXT, "classic", *classics)


def peer_names() -> tuple[str, ...]:
    """Other people's extractors that are installed."""
    return tuple(f"peer/{name}" for name in PEERS if importlib.util.find_spec(name.partition("-")[0]))


@cache
def system(name: str) -> System:
    """The system of that name; built once a process."""
    if name in JUSTEXT:
        return JUSTEXT[name]
    if name.startswith("peer/"):
        return PEERS[name.removeprefix("peer/")]()
    base, _, depth = name.partition("+tree")
    if base in boilerpipe.RECIPES:
        return partial(_recipe, recipe=base, depth=int(depth or 0))
    return partial(_chain, chain=_chain_of(name))


def _recipe(case: Case, *, recipe: str, depth: int) -> str:
    runs = boilerpipe.select(case.page, recipe)
    return render(case.page, tree_filter(case.page, runs, depth) if depth else runs)


def _chain(case: Case, *, chain: Chain) -> str:
    return run_chain(case.page, chain).text


def _chain_of(name: str) -> Chain:
    """A chain by name; `classic@N` is `classic` with the tree filter at depth N in the place of its group."""
    base, _, depth = name.partition("@")
    chain = resolve(base)
    if not depth:
        return chain
    (first,) = resolve(f"{TREE_BASES[0]}+tree{depth}").steps
    return replace(chain, name=name, steps=(first, *chain.steps[1:]))


def _justext(case: Case, *, language: Callable[[Page], str | None]) -> str:
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
"""jusText by how it learns the page's language: as shipped, only what the page declares, only what its text shows."""


def _boilerpy3(recipe: str) -> System:
    from boilerpy3 import extractors  # type: ignore[import-untyped]
    from boilerpy3.exceptions import HTMLExtractionError  # type: ignore[import-untyped]

    extractor = getattr(extractors, recipe)()

    def run(case: Case) -> str:
        try:
            return str(extractor.get_content(case.html))
        except HTMLExtractionError:  # it raises on pages that begin with <body>, on a stray </font> ...
            return ""

    return run


def _justext_package() -> System:
    import justext as package

    def run(case: Case) -> str:
        from newscrawl.extraction.justext import rules_for
        from newscrawl.extraction.language import page_language

        rules, words = rules_for(page_language(case.page))
        thresholds = {"stopwords_low": rules.stopwords_low, "stopwords_high": rules.stopwords_high}
        if not case.html.strip():
            return ""
        paragraphs = package.justext(case.html, words, **thresholds)
        return "\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return run


PEERS: Final[dict[str, Callable[[], System]]] = {
    "boilerpy3-article": partial(_boilerpy3, "ArticleExtractor"),
    "boilerpy3-default": partial(_boilerpy3, "DefaultExtractor"),
    "justext": _justext_package,
}
