"""What the other algorithms say of each run: Boilerpipe's steps, jusText's classes, the tree filter's groups."""

from __future__ import annotations

from typing import Final

import numpy as np

from newscrawl.extraction.boilerpipe.blocks import SPACER, TextDocument, document_of
from newscrawl.extraction.boilerpipe.filters import Filter
from newscrawl.extraction.boilerpipe.recipes import ARTICLE, WIDE
from newscrawl.extraction.boilerpipe.select import run_recipe
from newscrawl.extraction.justext.classify import Rules, classify, classify_context_free
from newscrawl.extraction.justext.paragraphs import make_paragraphs
from newscrawl.extraction.learned.text import Column
from newscrawl.extraction.treefilter import group_by_ancestor, identify_paragraphs, list_ancestors, select_largest
from newscrawl.page import Page

NUM_WORDS_STEP: Final = 3
"""After so many steps of the wide recipe the blocks are classified and not yet fused."""
TREE_DEPTHS: Final = (1, 2, 3, 5)
_CLASSES: Final = {"good": 3.0, "neargood": 2.0, "short": 1.0, "bad": 0.0}

OPINION_FEATURES: Final = (
    "boilerpipe_words",
    "boilerpipe_wide",
    "boilerpipe_article",
    "boilerpipe_label",
    *(f"tree_{depth}" for depth in TREE_DEPTHS),
    "justext_alone",
    "justext_final",
    "before_article",
    "after_article",
    "of_wide",
)


def opinion_features(page: Page, stopwords: frozenset[str], rules: Rules) -> list[Column]:
    """The columns of `OPINION_FEATURES`."""
    boilerpipe = _boilerpipe(page)
    wide, article = boilerpipe[1], boilerpipe[2]
    kept = np.flatnonzero(wide).tolist()
    return [*boilerpipe, *_groups(page, kept), *_justext(page, stopwords, rules), *_places(page, wide, article)]


def _boilerpipe(page: Page) -> list[Column]:
    """Decisions after the third step and at the end of the wide and the article recipe; labels after the third."""
    columns = [np.zeros(len(page.runs), dtype=np.float32) for _ in range(4)]
    steps = 0

    def note(column: Column, document: TextDocument) -> None:
        for block in document.blocks:
            if block.content:
                column[[run for run in block.runs if run != SPACER]] = 1

    def observe(_: Filter, _changed: bool, document: TextDocument) -> None:
        nonlocal steps
        steps += 1
        if steps == NUM_WORDS_STEP:
            note(columns[0], document)
            for block in document.blocks:
                if block.labels & 3:
                    columns[3][[run for run in block.runs if run != SPACER]] = block.labels & 3
        elif steps == len(WIDE.steps):
            note(columns[1], document)

    document = document_of(page)
    run_recipe(document, ARTICLE, observe)
    note(columns[2], document)
    return columns


def _groups(page: Page, kept: list[int]) -> list[Column]:
    """Membership in the largest group of the wide recipe's runs, at several depths."""
    paragraph_of = identify_paragraphs(page.elements, page.runs, kept)
    ancestors_of = list_ancestors(page.elements, paragraph_of.values(), max(TREE_DEPTHS))
    columns = []
    for depth in TREE_DEPTHS:
        cut = {paragraph: path[: depth + 1] for paragraph, path in ancestors_of.items()}
        column = np.zeros(len(page.runs), dtype=np.float32)
        column[list(select_largest(page.runs, group_by_ancestor(paragraph_of, cut)))] = 1
        columns.append(column)
    return columns


def _justext(page: Page, stopwords: frozenset[str], rules: Rules) -> list[Column]:
    alone, final = (np.full(len(page.runs), -1, dtype=np.float32) for _ in range(2))
    paragraphs = make_paragraphs(page.runs)
    classes = classify(paragraphs, stopwords, rules)
    for paragraph, klass in zip(paragraphs, classes, strict=True):
        runs = list(paragraph.runs)
        alone[runs] = _CLASSES[classify_context_free(paragraph, stopwords, rules)]
        final[runs] = _CLASSES[klass]
    return [alone, final]


def _places(page: Page, wide: Column, article: Column) -> list[Column]:
    """Distance in runs to the article recipe's first and last run, and the wide recipe's share of the characters."""
    numbers = np.arange(len(page.runs), dtype=np.float32)
    chosen = np.flatnonzero(article)
    first, last = (float(chosen[0]), float(chosen[-1])) if len(chosen) else (0.0, float(len(numbers)))
    lengths = np.array([len(run.text) for run in page.runs], dtype=np.float32)
    share = float((lengths * wide).sum() / max(1.0, float(lengths.sum())))
    return [
        np.clip(first - numbers, -20, 20),
        np.clip(numbers - last, -20, 20),
        np.full(len(numbers), share, dtype=np.float32),
    ]
