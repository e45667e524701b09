"""Decides which story a text belongs to. Pure.

A story is one text, the representative, and the texts that were each compared with it and joined. A text is decided
once, when it is stored, and compared with the representatives of texts that were stored before. So a later text changes
nothing of an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.model.identity.resemblance import MIN_MEMBER_SHARE, Similarity, compare

if TYPE_CHECKING:  # loads numpy
    from newscrawl.model.identity.segmentation import Hashes

OTHERS: Final = 2
"""Members of a story, besides its representative, that a text is compared with before it joins: the first."""
COMPARED: Final = 16
"""Representatives that a text is compared with, those with most shared values first."""


@dataclass(frozen=True, slots=True)
class StoryCandidate:
    """A story as a text is compared with it: its representative and its first other members, by number."""

    representative: int
    others: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class ContainmentLink:
    """A text that is part of a larger one of another story. `containment` is the share of the part, 0 to 1, that the
    larger text has."""

    part: int
    whole: int
    containment: float


@dataclass(frozen=True, slots=True)
class StoryDecision:
    """The story of a text: another text's (`similarity` to its representative), or its own (both None)."""

    representative: int | None = None
    similarity: Similarity | None = None
    links: tuple[ContainmentLink, ...] = ()


def nearest(shared: Mapping[int, int], story_of: Mapping[int, int]) -> list[int]:
    """Returns the stories that a text is compared with, in the order of their numbers.

    `shared` has the stored texts that share values with the text's signature, and how many. `story_of` has the story of
    each.
    """
    best: dict[int, int] = {}
    for number, values in shared.items():
        story = story_of[number]
        best[story] = max(values, best.get(story, 0))
    return sorted(sorted(best, key=lambda story: (-best[story], story))[:COMPARED])


def decide(number: int, candidates: Sequence[StoryCandidate], of_text: Callable[[int], Hashes]) -> StoryDecision:
    """Joins the text to the representative with which it shares the largest part of the larger text; of several equal
    ones, to the first.

    The text must also share a quarter of the larger text with each of the story's first others. `of_text` returns the
    shingles of a text.
    """
    text = of_text(number)
    compared = [(candidate, compare(text, of_text(candidate.representative))) for candidate in candidates]
    joinable = sorted(
        (pair for pair in compared if pair[1].joins), key=lambda pair: -pair[1].share_of_larger
    )  # stable: the first of equals
    representative, similarity = next(
        (
            (candidate.representative, similarity)
            for candidate, similarity in joinable
            if all(compare(text, of_text(other)).share_of_larger >= MIN_MEMBER_SHARE for other in candidate.others)
        ),
        (None, None),
    )
    links = tuple(
        _link(number, candidate.representative, similar, len(text) <= len(of_text(candidate.representative)))
        for candidate, similar in compared
        if similar.contains and candidate.representative != representative
    )
    return StoryDecision(representative, similarity, links)


def _link(number: int, other: int, similarity: Similarity, is_part: bool) -> ContainmentLink:
    part, whole = (number, other) if is_part else (other, number)
    return ContainmentLink(part, whole, similarity.containment)
