"""What reading one declared source, with all that it leads to, may cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

DEPTH: Final = "discovery/over_depth"
DOCUMENTS: Final = "discovery/over_documents"
BYTES: Final = "discovery/over_bytes"
ENTRIES: Final = "discovery/over_entries"
CPU: Final = "discovery/over_cpu"
SEEN: Final = "discovery/seen"

BODY_SECONDS: Final = 10.0
"""CPU seconds that reading one body may take. The largest sitemap that the protocol allows, 50,000 entries in 48 MB,
takes 3.6 s (docs/explanation/discovery.md); feeds and front pages take milliseconds. The rest is for slower
machines."""

TREE_SECONDS: Final = 30.0
"""CPU seconds for one source and everything below it: the 100,000 entries of `Budget` take 7 s in the largest sitemaps,
and three bodies that cost as much as a body may are enough."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one source and everything below it, because a sitemap may name documents without end.

    `depth` counts the indexes above a document: the protocol knows one level, sites use two.
    """

    depth: int = 3
    documents: int = 50
    bytes: int = 200_000_000
    entries: int = 100_000
    seconds: float = TREE_SECONDS
    """CPU time of the reading."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a source has cost so far; each step gives a new value."""

    documents: int = 0
    bytes: int = 0
    entries: int = 0
    seconds: float = 0.0
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
            CPU: self.seconds >= budget.seconds,
        }
        met = frozenset(flag for flag, is_met in over.items() if is_met)
        if met:
            return replace(self, flags=met), False
        return replace(self, documents=self.documents + 1, seen=self.seen | {key}), True

    def answered(self, key: str, size: int, entries: int) -> Spent:
        """After an answer of `size` bytes from the final address with this key."""
        return replace(self, bytes=self.bytes + size, entries=self.entries + entries, seen=self.seen | {key})

    def computed(self, seconds: float) -> Spent:
        """After so many seconds of CPU time, whether or not the body could be read."""
        return replace(self, seconds=self.seconds + seconds)

    def left(self, budget: Budget) -> Budget:
        """What the next document may still hold, for the readers' limits."""
        return replace(
            budget,
            documents=max(0, budget.documents - self.documents),
            bytes=max(0, budget.bytes - self.bytes),
            entries=max(0, budget.entries - self.entries),
            seconds=max(0.0, budget.seconds - self.seconds),
        )
