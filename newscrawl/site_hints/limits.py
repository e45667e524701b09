"""The limits of a selector, by which the time of its evaluation is bounded, and the error of one that cannot be
used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.page.tags import SKIPPED, TAG_NAMES

MAX_CHARACTERS: Final = 1_000
"""Characters of a selector. Those that people write for one site have fewer than 200."""
MAX_PARTS: Final = 40
"""Steps and predicates of a selector, together. Each costs at most one pass over the elements of a page."""
MAX_DEPTH: Final = 12
"""Brackets and parentheses inside each other."""

IN_HEAD: Final = frozenset({"meta", "title"})
"""Elements of the head that a selector of a field may name."""
_KNOWN: Final = frozenset(TAG_NAMES) - {"?"} - SKIPPED | IN_HEAD
_SHOWN: Final = 60


class SelectorError(UsageError):
    """A selector that cannot be used. The message says why."""


@dataclass
class Budget:
    """Counts the parts of a selector while it is read. Raises SelectorError for the first one too many."""

    parts: int = 0
    depth: int = field(default=0)

    def part(self) -> None:
        """Counts a step or a predicate."""
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise SelectorError(f"it has more than {MAX_PARTS} steps and conditions: write a shorter one")

    def deeper(self) -> None:
        """Counts an opening bracket."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SelectorError(f"it has more than {MAX_DEPTH} brackets inside each other: write a simpler one")

    def back(self) -> None:
        """Counts a closing bracket."""
        self.depth -= 1


def check_length(written: str) -> None:
    """Raises SelectorError for a selector that is too long."""
    if len(written) > MAX_CHARACTERS:
        raise SelectorError(f"it has {len(written):,} characters: write one of at most {MAX_CHARACTERS:,}")


def known_tag(name: str) -> str:
    """Returns a tag's name in lower case. Raises SelectorError for elements that are not kept of a page."""
    tag = name.lower()
    if tag in SKIPPED:
        raise SelectorError(f"<{tag}> is never a part of the text")
    if tag not in _KNOWN:
        shown = name[:_SHOWN]
        raise SelectorError(f"<{shown}> is no element of HTML that can be named: write * with a class or an attribute")
    return tag
