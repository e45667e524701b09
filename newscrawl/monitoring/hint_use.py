"""Decides whether a hint of a site still matches anything, from how often it matched. Pure.

A redesign makes a hint match nothing, and then it does nothing, without an error. A hint for a box that only some pages
have must not cause an alarm because a dozen pages do not have it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.monitoring.judgement import Judgement

MIN_IDLE: Final = 30
"""The fewest articles without a match after which a hint is judged, and the number for one that never matched."""
CHANCE: Final = 1e-4
"""The probability, if a hint matches as often as before, that it matches none of the latest articles by chance. A hint
that matched a tenth of the articles is judged after 88, one that matched a hundredth after 917."""


@dataclass(frozen=True, slots=True)
class HintUse:
    """How many articles a hint applied to, how many of them it matched, and how many came since the last match."""

    label: str
    pages: int = 0
    matches: int = 0
    idle: int = 0

    @property
    def is_dead(self) -> bool:
        """Whether the hint matches nothing any more."""
        if self.idle < MIN_IDLE:
            return False
        if not self.matches:
            return True
        share = self.matches / (self.pages - self.idle)
        return bool((1.0 - share) ** self.idle < CHANCE)


def with_page(uses: Sequence[HintUse], matched: Collection[str], idle: Collection[str]) -> tuple[HintUse, ...]:
    """Returns the uses after another article. Hints that did not apply to it are no longer declared, and are left
    out."""
    known = {use.label: use for use in uses}
    added = []
    for label in (*matched, *idle):
        use = known.get(label, HintUse(label))
        is_match = label in matched
        added.append(HintUse(label, use.pages + 1, use.matches + is_match, 0 if is_match else use.idle + 1))
    return tuple(sorted(added, key=lambda use: use.label))


def judge_hints(uses: Sequence[HintUse]) -> Judgement:
    """Returns the judgement: a warning if a hint matches nothing any more."""
    is_dead = any(use.is_dead for use in uses)
    return Judgement(known=True, alarm="warning" if is_dead else None, can_close=not is_dead)
