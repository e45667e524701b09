"""Learns weights of the words in ids and classes: in how many sites they are around text, and in how many not."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from benchmarks.train.labels import Labels
from newscrawl.extraction.learned.tree import Tree

MIN_SITES: Final = 4
"""A word of fewer sites says nothing of others."""
SMOOTH: Final = 1.0

Counts = dict[str, tuple[float, float]]
"""Weight of text and of other runs below elements that a word names."""


def page_counts(tree: Tree, labels: Labels) -> Counts:
    """How much of a page's weight stands below elements with each word, as text and not."""
    counts: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    paths: dict[int, frozenset[str]] = {0: frozenset()}
    for element, (words, above) in enumerate(zip(tree.words, tree.parents.tolist(), strict=True)):
        paths[element] = paths[above].union(words) if words else paths[above]
    for run, target, weight in zip(tree.of_run.tolist(), labels.target, labels.weight, strict=True):
        for word in paths[run] if weight else ():
            counts[word][0 if target else 1] += float(weight)
    return {word: (text, other) for word, (text, other) in counts.items()}


def site_shares(pages: Iterable[Counts]) -> Counts:
    """The vote of one site on each word. Both numbers add up to 1."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for counts in pages:
        for word, (text, other) in counts.items():
            sums[word][0] += text
            sums[word][1] += other
    return {w: (text / (text + other), other / (text + other)) for w, (text, other) in sums.items() if text + other > 0}


def total(shares: Iterable[Counts]) -> Counts:
    """The votes of all sites."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for site in shares:
        for word, (text, other) in site.items():
            sums[word][0] += text
            sums[word][1] += other
    return {word: (text, other) for word, (text, other) in sums.items()}


def weights(votes: Counts, without: Mapping[str, tuple[float, float]] | None = None) -> dict[str, float]:
    """Log-odds of text for each word of `MIN_SITES` sites.

    `without` takes one site's own votes away, so that its pages do not teach what a word says on that site alone.
    """
    own = without or {}
    words = votes if without is None else own
    found = {}
    for word in sorted(words):
        if word not in votes:
            continue
        text, other = votes[word]
        own_text, own_other = own.get(word, (0.0, 0.0))
        text, other = max(0.0, text - own_text), max(0.0, other - own_other)
        if text + other >= MIN_SITES - 0.01:
            found[word] = round(math.log((text + SMOOTH) / (other + SMOOTH)), 3)
    return found
