"""Chooses the limits of probability below which a page is no article.

Each kind has its own: articles look like pages of services or listings, and hardly ever like documentation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Final

from newscrawl.article.page_kinds.judge import judged_row
from newscrawl.article.page_kinds.model import ARTICLE, LEARNED, LISTED, KindModel
from newscrawl.bench.verdicts.pages import KindPage

OTHERS: Final = LEARNED[1:]
"""The kinds other than article."""
MAX_LOST: Final = 0.002
"""The most articles that may be expected to be lost. If limits are just at an article, one more than those below
them is expected to be lost of as many new ones."""
MARGIN: Final = 0.7
"""A limit is this share of the probability of the next article, because new sites have other articles."""
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
    kind: str
    """The likeliest other kind."""

    @classmethod
    def of(cls, page: KindPage, model: KindModel) -> Guess:
        """Returns the guess of `model` on a page that it decides."""
        _, probabilities = judged_row(model, page.row, lambda: page.words)
        return cls(page, probabilities[ARTICLE], max(OTHERS, key=probabilities.__getitem__))


def choose_limits(pages: Sequence[KindPage], guesses: Sequence[Guess]) -> Mapping[str, float]:
    """Returns the limit of each kind and of listed pages. Of all limits with which no more articles than allowed are
    expected to be lost, these find most of the other pages, each kind counting the same.

    `guesses` are those of the `pages` that the model decides, at least one of them an article.
    """
    number = Counter(page.kind for page in pages)
    articles = {
        kind: sorted(g.article for g in guesses if g.kind == kind and g.page.kind == ARTICLE) for kind in OTHERS
    }
    others = [guess for guess in guesses if guess.page.kind != ARTICLE]
    allowed = max(0, int(MAX_LOST * number[ARTICLE]) - 1)
    best, found = {}, -1.0
    for losses in product(range(allowed + 1), repeat=len(OTHERS)):
        if sum(losses) > allowed:
            continue
        limits = {kind: _limit(articles[kind], lost) for kind, lost in zip(OTHERS, losses, strict=True)}
        share = sum(1 / number[guess.page.kind] for guess in others if guess.article < limits[guess.kind])
        if share > found:
            best, found = limits, share
    return {**best, LISTED: LISTED_SHARE * min(chain.from_iterable(articles.values()))}


def _limit(articles: Sequence[float], lost: int) -> float:
    """Returns the limit below which this many of the articles are."""
    return min(MAX_LIMIT, MARGIN * articles[lost]) if lost < len(articles) else MAX_LIMIT
