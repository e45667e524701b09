"""Decides which runs of a page are the article, from the page's gold text, as docs/explanation/what-is-the-text.md
defines it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.bench.scores import common_subsequence
from newscrawl.extraction.learned.text import tokens
from newscrawl.extraction.learned.tree import GROUPS, groups_of
from newscrawl.page import Page
from newscrawl.page.elements import Elements
from newscrawl.page.run import HEADING

MIN_MATCHED: Final = 0.6
"""Share of a run's tokens in the common subsequence of page and gold from which it belongs to the article."""
MIN_SHINGLES: Final = 0.4
"""The same for pairs of neighbouring tokens of a longer run: common words alone match by chance."""
LONG_RUN: Final = 8
"""Tokens from which pairs are looked at."""
MIN_PAGE: Final = 0.75
"""Pages where the runs so found hold less than this share of the gold's tokens teach nothing: the text is elsewhere."""
MAX_TOKENS: Final = 30_000
"""Longer pages are left out: the subsequence takes the product of both lengths."""

MAX_COST: Final = 2.0
"""What all runs of a page cost together at most: a page's score cannot fall below nothing, however long its comments
are beside a short text. A third of the pages would cost more."""

_BYLINE: Final = re.compile(r"\W*(?:by|von|por|par|di|da|af|av|door)\s+\w", re.IGNORECASE)
_OUT_NAMES: Final = tuple(1 << list(GROUPS).index(name) for name in ("caption", "byline", "date", "share", "related"))


@dataclass(frozen=True, slots=True)
class Labels:
    """For every run whether it is the article's (`target`) and what a mistake costs (`weight`)."""

    target: NDArray[np.bool_]
    weight: NDArray[np.float32]
    recall: float
    """Share of the gold's tokens found in the runs marked as text."""


def label_page(page: Page, gold: str) -> Labels | None:
    """Labels of a page's runs; None where page or gold are too long, too short or do not belong together."""
    wanted = tokens(gold)
    runs = [tokens(run.text) for run in page.runs]
    flat = [token for run in runs for token in run]
    if not wanted or not flat or len(flat) > MAX_TOKENS:
        return None
    matched = np.zeros(len(flat), dtype=bool)
    matched[common_subsequence(flat, wanted)] = True
    pairs = set(itertools.pairwise(wanted))
    target, weight, found, start = np.zeros(len(runs), dtype=bool), np.zeros(len(runs), dtype=np.float32), 0, 0
    for i, run in enumerate(runs):
        hits = int(matched[start : start + len(run)].sum())
        start += len(run)
        target[i] = _belongs(run, hits, pairs)
        weight[i] = len(run)
        found += hits if target[i] else 0
    recall = found / len(wanted)
    if recall < MIN_PAGE:
        return None
    weight = (weight + 2) / (target @ weight + 20)
    return _apply_taste(page, target, weight, recall)


def label_snippets(page: Page, required: Sequence[str], forbidden: Sequence[str]) -> Labels | None:
    """Labels of the runs that hold a snippet; the others cost nothing. None where no required snippet is found.

    A short snippet may stand in several runs (a headline, a teaser, the text): only the longest that has it is meant.
    """
    texts = [_folded(run.text) for run in page.runs]
    weight, target = np.zeros(len(texts), dtype=np.float32), np.zeros(len(texts), dtype=bool)
    for snippets, wanted in ((forbidden, False), (required, True)):
        found = {max(holders, key=lambda i: len(texts[i])) for s in snippets if (holders := _holders(texts, s))}
        for run in found:
            target[run], weight[run] = wanted, 1 / len(found)
    return Labels(target, weight, 1.0) if target.any() else None


def _holders(texts: Sequence[str], snippet: str) -> list[int]:
    folded = _folded(snippet)
    return [i for i, text in enumerate(texts) if folded and folded in text]


def _belongs(run: list[str], hits: int, pairs: set[tuple[str, str]]) -> bool:
    if not run or hits < MIN_MATCHED * len(run):
        return False
    if len(run) < LONG_RUN:
        return True
    own = list(itertools.pairwise(run))
    return sum(map(pairs.__contains__, own)) >= MIN_SHINGLES * len(own)


def _apply_taste(page: Page, target: NDArray[np.bool_], weight: NDArray[np.float32], recall: float) -> Labels:
    """Headline and captions are out whatever the gold says; where else golds differ a mistake costs nothing."""
    titles = {_folded(t) for t in (page.hints.headline, page.head.first("og:title"), page.head.title) if t}
    for i, run in enumerate(page.runs):
        in_caption = any(page.elements.name(e) == "figcaption" for e in _path(page.elements, run.element))
        if target[i] and (in_caption or _folded(run.text) in titles):
            target[i] = False
        elif (target[i] and run.words < 40 and groups_of(page.elements, run.element) & sum(_OUT_NAMES[:3])) or (
            target[i] and run.words < 8 and _BYLINE.match(run.text)
        ):
            weight[i] = 0
        elif not target[i] and run.flags & HEADING and 0 < i < len(target) - 1 and target[i - 1] and target[i + 1]:
            weight[i] = 0  # a sub-head that this gold leaves out
    return Labels(target, weight * np.float32(min(1.0, MAX_COST / max(1e-9, float(weight.sum())))), recall)


def _path(elements: Elements, element: int) -> list[int]:
    return [element, *elements.ancestors(element)]


def _folded(text: str) -> str:
    return " ".join(tokens(text))
