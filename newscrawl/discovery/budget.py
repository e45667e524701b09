"""What reading one declared source, with all that it leads to, may cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

DEPTH: Final = "discovery/over_depth"
DOCUMENTS: Final = "discovery/over_documents"
BYTES: Final = "discovery/over_bytes"
ENTRIES: Final = "discovery/over_entries"
SEEN: Final = "discovery/seen"


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one source and everything below it (THREATS T10).

    `depth` counts the indexes above a document: the protocol knows one level, sites use two.
    """

    depth: int = 3
    documents: int = 50
    bytes: int = 200_000_000
    entries: int = 100_000


@dataclass(frozen=True, slots=True)
class Spent:
    """What a source has cost so far; each step gives a new value."""

    documents: int = 0
    bytes: int = 0
    entries: int = 0
    seen: frozenset[str] = frozenset()
    """URL keys of the documents asked for and, after redirects, of those that answered."""
    flags: frozenset[str] = frozenset()
    """Which limits the last document that was refused would have broken: the slash-names above."""

    def asked(self, key: str, depth: int, budget: Budget) -> tuple[Spent, bool]:
        """Whether the document with this URL key may be asked for, and what is spent then. `flags` say of the last
        document that was refused why it was."""
        if key in self.seen:
            return replace(self, flags=frozenset({SEEN})), False
        over = {
            DEPTH: depth > budget.depth,
            DOCUMENTS: self.documents >= budget.documents,
            BYTES: self.bytes >= budget.bytes,
            ENTRIES: self.entries >= budget.entries,
        }
        met = frozenset(flag for flag, is_met in over.items() if is_met)
        if met:
            return replace(self, flags=met), False
        return replace(self, documents=self.documents + 1, seen=self.seen | {key}), True

    def answered(self, key: str, size: int, entries: int) -> Spent:
        """After an answer of `size` bytes from the final address with this key."""
        return replace(self, bytes=self.bytes + size, entries=self.entries + entries, seen=self.seen | {key})

    def left(self, budget: Budget) -> Budget:
        """What the next document may still hold, for the readers' limits."""
        return replace(
            budget,
            documents=max(0, budget.documents - self.documents),
            bytes=max(0, budget.bytes - self.bytes),
            entries=max(0, budget.entries - self.entries),
        )
