"""Measures how much two texts have in common, and classifies them by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:  # loads numpy
    from newscrawl.model.identity.segmentation import Hashes

Kind = Literal["same", "edit", "copy", "excerpt"]
"""`same`: the same text but for a line. `edit`: lightly edited. `copy`: a copy with additions. `excerpt`: a part of the
other text, which is recorded as a link and does not join stories."""

SAME: Final = 0.95
"""The least resemblance of texts that differ in a line, as by an advert or a corrected word."""
MIN_JOIN_SHARE: Final = 0.5
"""Two texts may be of one story if they share more than this part of the larger one. Then no text is tied to two others
that have nothing in common, unless the shared part is boilerplate (see MIN_MEMBER_SHARE)."""
MIN_MEMBER_SHARE: Final = 0.25
"""The part of the larger text that a text must also share with each of a story's first two other members. A page made
of halves of two articles, which share a box of 20 words, shares .507 with both
(docs/explanation/near-duplicates.md)."""
MIN_CONTAINMENT: Final = 0.75
"""The part of the smaller text that a copy or an excerpt must share with the larger
(docs/measurements/quality.md, curve of containment)."""
MIN_EDIT_LENGTH: Final = 0.85
"""The least length of the smaller text, as a share of the larger, if no paragraph was added."""


@dataclass(frozen=True, slots=True)
class Similarity:
    """The common part of two texts, as shares from 0 to 1: of all shingles of both (Jaccard), of those of the smaller
    text, and of those of the larger text."""

    resemblance: float
    containment: float
    share_of_larger: float

    @property
    def joins(self) -> bool:
        """Whether the texts may be of one story."""
        return self.share_of_larger > MIN_JOIN_SHARE

    @property
    def contains(self) -> bool:
        """Whether the smaller text is part of the larger."""
        return self.containment >= MIN_CONTAINMENT

    @property
    def kind(self) -> Kind:
        """The class of the smaller text relative to the larger."""
        if self.resemblance >= SAME:
            return "same"
        if not self.joins:
            return "excerpt"
        share = self.share_of_larger / self.containment
        return "copy" if self.contains and share < MIN_EDIT_LENGTH else "edit"


def compare(first: Hashes, second: Hashes) -> Similarity:
    """Returns what the texts of these shingles have in common (Broder 1997, section 2)."""
    small, large = sorted((first, second), key=len)
    if not len(small):
        return Similarity(0.0, 0.0, 0.0)
    positions = large.searchsorted(small)
    positions[positions == len(large)] = 0
    shared = int((large[positions] == small).sum())
    return Similarity(shared / (len(first) + len(second) - shared), shared / len(small), shared / len(large))


def related(one: Hashes, other: Hashes) -> Similarity | None:
    """Returns what joins or links the texts of these shingles; None if they are different articles."""
    result = compare(one, other)
    return result if result.joins or result.contains else None
