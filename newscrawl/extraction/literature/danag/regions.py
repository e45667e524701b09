"""DANAg's third phase: from the region with the most text to the boundary of the main content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

GAP: Final = 20
"""The most lines between two paragraphs of the main content (section 3.3: "a value of 20")."""


class Region(NamedTuple):
    """Consecutive lines whose smoothed excess of text over code is above zero."""

    start: int
    end: int
    """The line after the last one."""
    length: int
    """The characters of text in it."""


def regions(excess: Sequence[int], lengths: Sequence[int]) -> list[Region]:
    """Returns the regions above zero, top down; `lengths` are the lines' characters of text."""
    above_zero: list[Region] = []
    start: int | None = None
    for place, value in enumerate([*excess, 0]):
        if value > 0 and start is None:
            start = place
        elif value <= 0 and start is not None:
            above_zero.append(Region(start, place, sum(lengths[start:place])))
            start = None
    return above_zero


def main_area(found: Sequence[Region], gap: int = GAP) -> list[Region]:
    """Returns the region with the most text (the first of equals), and those reached from it, up and down, over gaps of
    at most `gap` lines."""
    if not found:
        return []
    first = last = max(range(len(found)), key=lambda i: found[i].length)
    while first > 0 and found[first].start - found[first - 1].end <= gap:
        first -= 1
    while last + 1 < len(found) and found[last + 1].start - found[last].end <= gap:
        last += 1
    return list(found[first : last + 1])
