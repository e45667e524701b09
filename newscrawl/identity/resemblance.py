"""How much two texts have in common, and what that makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from newscrawl.identity.segmentation import Hashes

Kind = Literal["same", "edit", "copy", "excerpt"]
"""The same text but for a line; a light edit; a copy with additions of its own; a part of the other, which is a link
and joins nothing."""

SAME: Final = 0.95
"""Resemblance of texts that differ in a line: what an advert or a corrected word leaves."""
JOINED: Final = 0.5
"""Two texts may be of one story when they share more than this part of the larger one: then no text can be tied in this
way to two others that have nothing in common, unless the shared part is boilerplate (GUARDED)."""
GUARDED: Final = 0.25
"""The part of the larger text that a text shares with each of a story's first two other members, too. A page made of
half of each of two articles, which share a box of 20 words, shares .507 with both
(docs/explanation/near-duplicates.md)."""
CONTAINED: Final = 0.75
"""Part of the smaller text that a copy or an excerpt has in common with the larger
(docs/measurements/near-duplicates.md, curve of containment)."""
EDIT_SHARE: Final = 0.85
"""How long the smaller text is beside the larger where nobody added a paragraph."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What two texts have in common: the shared part of both texts' shingles (Jaccard), of the smaller text's, and of
    the larger text's, all from 0 to 1."""

    resemblance: float
    containment: float
    larger: float

    @property
    def joins(self) -> bool:
        """Whether the texts may be of one story."""
        return self.larger > JOINED

    @property
    def contains(self) -> bool:
        """Whether the smaller text is part of the larger."""
        return self.containment >= CONTAINED

    @property
    def kind(self) -> Kind:
        """What the smaller text is beside the larger."""
        if self.resemblance >= SAME:
            return "same"
        if not self.joins:
            return "excerpt"
        share = self.larger / self.containment
        return "copy" if self.contains and share < EDIT_SHARE else "edit"


def compare(one: Hashes, other: Hashes) -> Tie:
    """What the texts of these shingles have in common (Broder 1997, section 2)."""
    small, large = sorted((one, other), key=len)
    if not len(small):
        return Tie(0.0, 0.0, 0.0)
    places = np.searchsorted(large, small)
    places[places == len(large)] = 0
    shared = int(np.count_nonzero(large[places] == small))
    return Tie(shared / (len(one) + len(other) - shared), shared / len(small), shared / len(large))


def tie(one: Hashes, other: Hashes) -> Tie | None:
    """What joins or links the texts of these shingles; None when they are different articles."""
    found = compare(one, other)
    return found if found.joins or found.contains else None
