"""Recipes: the filters of the original's extractors in order, by name, and how a page is run through one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from newscrawl.errors import UnknownChainError
from newscrawl.extraction.boilerpipe.blocks import SPACER, TITLE, TextDocument, document_of, label_names
from newscrawl.extraction.boilerpipe.columns import content_of
from newscrawl.extraction.boilerpipe.filters import (
    SAME_LEVEL_WORDS,
    BlockProximityFusion,
    CanolaClassifier,
    DensityRulesClassifier,
    DocumentTitleMatchClassifier,
    ExpandTitleToContent,
    Filter,
    IgnoreBlocksAfterContent,
    KeepLargestBlock,
    LargeBlockSameLevelToContent,
    ListAtEnd,
    MinClauseWords,
    NumWordsRulesClassifier,
    RemoveBoilerplate,
    SimpleBlockFusion,
    SplitParagraphs,
    TerminatingBlocksFinder,
    TrailingHeadlineToBoilerplate,
)
from newscrawl.page import Page


@dataclass(frozen=True, slots=True)
class Recipe:
    """Filters that are run in order over a new document. The blocks that are content at the end are the text."""

    name: str
    steps: tuple[Filter, ...]


WIDE: Final = Recipe(
    "boilerpipe-wide",
    (
        TerminatingBlocksFinder(),
        DocumentTitleMatchClassifier(),
        NumWordsRulesClassifier(),
        IgnoreBlocksAfterContent(),
        TrailingHeadlineToBoilerplate(),
        BlockProximityFusion(),
        RemoveBoilerplate(keep=TITLE),
        BlockProximityFusion(content_only=True, same_level=True),
    ),
)
"""The article recipe without its keep-largest step and the three steps that only repair its effects.

A filter that chooses a group of paragraphs by the HTML tree needs the whole article, and keep-largest removes the parts
that an advert or a picture has separated.
"""

ARTICLE: Final = Recipe(
    "boilerpipe-article",
    (
        *WIDE.steps,
        KeepLargestBlock(expand_to_same_level=True, min_words=SAME_LEVEL_WORDS),
        ExpandTitleToContent(),
        LargeBlockSameLevelToContent(),
        ListAtEnd(),
    ),
)
"""For news articles: all twelve steps of the original's present ArticleExtractor."""

ARTICLE_SENTENCES: Final = Recipe(
    "boilerpipe-article-sentences",
    (
        *ARTICLE.steps,
        SplitParagraphs(),
        MinClauseWords(),
    ),
)
"""The article's paragraphs that contain a sentence (original: ArticleSentencesExtractor)."""

DEFAULT: Final = Recipe(
    "boilerpipe-default",
    (
        SimpleBlockFusion(),
        BlockProximityFusion(),
        DensityRulesClassifier(),
    ),
)
"""For pages of any kind, by text density (original: DefaultExtractor)."""

LARGEST: Final = Recipe(
    "boilerpipe-largest",
    (
        NumWordsRulesClassifier(),
        BlockProximityFusion(),
        KeepLargestBlock(),
    ),
)
"""The largest connected text (original: LargestContentExtractor)."""

CANOLA: Final = Recipe("boilerpipe-canola", (CanolaClassifier(),))
"""Trained on web pages of all kinds (original: CanolaExtractor)."""

NUM_WORDS: Final = Recipe("boilerpipe-num-words", (NumWordsRulesClassifier(),))
"""The paper's classifier by number of words alone (original: NumWordsRulesExtractor)."""

RECIPES: Final[Mapping[str, Recipe]] = MappingProxyType(
    {recipe.name: recipe for recipe in (ARTICLE, DEFAULT, ARTICLE_SENTENCES, LARGEST, CANOLA, NUM_WORDS, WIDE)}
)
"""All recipes by their public names."""


_FIRST: Final = WIDE.steps[:-1]
"""The steps that `content_of` computes at once."""

Observer: TypeAlias = Callable[[Filter, TextDocument], None]
"""Called after each step with the filter and the document, which it must not change."""


@dataclass(frozen=True, slots=True)
class BlockState:
    """A block after a step."""

    runs: tuple[int, ...]
    content: bool
    labels: tuple[str, ...]
    words: int
    link_density: float
    level: int


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


def trace(page: Page, recipe: str) -> list[tuple[Filter, tuple[BlockState, ...]]]:
    """Returns each step of a recipe with all blocks of a page after it; those that it removed are missing. Raises
    UnknownChainError as `select` does."""
    states: list[tuple[Filter, tuple[BlockState, ...]]] = []

    def record(step: Filter, document: TextDocument) -> None:
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
        states.append((step, blocks))

    select(page, recipe, record)
    return states


def run_steps(document: TextDocument, steps: Sequence[Filter], observe: Observer | None = None) -> None:
    """Runs all steps over `document`, changing it."""
    for step in steps:
        step.process(document)
        if observe is not None:
            observe(step, document)


def _kept(document: TextDocument) -> tuple[int, ...]:
    return tuple(sorted(run for block in document.blocks if block.content for run in block.runs if run != SPACER))


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownChainError(name, RECIPES)
    return RECIPES[name]
