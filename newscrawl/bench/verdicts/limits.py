"""Chooses the limits of probability below which a page is no article.

Each kind has its own: articles look like pages of services or listings, and hardly ever like documentation. Pages that
have nothing an article has share one (`BARE`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Final

from newscrawl.article.page_kinds.judge import judged_row
from newscrawl.article.page_kinds.model import ARTICLE, BARE, LEARNED, LISTED, KindModel, is_bare
from newscrawl.bench.verdicts.pages import KindPage

OTHERS: Final = LEARNED[1:]
"""The kinds other than article."""
GROUPS: Final = (*OTHERS, BARE)
"""The groups of pages that have a limit each."""
MAX_LOST: Final = 0.002
"""The most articles that may be expected to be lost. If limits are just at an article, one more than those below
them is expected to be lost of as many new ones."""
MARGIN: Final = 0.5
"""A limit is this share of the probability of the next article, because new sites have other articles.
With .7, nested cross-validation lost 8 of 3,511 articles, more than allowed."""
MAX_LIMIT: Final = 0.2
"""The highest limit, for kinds that hardly any article looks like. Of 1,197 articles in cross-validation, 3 were lost
with this and the margin, and 8 with neither (limits up to .5); .65 and .68 of the other pages were found."""
LISTED_SHARE: Final = 0.1
"""The limit for pages that a feed lists, as a share of the lowest probability of any article."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A page, judged by a model that never saw its site."""

    page: KindPage
    article: float
    """The probability of an article."""
    group: str
    """The likeliest other kind, or `BARE`."""

    @classmethod
    def of(cls, page: KindPage, model: KindModel) -> Guess:
        """Returns the guess of `model` on a page that it decides."""
        _, probabilities = judged_row(model, page.row, lambda: page.words)
        group = BARE if is_bare(page.row) else max(OTHERS, key=probabilities.__getitem__)
        return cls(page, probabilities[ARTICLE], group)


def choose_limits(pages: Sequence[KindPage], guesses: Sequence[Guess]) -> Mapping[str, float]:
    """Returns the limit of each group and of listed pages. Of all limits with which no more articles than allowed are
    expected to be lost, these find most of the other pages, each kind counting the same.

    `guesses` are those of the `pages` that the model decides, at least one of them an article.
    """
    number = Counter(page.kind for page in pages)
    articles = {
        group: sorted(g.article for g in guesses if g.group == group and g.page.kind == ARTICLE) for group in GROUPS
    }
    others = [guess for guess in guesses if guess.page.kind != ARTICLE]
    allowed = max(0, int(MAX_LOST * number[ARTICLE]) - 1)
    best, found = {}, -1.0
    for losses in product(range(allowed + 1), repeat=len(GROUPS)):
        if sum(losses) > allowed:
            continue
        limits = {group: _limit(articles[group], lost) for group, lost in zip(GROUPS, losses, strict=True)}
        share = sum(1 / number[guess.page.kind] for guess in others if guess.article < limits[guess.group])
        if share > found:
            best, found = limits, share
    return {**best, LISTED: LISTED_SHARE * min(chain.from_iterable(articles.values()))}


def _limit(articles: Sequence[float], lost: int) -> float:
    """Returns the limit below which this many of the articles are."""
    return min(MAX_LIMIT, MARGIN * articles[lost]) if lost < len(articles) else MAX_LIMIT
