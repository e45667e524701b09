"""What the commands that train a model share: scikit-learn, which only they need, its trees as plain lists, and folds
over sites: a site, and copies of a page, are only on one side."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import combinations
from typing import Any, Final

from newscrawl.errors import UsageError
from newscrawl.extraction.confidence import Tree
from newscrawl.extraction.learned.text import tokens


def require_scikit_learn(otherwise: str = "") -> None:
    """Raises UsageError if scikit-learn is not installed; the message ends with `otherwise`. Does not import it.

    A command that trains a model calls this before it imports the module that does, and before it reads pages.
    """
    if find_spec("sklearn") is None:
        raise UsageError(f"training a model needs scikit-learn: run `make peers`{otherwise}")


def plain_tree(nodes: Any, digits: int, *, share: float = 1.0) -> Tree:
    """Returns the tree of a predictor's table of nodes. Thresholds and scores have so many significant digits.

    The scores are multiplied by `share`, the part that the tree has in an average of ensembles.
    """

    def tree(place: int) -> Tree:
        node = nodes[place]
        if node["is_leaf"]:
            return float(f"{node['value'] * share:.{digits}g}")
        threshold = float(f"{node['num_threshold']:.{digits}g}")
        return [int(node["feature_idx"]), threshold, tree(node["left"]), tree(node["right"])]

    return tree(0)


SHINGLE: Final = 5
KEPT: Final = 20
"""Lowest shingle hashes that stand for a text."""
SHARED: Final = 8
"""Of those, how many two copies have in common (an estimate of 40 % common shingles)."""
MAX_ARTICLES: Final = 50
"""A shingle of more texts is a phrase of the trade."""


def folds_of(sites: Sequence[str], texts: Sequence[str], count: int) -> list[int]:
    """The fold of every page, from its site and text; sites that share a text stand in one fold."""
    joined = _Joined()
    for one, other in near_copies(texts):
        joined.join(sites[one], sites[other])
    return [_number(joined.name(site)) % count for site in sites]


def near_copies(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of texts of which large parts are the same, by the lowest hashes of their shingles (Broder's sketches)."""
    holders: dict[bytes, list[int]] = {}
    for number, text in enumerate(texts):
        for digest in _sketch(text):
            holders.setdefault(digest, []).append(number)
    together = Counter(
        pair for group in holders.values() if len(group) <= MAX_ARTICLES for pair in combinations(group, 2)
    )
    return sorted(pair for pair, count in together.items() if count >= SHARED)


def _sketch(text: str) -> list[bytes]:
    words = tokens(text)
    grams = {" ".join(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1))}
    return sorted(hashlib.blake2b(gram.encode(), digest_size=8).digest() for gram in grams)[:KEPT]


class _Joined:
    """Joins sites to groups. A group has the name that sorts first."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def name(self, site: str) -> str:
        while (above := self._above.get(site, site)) != site:
            site = above
        return site

    def join(self, one: str, other: str) -> None:
        first, second = sorted((self.name(one), self.name(other)))
        self._above[second] = first


def _number(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest(), "big")
