"""Recipes: the filters of the original's extractors in order, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from newscrawl.extraction.boilerpipe.filters import Filter
from newscrawl.extraction.boilerpipe.filters.canola import CanolaClassifier
from newscrawl.extraction.boilerpipe.filters.english import (
    DensityRulesClassifier,
    IgnoreBlocksAfterContent,
    NumWordsRulesClassifier,
    TerminatingBlocksFinder,
)
from newscrawl.extraction.boilerpipe.filters.heuristics import (
    SAME_LEVEL_WORDS,
    BlockProximityFusion,
    ExpandTitleToContent,
    KeepLargestBlock,
    LargeBlockSameLevelToContent,
    ListAtEnd,
    SimpleBlockFusion,
    TrailingHeadlineToBoilerplate,
)
from newscrawl.extraction.boilerpipe.filters.simple import MinClauseWords, RemoveBoilerplate, SplitParagraphs
from newscrawl.extraction.boilerpipe.filters.titles import DocumentTitleMatchClassifier
from newscrawl.extraction.boilerpipe.labels import TITLE


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
