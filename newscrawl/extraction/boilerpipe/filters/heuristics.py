"""Rules for pages in any language: neighbours belong together, the largest block is the text, texts have sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from newscrawl.extraction.boilerpipe.blocks import (
    HEADING,
    LIST_ITEM,
    MIGHT_BE_CONTENT,
    TITLE,
    VERY_LIKELY_CONTENT,
    TextBlock,
    TextDocument,
)

SAME_LEVEL_WORDS: Final = 150
"""The least words of a block that is kept beside the largest one (original: KeepLargestBlockFilter, as the article
recipe uses it)."""
LARGE_BLOCK_WORDS: Final = 100
"""The least words of a block that is restored for its level (original: LargeBlockSameTagLevelToContentFilter)."""


@dataclass(frozen=True, slots=True)
class TrailingHeadlineToBoilerplate:
    """Drops headings below all other content, because they head something else."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any heading was dropped."""
        changed = False
        for block in reversed(document.blocks):
            if block.content:
                if not block.labels & HEADING:
                    break
                block.content = False
                changed = True
        return changed


@dataclass(frozen=True, slots=True)
class SimpleBlockFusion:
    """Fuses neighbours with exactly the same text density."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was fused."""
        kept: list[TextBlock] = []
        for block in document.blocks:
            if kept and kept[-1].text_density == block.text_density:
                kept[-1].fuse(block)
            else:
                kept.append(block)
        return _replace(document, kept)


@dataclass(frozen=True, slots=True)
class BlockProximityFusion:
    """Fuses a content block into the block before it if few blocks were between the two.

    The block before need not be content, so a short line above a paragraph becomes content with it.
    """

    max_distance: int = 1
    """The most blocks that may have been between."""
    content_only: bool = False
    """Whether to fuse into content only."""
    same_level: bool = False
    """Whether to fuse blocks of one tag level only."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was fused."""
        kept: list[TextBlock] = []
        for block in document.blocks:
            if block.content and kept and self._belong_together(kept[-1], block):
                kept[-1].fuse(block)
            else:
                kept.append(block)
        return _replace(document, kept)

    def _belong_together(self, previous: TextBlock, block: TextBlock) -> bool:
        return (
            block.start - previous.end - 1 <= self.max_distance
            and (previous.content or not self.content_only)
            and (previous.level == block.level or not self.same_level)
        )


@dataclass(frozen=True, slots=True)
class KeepLargestBlock:
    """Keeps the content block with most words (the first of equals). All others may be restored by later steps."""

    expand_to_same_level: bool = False
    """Whether to keep blocks on its tag level, too, up to where the level falls below it on either side."""
    min_words: int = 0
    """The least words of such a block."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether there was more than one block."""
        blocks = document.blocks
        if len(blocks) < 2:
            return False
        largest = max((i for i, block in enumerate(blocks) if block.content), key=lambda i: blocks[i].words, default=-1)
        for index, block in enumerate(blocks):
            block.content = index == largest
            block.labels |= VERY_LIKELY_CONTENT if block.content else MIGHT_BE_CONTENT
        if self.expand_to_same_level and largest >= 0:
            level = blocks[largest].level
            self._expand(blocks[:largest][::-1], level)
            self._expand(blocks[largest + 1 :], level)
        return True

    def _expand(self, outwards: list[TextBlock], level: int) -> None:
        for block in outwards:
            if block.level < level:
                break
            if block.level == level and block.words >= self.min_words:
                block.content = True


@dataclass(frozen=True, slots=True)
class ExpandTitleToContent:
    """Restores everything between the headline and the first content below it."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was restored."""
        blocks = document.blocks
        start = next((i for i, block in enumerate(blocks) if block.content), -1)
        # If the headline is itself the first content, nothing is between.
        title = next((i for i in range(start, -1, -1) if blocks[i].labels & TITLE), start)
        changed = False
        for block in blocks[title:start] if start > title else ():
            if block.labels & MIGHT_BE_CONTENT:
                block.content = changed = True
        return changed


@dataclass(frozen=True, slots=True)
class LargeBlockSameLevelToContent:
    """Restores large blocks on the tag level of the largest block."""

    min_words: int = LARGE_BLOCK_WORDS

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was restored."""
        level = next((b.level for b in document.blocks if b.content and b.labels & VERY_LIKELY_CONTENT), None)
        changed = False
        for block in document.blocks if level is not None else ():
            if not block.content and block.words >= self.min_words and block.level == level:
                block.content = changed = True
        return changed


@dataclass(frozen=True, slots=True)
class ListAtEnd:
    """Restores list items without links that follow the largest block directly and are nested deeper."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was restored."""
        changed = False
        level: int | None = None
        item = MIGHT_BE_CONTENT | LIST_ITEM
        for block in document.blocks:
            if block.content and block.labels & VERY_LIKELY_CONTENT:
                level = block.level
            elif level is not None and block.level > level and block.labels & item == item and not block.linked_words:
                block.content = changed = True
            else:
                level = None
        return changed


def _replace(document: TextDocument, kept: list[TextBlock]) -> bool:
    changed = len(kept) < len(document.blocks)
    document.blocks = kept
    return changed


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
