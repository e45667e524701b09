"""Keeps stories as one pass over all texts in order would make them, while texts are added, moved and removed. Pure.

A decision depends on the earlier texts that share values with the text, on their representatives, and on the first
members of their stories. When one of these changes, the texts whose decisions depend on it are decided
again, earliest first. Each change affects later texts only, so this terminates with the result of one pass.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final, Protocol

from newscrawl.identity.segmentation import Hashes
from newscrawl.identity.stories import OTHERS, StoryCandidate, StoryDecision, StoryPlace, decide

COMPARED: Final = 16
"""Representatives that a text is compared with, those with most shared values first."""


class TextStore(Protocol):
    """The stored texts and stories, before the changes of a `StoryUpdates`."""

    def neighbours(self, number: int) -> Counter[int]:
        """Returns the texts that share enough values with the text to be compared with it, and how many they share."""

    def places(self, numbers: Collection[int]) -> Mapping[int, tuple[StoryPlace, int | None]]:
        """Returns the places of the texts that are stored, with their representatives: their own number, another
        text's, or None for a text that was never decided."""

    def first_others(self, representative: int) -> Sequence[int]:
        """Returns the first `OTHERS` members of a story, without its representative."""

    def others(self, representative: int) -> Sequence[int]:
        """Returns all members of a story, without its representative."""

    def rejected(self, representative: int) -> Collection[int]:
        """Returns the texts that do not join the story because they have too little in common with its first
        members."""

    def shingles(self, number: int) -> Hashes:
        """Returns the shingles of a text."""

    def size(self, number: int) -> int:
        """Returns the number of shingles of a text."""


class StoryUpdates:
    """The stories of a `TextStore`, with the decisions made since."""

    def __init__(self, store: TextStore) -> None:
        self.decided: dict[int, StoryDecision] = {}
        self._store = store
        self._places: dict[int, StoryPlace] = {}
        self._before: dict[int, int | None] = {}
        self._now: dict[int, int | None] = {}
        self._joined: dict[int, set[int]] = defaultdict(set)
        self._left: dict[int, set[int]] = defaultdict(set)
        self._rejected: dict[int, set[int]] = defaultdict(set)

    def decide_all(self, new: Collection[int], again: Collection[int], most: int) -> set[int]:
        """Decides all new texts, and at most `most` others: those of `again` and those that depend on changes.

        Returns the others that are not decided yet.
        """
        self.look_up({*new, *again})
        queue = [self._places[number] for number in {*new, *again} if number in self._places]
        heapify(queue)
        waiting = {place.number for place in queue}
        fresh, left = frozenset(new), set[int]()
        while queue:
            number = heappop(queue).number
            waiting.discard(number)
            if number not in fresh and most <= 0:
                left.add(number)
                continue
            most -= number not in fresh
            for other in self._decide(number) - waiting:
                heappush(queue, self._places[other])
                waiting.add(other)
        return left

    def look_up(self, numbers: Iterable[int]) -> None:
        """Reads the places of the texts from the store. One call for many texts is cheaper than many calls."""
        missing = {number for number in numbers if number not in self._places}
        if missing:
            for number, (place, representative) in self._store.places(missing).items():
                self._places[number] = place
                self._before[number] = self._now[number] = representative

    def knows(self, number: int) -> bool:
        """Returns whether the text is stored and was looked up."""
        return number in self._places

    def place(self, number: int) -> StoryPlace:
        """Returns the place of a text that was looked up."""
        return self._places[number]

    def representatives(self, numbers: Iterable[int]) -> set[int]:
        """Returns the representatives of the texts that have one and were looked up."""
        stories = {self._now.get(number) for number in numbers}
        return {number for number in stories if number is not None}

    def moved(self) -> dict[int, int | None]:
        """Returns the former representatives of the texts that have another one now."""
        return {number: self._before[number] for number in self.decided if self._before[number] != self._now[number]}

    def candidates(self, number: int) -> list[StoryCandidate]:
        """Returns the stories of earlier texts that share values with the text: those it is compared with, in order."""
        counts = self._store.neighbours(number)
        self.look_up(counts)
        mine = self._places[number]
        shared_with: dict[int, int] = {}
        for other, shared in counts.items():
            representative = self._representative(other, mine)
            if representative is not None:
                shared_with[representative] = max(shared, shared_with.get(representative, 0))
        chosen = sorted(shared_with, key=lambda story: (-shared_with[story], self._places[story]))[:COMPARED]
        return [
            StoryCandidate(story, [other for other in self._first_others(story) if self._places[other] < mine])
            for story in sorted(chosen, key=self._places.__getitem__)
        ]

    def _representative(self, number: int, before: StoryPlace) -> int | None:
        """Returns the representative of an earlier text; None if the text is not decided, or is to be decided again."""
        if number not in self._places or not self._places[number] < before:
            return None
        representative = self._now[number]
        if representative is not None and representative != number:
            self.look_up([representative])
        if (
            representative is None
            or self._now.get(representative) != representative
            or not self._places[representative] < before
        ):
            return None
        return representative

    def _decide(self, number: int) -> set[int]:
        """Decides the text. Returns the texts whose decisions depend on what that changed."""
        decision = decide(number, self.candidates(number), self._store.shingles, self._store.size)
        was, now = self._now[number], number if decision.representative is None else decision.representative
        self._note(number, decision)
        if was == now:
            return set()
        affected = set(self._store.neighbours(number))
        if was is not None:
            affected |= self._story(was, number)
        self._move(number, was, now)
        if was is not None or now != number:
            affected |= self._story(now, number)
        if was is not None and now == number:
            # Texts that were compared with a member while it had no representative ignored that member.
            affected.update(*(self._store.neighbours(other) for other in self._others(number)))
        return self._later(affected, number)

    def _story(self, representative: int, number: int) -> set[int]:
        """Returns the texts whose decisions depend on the text's part in a story: as its representative, or as one of
        its first members."""
        if representative != number:
            place = self._places[number]
            earlier = [other for other in self._first_others(representative) if self._places[other] < place]
            if len(earlier) >= OTHERS:
                return set()
        return {*self._others(representative), *self._rejections(representative)}

    def _later(self, numbers: Collection[int], number: int) -> set[int]:
        """Returns those of the texts that were decided and come after the text, or that it represents."""
        self.look_up(numbers)
        mine = self._places[number]
        return {
            other
            for other in numbers
            if self._now.get(other) is not None and (self._places[other] > mine or self._now[other] == number)
        } - {number}

    def _note(self, number: int, decision: StoryDecision) -> None:
        self.decided[number] = decision
        for representative in decision.rejected:
            self._rejected[representative].add(number)

    def _move(self, number: int, was: int | None, now: int) -> None:
        self._now[number] = now
        for representative, into, out_of in ((was, self._left, self._joined), (now, self._joined, self._left)):
            if representative is not None and representative != number:
                into[representative].add(number)
                out_of[representative].discard(number)

    def _first_others(self, representative: int) -> list[int]:
        stored = list(self._store.first_others(representative))
        left = self._left[representative]
        if len(stored) == OTHERS and left.intersection(stored):
            return self._others(representative)[:OTHERS]
        return self._in_order({*stored, *self._joined[representative]} - left)[:OTHERS]

    def _others(self, representative: int) -> list[int]:
        first = self._store.first_others(representative)
        stored = self._store.others(representative) if len(first) == OTHERS else first
        return self._in_order({*stored, *self._joined[representative]} - self._left[representative])

    def _in_order(self, numbers: Collection[int]) -> list[int]:
        self.look_up(numbers)
        return sorted((number for number in numbers if number in self._places), key=self._places.__getitem__)

    def _rejections(self, representative: int) -> set[int]:
        return {*self._store.rejected(representative), *self._rejected[representative]}
