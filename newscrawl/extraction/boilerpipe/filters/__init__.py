"""Filters over a document's blocks, grouped by how much language and domain they assume.

In here: `english` has the classifiers learned on English and the cue words of English news. `heuristics` are rules for
pages of any language. `titles` finds the headline. Start with `english`.
"""

from __future__ import annotations

from typing import Protocol

from newscrawl.extraction.boilerpipe.blocks import TextDocument


class Filter(Protocol):
    """One step of a recipe: marks, fuses or removes blocks of a document, in time linear in their number."""

    def process(self, document: TextDocument) -> bool:
        """Changes the document. Returns whether anything changed (for classifiers: any block's class)."""
        ...
