"""Decides which story a text belongs to. Pure.

A story is one text, the representative, and the texts that were each compared with it and joined. Texts are decided in
the order of `StoryPlace`. A text is compared with the representatives of earlier texts only, so a later text changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.identity.resemblance import MIN_JOIN_SHARE, MIN_MEMBER_SHARE, Similarity, compare
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
class StoryCandidate:
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
    """The story of a text: another text's (`similarity` to its representative), or its own (both None). `rejected` are
    representatives whose stories it does not join, because it has too little in common with their first members."""

    representative: int | None = None
    similarity: Similarity | None = None
    rejected: tuple[int, ...] = ()
    links: tuple[ContainmentLink, ...] = ()


def decide(
    number: int, candidates: Sequence[StoryCandidate], of_text: Callable[[int], Hashes], size_of: Callable[[int], int]
) -> StoryDecision:
    """Joins the text to the representative with the largest shared part of the larger text; of equals to the earliest.

    `candidates` are in the order of their representatives' places. `of_text` returns the shingles of a text, `size_of`
    their number.
    """
    text = of_text(number)
    compared = [(candidate, compare(text, of_text(candidate.representative))) for candidate in candidates]
    joinable = sorted(
        (pair for pair in compared if pair[1].joins), key=lambda pair: -pair[1].share_of_larger
    )  # stable: earliest first
    rejected: list[int] = []
    joined: tuple[int | None, Similarity | None] = None, None
    for candidate, similarity in joinable:
        sizes = len(text), size_of(candidate.representative)
        if all(
            _surely_shares(similarity, *sizes, size_of(other))
            or compare(text, of_text(other)).share_of_larger >= MIN_MEMBER_SHARE
            for other in candidate.others
        ):
            joined = candidate.representative, similarity
            break
        rejected.append(candidate.representative)
    size = len(text)
    links = tuple(
        _link(number, candidate.representative, similarity, size <= len(of_text(candidate.representative)))
        for candidate, similarity in compared
        if similarity.contains and candidate.representative != joined[0]
    )
    return StoryDecision(*joined, tuple(rejected), links)


def _surely_shares(similarity: Similarity, text: int, representative: int, other: int) -> bool:
    """Returns whether the sizes alone prove that the text shares enough with another member.

    Both share parts with the representative, the other member more than half. If these parts together are larger than
    the representative, they overlap.
    """
    common = (
        similarity.share_of_larger * max(text, representative)
        + MIN_JOIN_SHARE * max(other, representative)
        - representative
    )
    return common >= MIN_MEMBER_SHARE * max(text, other)


def _link(number: int, other: int, similarity: Similarity, is_part: bool) -> ContainmentLink:
    return (
        ContainmentLink(number, other, similarity.containment)
        if is_part
        else ContainmentLink(other, number, similarity.containment)
    )
