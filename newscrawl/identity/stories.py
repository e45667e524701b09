"""Decides which story a text belongs to. Pure.

A story is a star: one text, the representative, and texts that are each tied to it directly. Texts are decided in the
order of `StoryPlace`. A text is compared with the representatives of earlier texts only, so a later text changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.identity.resemblance import GUARDED, JOINED, Tie, compare
from newscrawl.identity.segmentation import Hashes

OTHERS: Final = 2
"""Members of a story, besides its representative, that a text is compared with before it joins."""


@dataclass(frozen=True, slots=True, order=True)
class StoryPlace:
    """The place of a text in the order. The number decides only between equal hashes, which no two texts with a
    signature have."""

    first_seen: datetime
    content_hash: str
    number: int


@dataclass(frozen=True, slots=True)
class Star:
    """A story as a text is compared with it: its representative and its first other members, by number."""

    representative: int
    others: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class ContainmentLink:
    """A text that is part of a larger one of another story."""

    part: int
    whole: int
    containment: float


@dataclass(frozen=True, slots=True)
class StoryDecision:
    """The story of a text: another text's (`tie` to its representative), or its own (both None). `refused` are
    representatives whose stories it does not join, because it has too little in common with their first members."""

    representative: int | None = None
    tie: Tie | None = None
    refused: tuple[int, ...] = ()
    links: tuple[ContainmentLink, ...] = ()


def decide(
    number: int, stars: Sequence[Star], of_text: Callable[[int], Hashes], size_of: Callable[[int], int]
) -> StoryDecision:
    """Joins the text to the representative with the largest shared part of the larger text; of equals to the earliest.

    `stars` are in the order of their representatives' places. `of_text` returns the shingles of a text, `size_of` their
    number.
    """
    text = of_text(number)
    ties = [(star, compare(text, of_text(star.representative))) for star in stars]
    tied = sorted((pair for pair in ties if pair[1].joins), key=lambda pair: -pair[1].larger)  # stable: earliest first
    refused: list[int] = []
    joined: tuple[int | None, Tie | None] = None, None
    for star, tie in tied:
        sizes = len(text), size_of(star.representative)
        if all(
            _surely_shares(tie, *sizes, size_of(other)) or compare(text, of_text(other)).larger >= GUARDED
            for other in star.others
        ):
            joined = star.representative, tie
            break
        refused.append(star.representative)
    size = len(text)
    links = tuple(
        _link(number, star.representative, tie, size <= len(of_text(star.representative)))
        for star, tie in ties
        if tie.contains and star.representative != joined[0]
    )
    return StoryDecision(*joined, tuple(refused), links)


def _surely_shares(tie: Tie, text: int, representative: int, other: int) -> bool:
    """Returns whether the sizes alone prove that the text shares enough with another member.

    Both share parts with the representative, the other member more than half. If these parts together are larger than
    the representative, they overlap.
    """
    common = tie.larger * max(text, representative) + JOINED * max(other, representative) - representative
    return common >= GUARDED * max(text, other)


def _link(number: int, other: int, tie: Tie, is_part: bool) -> ContainmentLink:
    return (
        ContainmentLink(number, other, tie.containment) if is_part else ContainmentLink(other, number, tie.containment)
    )
