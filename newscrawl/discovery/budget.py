"""Limits the cost of reading one declared source and everything that it leads to."""

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
takes 3.6 s (docs/explanation/discovery.md). Feeds and front pages take milliseconds. The rest is for slower
machines."""

TREE_SECONDS: Final = 30.0
"""CPU seconds for one source and everything below it. The 100,000 entries of `Budget` take 7 s in the largest sitemaps;
the rest allows three bodies that use up `BODY_SECONDS`."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one source and everything below it, because sitemaps may name further ones without end.

    `depth` is the number of indexes above a document: the protocol allows one, sites use two. `documents` and `entries`
    are numbers, `bytes` counts decompressed bytes, `seconds` is CPU time.
    """

    depth: int = 3
    documents: int = 50
    bytes: int = 200_000_000
    entries: int = 100_000
    seconds: float = TREE_SECONDS
    """CPU time for reading."""


@dataclass(frozen=True, slots=True)
class SourceUsage:
    """The resources that a source has used so far. Each method returns a new value."""

    documents: int = 0
    bytes: int = 0
    entries: int = 0
    seconds: float = 0.0
    seen: frozenset[str] = frozenset()
    """URL keys of the requested documents and, after redirects, of the addresses that answered."""
    flags: frozenset[str] = frozenset()
    """Why the last refused document was refused: some of the codes above (`discovery/...`)."""

    def with_request(self, key: str, depth: int, budget: Budget) -> tuple[SourceUsage, bool]:
        """Returns the new value, and whether the document with this URL key may be requested. If not, the `flags` of
        the new value say why."""
        if key in self.seen:
            return replace(self, flags=frozenset({SEEN})), False
        over = {
            DEPTH: depth > budget.depth,
            DOCUMENTS: self.documents >= budget.documents,
            BYTES: self.bytes >= budget.bytes,
            ENTRIES: self.entries >= budget.entries,
            CPU: self.seconds >= budget.seconds,
        }
        reached = frozenset(flag for flag, is_met in over.items() if is_met)
        if reached:
            return replace(self, flags=reached), False
        return replace(self, documents=self.documents + 1, seen=self.seen | {key}), True

    def with_answer(self, key: str, size: int, entries: int) -> SourceUsage:
        """Returns the value after an answer of `size` bytes with `entries` entries from the address with this key."""
        return replace(self, bytes=self.bytes + size, entries=self.entries + entries, seen=self.seen | {key})

    def with_cpu_time(self, seconds: float) -> SourceUsage:
        """Returns the value after `seconds` of CPU time, whether or not the body could be read."""
        return replace(self, seconds=self.seconds + seconds)

    def left(self, budget: Budget) -> Budget:
        """Returns the budget that is left for the next document."""
        return replace(
            budget,
            documents=max(0, budget.documents - self.documents),
            bytes=max(0, budget.bytes - self.bytes),
            entries=max(0, budget.entries - self.entries),
            seconds=max(0.0, budget.seconds - self.seconds),
        )
