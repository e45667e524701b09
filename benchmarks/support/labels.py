"""Places the labels of a plot so that none overlaps another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

LETTER: Final = 6.6
"""Width of a letter of 12 px sans-serif on average, a little more than less."""
LINE: Final = 14.0
"""From one line of text to the next."""
HEIGHT: Final = 13.0
"""What a line of text covers of that."""
ASCENT: Final = 11.0
"""How far a line reaches above where it stands."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label at a position, which is its beginning ("start") or its end ("end")."""

    x: float
    y: float
    words: str
    anchor: str = "start"
    faint: bool = False
    colour: str = ""
    """That of what it names; "" for the plot's own."""

    @property
    def width(self) -> float:
        """About, whatever the reader's font."""
        return LETTER * len(self.words)

    def svg(self) -> str:
        """The text element."""
        faint = ' fill-opacity="0.7"' if self.faint else ""
        colour = f' style="fill:{self.colour}"' if self.colour else ""
        place = f'x="{self.x:.1f}" y="{self.y:.1f}" text-anchor="{self.anchor}"'
        return f"<text{faint}{colour} {place}>{escape(self.words)}</text>"

    def overlaps(self, other: Label) -> bool:
        """Whether both overlap."""
        left, theirs = self._left, other._left
        apart = left + self.width <= theirs or theirs + other.width <= left
        return not apart and abs(self.y - other.y) < HEIGHT

    @property
    def _left(self) -> float:
        return self.x if self.anchor == "start" else self.x - self.width


def apart(labels: Sequence[Label], top: float, bottom: float) -> list[Label]:
    """The labels in their order, each as near to its place as it can be without touching another.

    They are moved up and down only, between `top` and `bottom`; where there is no room at all, a label stays.
    """
    placed: dict[int, Label] = {}
    for number in sorted(range(len(labels)), key=lambda one: labels[one].y):
        placed[number] = _free(labels[number], list(placed.values()), top, bottom)
    return [placed[number] for number in range(len(labels))]


def _free(label: Label, placed: Sequence[Label], top: float, bottom: float) -> Label:
    """The nearest place that is free: where it is, or just below or above one of the others."""
    places = [label.y, *(other.y + way * LINE for other in placed for way in (1, -1))]
    for y in sorted(places, key=lambda place: abs(place - label.y)):
        moved = replace(label, y=y)
        if top + ASCENT <= y <= bottom and not any(moved.overlaps(other) for other in placed):
            return moved
    return label
