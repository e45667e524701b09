"""Filters over a document's blocks, in families by how much of language and domain they assume.

In here: `canola` is a classifier of web pages of all kinds, `english` holds the classifiers learned on English and the
cue words of English news, `heuristics` what holds for news pages of any language, `simple` what follows from earlier
marks alone, `titles` finds the headline. Start with `english`.
"""

from __future__ import annotations

from typing import Protocol

from newscrawl.extraction.boilerpipe.blocks import TextDocument


class Filter(Protocol):
    """One step of a recipe: marks, fuses or removes blocks of a document, in time linear in their number."""

    def process(self, document: TextDocument) -> bool:
        """Change the document; whether anything was changed (classifiers: any block's class)."""
        ...
