"""Selectors as values: paths over the elements of a page, whatever language they were written in.

The paths are those of Core XPath, which can be evaluated in time linear in the page and in the path (Gottlob, Koch,
Pichler: Efficient Algorithms for Processing XPath Queries, VLDB 2002), with tests on attributes, texts and positions
among siblings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Axis: TypeAlias = Literal[
    "child",
    "descendant",
    "self",
    "descendant-or-self",
    "parent",
    "ancestor",
    "ancestor-or-self",
    "following-sibling",
    "preceding-sibling",
    "next-sibling",
]
"""`next-sibling` is the element directly after another one, which CSS writes as `+`."""

Operation: TypeAlias = Literal["equals", "contains", "starts", "ends", "word", "dash"]
"""Comparisons of two texts. `word` and `dash` are those of `~=` and `|=` in CSS."""

Among: TypeAlias = Literal["candidates", "siblings", "type"]
"""The elements that a position counts: the siblings that the step has matched so far, all siblings, or those with the
same tag."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text of the selector."""

    text: str


@dataclass(frozen=True, slots=True)
class AttributeText:
    """The value of an attribute; "" for an element without it."""

    name: str


@dataclass(frozen=True, slots=True)
class ElementText:
    """The text inside an element, white space collapsed and cut to a fixed length."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Texts one after the other."""

    parts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A text with each sequence of white space as one blank, and none at the ends."""

    of: Text


@dataclass(frozen=True, slots=True)
class Translated:
    """A text with characters replaced by others, or by nothing."""

    of: Text
    table: tuple[tuple[str, str], ...]


Text: TypeAlias = Fixed | AttributeText | ElementText | Joined | Collapsed | Translated


@dataclass(frozen=True, slots=True)
class HasAttribute:
    name: str


@dataclass(frozen=True, slots=True)
class Comparison:
    operation: Operation
    left: Text
    right: Text


@dataclass(frozen=True, slots=True)
class Place:
    """Position `step` * n + `start` for any n >= 0, counted from 1, from the first or from the last one."""

    among: Among
    step: int
    start: int
    from_end: bool = False

    def holds(self, position: int) -> bool:
        """Returns whether this is one of the positions."""
        distance = position - self.start
        if self.step == 0:
            return distance == 0
        return distance % self.step == 0 and distance // self.step >= 0


@dataclass(frozen=True, slots=True)
class Between:
    """A position from `first` to `last`, counted from 1; None is no limit."""

    first: int
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether the path, from the element on, finds anything."""

    path: Path


@dataclass(frozen=True, slots=True)
class Not:
    of: Predicate


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Predicate, ...]


Predicate: TypeAlias = HasAttribute | Comparison | Place | Between | Exists | Not | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path. `tag` None is any element."""

    axis: Axis
    tag: str | None = None
    predicates: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """Steps from the document, or from an element inside a predicate.

    `attribute` is the attribute whose value is wanted in place of the element's text. `only` is the position, among all
    matches in document order, of the one that is wanted; -1 is the last one.
    """

    steps: tuple[Step, ...]
    attribute: str | None = None
    only: int | None = None


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector as it was written, and its paths, of which each may match."""

    written: str
    paths: tuple[Path, ...]
