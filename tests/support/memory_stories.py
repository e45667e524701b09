"""Decides the stories of texts in memory, as storage does in the database: for benchmarks, and tests of decisions."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from newscrawl.model.identity.segmentation import Hashes
from newscrawl.model.identity.signature import shingles, signature
from newscrawl.model.identity.stories import OTHERS, StoryDecision, decide, nearest

MIN_SHARED: Final = 2
MAX_ARTICLES: Final = 100
"""Texts that a value of a signature leads to, as in storage (`newscrawl.storage.duplicates.join`)."""


class MemoryStories:
    """Texts by number, and the stories of those that were added. `limit` is the largest number of texts with one
    value."""

    def __init__(self, texts: Mapping[int, str], limit: int = MAX_ARTICLES) -> None:
        self.shingles: Callable[[int], Hashes] = {number: shingles(text) for number, text in texts.items()}.__getitem__
        self.decisions: dict[int, StoryDecision] = {}
        self.representatives: dict[int, int] = {}
        self.members: dict[int, list[int]] = defaultdict(list)
        """The texts of each story in the order in which they were added."""
        self._sketches = {number: one.sketch for number, text in texts.items() if (one := signature(text))}
        self._bands: dict[int, list[int]] = defaultdict(list)
        self._limit = limit

    def add(self, number: int) -> None:
        """Decides a text. A text without a signature is in no story."""
        if number not in self._sketches:
            return
        found = Counter(other for value in self._sketches[number] for other in self._bands[value])
        shared = {other: count for other, count in found.items() if count >= MIN_SHARED}
        candidates = {story: self.members[story][1 : 1 + OTHERS] for story in nearest(shared, self.representatives)}
        decision = self.decisions[number] = decide(number, candidates, self.shingles)
        story = number if decision.representative is None else decision.representative
        self.representatives[number] = story
        self.members[story].append(number)
        for value in self._sketches[number]:
            if len(self._bands[value]) < self._limit:
                self._bands[value].append(number)

    def stories(self) -> set[frozenset[int]]:
        """Returns the stories with two or more texts."""
        return {frozenset(numbers) for numbers in self.members.values() if len(numbers) > 1}


def one_pass(texts: Mapping[int, str], order: Iterable[int] | None = None, limit: int = MAX_ARTICLES) -> MemoryStories:
    """Adds the texts one after the other, in the order given or that of their numbers. Returns the stories."""
    found = MemoryStories(texts, limit)
    for number in sorted(texts) if order is None else order:
        found.add(number)
    return found


def shuffled(numbers: Iterable[int], seed: int) -> list[int]:
    """Returns the numbers in another order, which is the same in each run."""
    order = sorted(numbers)
    random.Random(seed).shuffle(order)
    return order
