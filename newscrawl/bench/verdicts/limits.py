"""Chooses the limits of probability below which a page is no article, from a few round values for each kind.

Each kind has its own: articles look like pages of services or listings, and hardly ever like documentation. Pages that
have nothing an article has share one (`BARE`). The values are few and round, because a limit that follows the
probability of a single article depends on which articles were seen: chosen on four fifths of the pages, such limits of
services were between 0.1 and 2 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from newscrawl.article.page_kinds.judge import judged_row
from newscrawl.article.page_kinds.model import ARTICLE, BARE, LEARNED, LISTED, KindModel, is_bare
from newscrawl.bench.verdicts.pages import KindPage

OTHERS: Final = LEARNED[1:]
"""The kinds other than article."""
CHOICES: Final = (
    (("documentation", "forum", "product"), (0.1, 0.2)),
    (("listing",), (0.03, 0.05)),
    (("service",), (0.02, 0.03, 0.04)),
    ((BARE,), (0.03, 0.1)),
)
"""Groups of pages that have one limit, and the limits they may have. The highest were read off cross-validated
probabilities of six models: with higher ones (30 % for documentation, forum and product, 8 % for listing) these lose 1
and 0.7 articles more of 3,511 on average, and find at most .01 more of the other pages."""
MAX_LOST: Final = 0.003
"""The most articles that may be below the limits, of those that may be learned from. All corpora have 2.3 times as many
articles; in nested cross-validation 4 of 3,511 are lost, 1.1 in 1,000."""
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
    """Returns the limit of each group and of listed pages. Of the limits below which no more articles are than allowed,
    these find most of the other pages, each kind counting the same. If there are none, the lowest are returned.

    `guesses` are those of the `pages` that the model decides, at least one of them an article.
    """
    number = Counter(page.kind for page in pages)
    allowed = int(MAX_LOST * number[ARTICLE])
    best, found = next(_possible()), -1.0
    for limits in _possible():
        below = [guess.page.kind for guess in guesses if guess.article < limits[guess.group]]
        share = sum(1 / number[kind] for kind in below if kind != ARTICLE)
        if below.count(ARTICLE) <= allowed and share > found:
            best, found = limits, share
    return {**best, LISTED: LISTED_SHARE * min(guess.article for guess in guesses if guess.page.kind == ARTICLE)}


def _possible() -> Iterator[dict[str, float]]:
    """Yields all limits that may be chosen, the lowest first."""
    for chosen in product(*(values for _, values in CHOICES)):
        limits = {group: limit for (groups, _), limit in zip(CHOICES, chosen, strict=True) for group in groups}
        yield {group: limits[group] for group in (*OTHERS, BARE)}
