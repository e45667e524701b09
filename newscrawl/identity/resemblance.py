"""How much two texts have in common, and what that makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from newscrawl.identity.segmentation import Hashes

Kind = Literal["same", "edit", "copy", "excerpt"]
"""The same text but for a line; a light edit; a copy with additions of its own; a part of the other."""

SAME: Final = 0.95
"""Resemblance of texts that differ in a line: what an advert or a corrected word leaves."""
EDIT: Final = 0.4
"""Resemblance of a text and its light edit (docs/near-duplicates.md, curve of resemblance): articles of one topic, and
those that share their site's boilerplate, stay below."""
CONTAINED: Final = 0.75
"""Part of the smaller text that a copy or an excerpt has in common with the larger (the same page, curve of
containment)."""
EDIT_SHARE: Final = 0.85
"""How long the smaller text is beside the larger where nobody added a paragraph."""
COPY_SHARE: Final = 0.6
"""The same where one added up to two thirds; what is shorter is an excerpt."""
EXCERPT_SHARE: Final = 0.35
"""How long an excerpt is. A round-up of three articles is none of theirs, or it would join them all."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What joins two texts. `resemblance` is the shared part of both texts' shingles (Jaccard), `containment` that of
    the smaller text's, both from 0 to 1."""

    kind: Kind
    resemblance: float
    containment: float


def compare(one: Hashes, other: Hashes) -> tuple[float, float]:
    """Resemblance and containment of two texts' shingles (Broder 1997, section 2)."""
    small, large = sorted((one, other), key=len)
    if not len(small):
        return 0.0, 0.0
    places = np.searchsorted(large, small)
    places[places == len(large)] = 0
    shared = int(np.count_nonzero(large[places] == small))
    return shared / (len(one) + len(other) - shared), shared / len(small)


def tie(one: Hashes, other: Hashes) -> Tie | None:
    """What joins the texts of these shingles; None when they are different articles."""
    resemblance, containment = compare(one, other)
    share = min(len(one), len(other)) / max(len(one), len(other), 1)
    kind = _kind(resemblance, containment, share)
    return Tie(kind, resemblance, containment) if kind else None


def _kind(resemblance: float, containment: float, share: float) -> Kind | None:
    if resemblance >= SAME:
        return "same"
    if containment >= CONTAINED and EXCERPT_SHARE <= share < EDIT_SHARE:
        return "copy" if share >= COPY_SHARE else "excerpt"
    return "edit" if resemblance >= EDIT else None
