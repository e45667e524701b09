"""The results of the other algorithms for each run: Boilerpipe's recipes, classic's group, jusText's class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from newscrawl.extraction.article_group import select_from
from newscrawl.extraction.boilerpipe import select_wide_and_article
from newscrawl.extraction.justext.classify import DEFAULT_RULES
from newscrawl.extraction.learned.character_stats import Column
from newscrawl.extraction.learned.text import Texts
from newscrawl.page import Page

NEAR: Final = 20
"""Distances are counted up to this number of runs."""

VOTE_FEATURES: Final = (
    "boilerpipe_wide",
    "boilerpipe_article",
    "classic_group",
    "justext_alone",
    "before_article",
    "after_article",
    "before_group",
    "after_group",
    "of_wide",
    "of_group",
)


@dataclass(frozen=True, slots=True)
class BaseVotes:
    """The runs that each algorithm keeps."""

    wide: tuple[int, ...]
    article: tuple[int, ...]
    group: tuple[int, ...]
    """The first step of `classic`: its tree filter's group."""


def base_votes_on(page: Page) -> BaseVotes:
    """Returns the runs that Boilerpipe's wide and article recipe and the first step of `classic` keep. The recipes are
    run once for all three."""
    wide, article = select_wide_and_article(page)
    return BaseVotes(wide, article, select_from(page, wide, article))


def base_vote_features(votes: BaseVotes, texts: Texts) -> list[Column]:
    """Returns the columns of `VOTE_FEATURES`, one value for each run. `texts` are the texts of all runs of the page."""
    size = len(texts.texts)
    wide, article, group = (_marks(size, runs) for runs in (votes.wide, votes.article, votes.group))
    total = max(1.0, float(texts.characters.sum()))
    return [
        wide,
        article,
        group,
        _justext(texts),
        *_distances(size, votes.article),
        *_distances(size, votes.group),
        np.full(size, float(texts.characters @ wide) / total, dtype=np.float32),
        np.full(size, float(texts.characters @ group) / total, dtype=np.float32),
    ]


def _marks(size: int, runs: Sequence[int]) -> Column:
    column = np.zeros(size, dtype=np.float32)
    column[list(runs)] = 1
    return column


def _distances(size: int, chosen: Sequence[int]) -> list[Column]:
    """Returns the runs to the first and from the last chosen one; negative inside."""
    numbers = np.arange(size, dtype=np.float32)
    first, last = (chosen[0], chosen[-1]) if chosen else (0, size)
    return [np.clip(first - numbers, -NEAR, NEAR), np.clip(numbers - last, -NEAR, NEAR)]


def _justext(texts: Texts) -> Column:
    """Returns jusText's class of each run by itself: bad 0, short 1, near-good 2, good 3.

    Its second stage, which uses the neighbours, is left to the second trees (docs/explanation/learned.md).
    """
    rules, lengths, linked = DEFAULT_RULES, texts.characters, texts.linked > 0
    good = np.where(lengths > rules.length_high, 3, 2)
    by_words = np.where(
        texts.stopwords >= rules.stopwords_high, good, np.where(texts.stopwords >= rules.stopwords_low, 2, 0)
    )
    classes = np.where(lengths < rules.length_low, np.where(linked, 0, 1), by_words)
    return np.where(texts.linked > rules.max_link_density, 0, classes).astype(np.float32)
