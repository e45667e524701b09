"""Stores texts and stories in memory, as the tables do in the database, for benchmarks and tests of the decisions."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from newscrawl.identity.segmentation import Hashes
from newscrawl.identity.signature import shingles, signature
from newscrawl.identity.stories import OTHERS, StoryDecision, StoryPlace
from newscrawl.identity.story_updates import StoryUpdates

MIN_SHARED: Final = 2
MAX_ARTICLES: Final = 100
"""Texts that a value of a sketch leads to, as in storage (`newscrawl.storage.duplicates.lsh_index`)."""
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


class MemoryTextStore:
    """Texts by number (implements newscrawl.identity.story_updates.TextStore). `limit` is the largest number of
    texts with one value."""

    def __init__(self, texts: Mapping[int, str], limit: int = MAX_ARTICLES) -> None:
        self.shingles: Callable[[int], Hashes] = {number: shingles(text) for number, text in texts.items()}.__getitem__
        self.decisions: dict[int, StoryDecision] = {}
        self.stored: dict[int, StoryPlace] = {}
        self.representatives: dict[int, int] = {}
        self._sketches = {number: one.sketch for number, text in texts.items() if (one := signature(text))}
        self._bands: dict[int, list[int]] = defaultdict(list)
        self._members: dict[int, set[int]] = defaultdict(set)
        self._rejected: dict[int, set[int]] = defaultdict(set)
        self._limit = limit

    def add(self, numbers: Iterable[int], places: Mapping[int, StoryPlace], most: int = 10**9) -> set[int]:
        """Stores texts as one batch. Decides them, and at most `most` texts that depend on them. Returns those that
        are left."""
        new = [number for number in numbers if number in self._sketches]
        for number in new:
            self.stored[number] = places[number]
            for value in self._sketches[number]:
                if len(self._bands[value]) < self._limit:
                    self._bands[value].append(number)
        return self.decide_all(new, (), most)

    def decide_all(self, new: Collection[int], again: Collection[int], most: int = 10**9) -> set[int]:
        """Decides the texts and stores the decisions."""
        updates = StoryUpdates(self)
        left = updates.decide_all(new, again, most)
        for number, decision in updates.decided.items():
            self._drop(number)
            self.decisions[number] = decision
            story = number if decision.representative is None else decision.representative
            self.representatives[number] = story
            self._members[story].add(number)
            for representative in decision.rejected:
                self._rejected[representative].add(number)
        return left

    def remove(self, number: int) -> set[int]:
        """Removes a text. Returns the texts to be decided again."""
        affected = self.dependent_on(number)
        self._drop(number)
        self.stored.pop(number, None)
        for value in self._sketches.get(number, ()):
            if number in self._bands[value]:
                self._bands[value].remove(number)
        return affected & self.stored.keys()

    def dependent_on(self, number: int) -> set[int]:
        """Returns the texts whose decisions may change if this one is removed or moved to another place."""
        if number not in self.representatives:
            return set()
        story = self.representatives[number]
        return {number, story, *self.neighbours(number), *self.others(story), *self.rejected(story)}

    def neighbours(self, number: int) -> Counter[int]:
        """Returns the texts that share at least MIN_SHARED values of the sketch, with the number of shared values."""
        found = Counter(other for value in self._sketches.get(number, ()) for other in self._bands[value])
        return Counter({other: n for other, n in found.items() if n >= MIN_SHARED and other != number})

    def places(self, numbers: Collection[int]) -> Mapping[int, tuple[StoryPlace, int | None]]:
        """Returns the places of the stored texts, and their representatives."""
        return {n: (self.stored[n], self.representatives.get(n)) for n in numbers if n in self.stored}

    def size(self, number: int) -> int:
        """Returns the number of shingles of a text."""
        return len(self.shingles(number))

    def others(self, representative: int) -> Sequence[int]:
        """Returns the other texts of a story, in the order of their places."""
        return sorted(self._members[representative] - {representative}, key=self.stored.__getitem__)

    def first_others(self, representative: int) -> Sequence[int]:
        """Returns the first of them: as many as a decision compares with."""
        return self.others(representative)[:OTHERS]

    def rejected(self, representative: int) -> Collection[int]:
        """Returns the texts that were compared with a representative and did not join it."""
        return self._rejected[representative]

    def _drop(self, number: int) -> None:
        decision = self.decisions.pop(number, None)
        for representative in decision.rejected if decision is not None else ():
            self._rejected[representative].discard(number)
        story = self.representatives.pop(number, None)
        if story is not None:
            self._members[story].discard(number)

    def stories(self) -> set[frozenset[int]]:
        """Returns the stories with two or more texts."""
        found: dict[int, set[int]] = defaultdict(set)
        for number, representative in self.representatives.items():
            found[representative].add(number)
        return {frozenset(numbers) for numbers in found.values() if len(numbers) > 1}


def one_pass(texts: Mapping[int, str], places: Mapping[int, StoryPlace], limit: int = MAX_ARTICLES) -> MemoryTextStore:
    """Decides the texts one after the other, in order. Returns the store."""
    text_store = MemoryTextStore(texts, limit)
    for number in sorted(texts, key=places.__getitem__):
        text_store.add([number], places)
    return text_store


def places_of(order: Sequence[int]) -> dict[int, StoryPlace]:
    """Returns places one minute apart, in the order given."""
    return {number: StoryPlace(START + timedelta(minutes=minute), "", number) for minute, number in enumerate(order)}


def shuffled(numbers: Iterable[int], seed: int) -> list[int]:
    """Returns the numbers in another order, which is the same in each run."""
    order = sorted(numbers)
    random.Random(seed).shuffle(order)
    return order
