"""Runs a recipe over a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from newscrawl.errors import UnknownChainError
from newscrawl.extraction.boilerpipe.blocks import SPACER, TextDocument, document_of
from newscrawl.extraction.boilerpipe.columns import content_of
from newscrawl.extraction.boilerpipe.filters import Filter
from newscrawl.extraction.boilerpipe.labels import label_names
from newscrawl.extraction.boilerpipe.recipes import ARTICLE, RECIPES, WIDE, Recipe
from newscrawl.page import Page

_FIRST: Final = WIDE.steps[:-1]
"""The steps that `content_of` computes at once."""

Observer: TypeAlias = Callable[[Filter, bool, TextDocument], None]
"""Called after each step with the filter, its return value and the document, which it must not change."""


@dataclass(frozen=True, slots=True)
class BlockState:
    """A block after a step."""

    runs: tuple[int, ...]
    content: bool
    labels: tuple[str, ...]
    words: int
    link_density: float
    level: int


@dataclass(frozen=True, slots=True)
class StepState:
    """All blocks after a step. Those that it removed are missing."""

    step: Filter
    changed: bool
    blocks: tuple[BlockState, ...]


def select(page: Page, recipe: str, observe: Observer | None = None) -> tuple[int, ...]:
    """Returns the indices of the runs of `page` that the recipe of this name keeps, in document order.

    Raises UnknownChainError if no recipe has the name. Never raises because of the page.
    """
    chosen = _recipe(recipe)
    if observe is None and chosen.steps[: len(_FIRST)] == _FIRST:
        document = content_of(page)
        steps = chosen.steps[len(_FIRST) :]
    else:
        document = document_of(page)
        steps = chosen.steps
    run_steps(document, steps, observe)
    return _kept(document)


def select_wide_and_article(page: Page) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the results of `boilerpipe-wide` and `boilerpipe-article`, in hardly more time than the latter, which
    begins with all steps of the former."""
    document = content_of(page)
    run_steps(document, WIDE.steps[len(_FIRST) :])
    wide = _kept(document)
    run_steps(document, ARTICLE.steps[len(WIDE.steps) :])
    return wide, _kept(document)


def trace(page: Page, recipe: str) -> tuple[StepState, ...]:
    """Returns the decisions of each step of a recipe on a page. Raises UnknownChainError as `select` does."""
    states: list[StepState] = []

    def record(step: Filter, changed: bool, document: TextDocument) -> None:
        blocks = tuple(
            BlockState(
                tuple(r for r in b.runs if r != SPACER),
                b.content,
                label_names(b.labels),
                b.words,
                b.link_density,
                b.level,
            )
            for b in document.blocks
        )
        states.append(StepState(step, changed, blocks))

    select(page, recipe, record)
    return tuple(states)


def run_steps(document: TextDocument, steps: Sequence[Filter], observe: Observer | None = None) -> None:
    """Runs all steps over `document`, changing it."""
    for step in steps:
        changed = step.process(document)
        if observe is not None:
            observe(step, changed, document)


def _kept(document: TextDocument) -> tuple[int, ...]:
    return tuple(sorted(run for block in document.blocks if block.content for run in block.runs if run != SPACER))


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownChainError(name, RECIPES)
    return RECIPES[name]
