"""The classifier trained on web pages of all kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from newscrawl.extraction.boilerpipe.blocks import TextDocument
from newscrawl.extraction.boilerpipe.filters.english import neighbours

WORDS: Final = 19
"""More words than this are content. This and all numbers below were learned on the Canola corpus of the KrdWrd project
(original: CanolaExtractor)."""
NEXT_WORDS_AFTER_LINK: Final = 11
"""A block with a link is content above this."""
MIN_NEXT_WORDS: Final = 6
"""Above this, and with neighbours without links, one of the next three makes the block content."""
SHORT_WORDS: Final = 6
PREVIOUS_WORDS: Final = 7
NEXT_WORDS: Final = 19


@dataclass(frozen=True, slots=True)
class CanolaClassifier:
    """Content or not, by words and links of a block and its two neighbours."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block changed class."""
        changed = False
        for previous, block, following in neighbours(document.blocks):
            content = (
                block.words > WORDS
                or (block.linked_words > 0 and following.words > NEXT_WORDS_AFTER_LINK)
                or (
                    following.words > MIN_NEXT_WORDS
                    and following.linked_words == previous.linked_words == 0
                    and (block.words > SHORT_WORDS or previous.words > PREVIOUS_WORDS or following.words > NEXT_WORDS)
                )
            )
            changed |= content != block.content
            block.content = content
        return changed
