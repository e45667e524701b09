"""Filters that use earlier marks, and the form of sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from newscrawl.extraction.boilerpipe.blocks import TextBlock, TextDocument

CLAUSE_WORDS: Final = 5
"""The least words of a clause that makes its block a sentence (original: MinClauseWordsFilter)."""

_CLAUSE_END: Final = re.compile(r"[^\W_][,.:;!?]+(?: |\n|\Z)")


@dataclass(frozen=True, slots=True)
class RemoveBoilerplate:
    """Removes the blocks that are not content. Distances between the rest still count them."""

    keep: int = 0
    """Labels of blocks that are kept."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was removed."""
        kept = [block for block in document.blocks if block.content or block.labels & self.keep]
        changed = len(kept) < len(document.blocks)
        document.blocks = kept
        return changed


@dataclass(frozen=True, slots=True)
class SplitParagraphs:
    """Splits fused blocks into their runs, which keep only class and labels."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was split."""
        split: list[TextBlock] = []
        for block in document.blocks:
            if len(block.runs) == 1:
                split.append(block)
                continue
            for run, text in zip(block.runs, block.texts, strict=True):
                part = TextBlock(text, 0, 0, run, 0, 0, block.labels, (0, 1))
                part.content = block.content
                split.append(part)
        changed = len(split) > len(document.blocks)
        document.blocks = split
        return changed


@dataclass(frozen=True, slots=True)
class MinClauseWords:
    """Drops content without a clause of some length that ends in punctuation, because it contains no sentence."""

    min_words: int = CLAUSE_WORDS

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was dropped."""
        changed = False
        for block in document.blocks:
            if block.content and not self._has_clause(block.text):
                block.content = False
                changed = True
        return changed

    def _has_clause(self, text: str) -> bool:
        start = 0
        for end in _CLAUSE_END.finditer(text):
            if len(text[start : end.start() + 1].split()) >= self.min_words:
                return True
            start = end.end()
        return False
