"""Classifiers learned on English pages, and the end of an article recognised by English words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.compiled import KERNELS, choose
from newscrawl.extraction.boilerpipe.blocks import END_OF_TEXT, NOT_IN_TEXT, TextBlock, TextDocument

LINK_DENSITY: Final = 0.333333
"""A block with a higher link density is boilerplate. This and the next nine numbers are from decision trees learned by
C4.8 on the L3S-GN1 news pages, in Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features,
WSDM 2010, Algorithms 1 and 2. A third of the words is above it, as in the paper."""
PREVIOUS_LINK_DENSITY: Final = 0.555556
"""Above this the previous block is a list of links."""

WORDS: Final = 16
NEXT_WORDS: Final = 15
PREVIOUS_WORDS: Final = 4
WORDS_AFTER_LINKS: Final = 40
NEXT_WORDS_AFTER_LINKS: Final = 17
"""Algorithm 2: more words than this in the block itself or a neighbour mean content."""

TEXT_DENSITY: Final = 9
NEXT_TEXT_DENSITY: Final = 10
PREVIOUS_TEXT_DENSITY: Final = 4
NEXT_TEXT_DENSITY_AFTER_LINKS: Final = 11
"""Algorithm 1: more words a line than this in the block itself or a neighbour mean content."""

FULL_TEXT_DENSITY: Final = 9
"""Words a line from which a block is running text (original: HeuristicFilterBase)."""
MIN_WORDS_BEFORE_END: Final = 60
"""Words of running text that must come before a cue (original: IgnoreBlocksAfterContentFilter)."""

CUE_WORDS: Final = 15
"""Only a block with fewer words is a cue for the end of the text (original: TerminatingBlocksFinder, as all below)."""
CUE_CHARACTERS: Final = 8
"""A shorter block is a cue only if it is LINKED_CUE and wholly a link."""
LINKED_CUE: Final = "Comment"
CUE_STARTS: Final = ("comments", "© reuters", "please rate this", "post a comment")
CUE_STARTS_AFTER_NUMBER: Final = (" comments", " users responded in")
CUE_PARTS: Final = (
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
    "rätta artikeln",
)
CUE_TEXTS: Final = frozenset({"thanks for your comments - this feedback is now closed"})
_TELLING: Final = tuple("comment|reuters|rate this|responded in|you thin|reader|your say|tta arti".split("|"))
"""Each cue contains one of these, in letters that are not the lower case of any capital beyond ASCII."""
_DIGITS: Final = "0123456789"

_OUTSIDE: Final = TextBlock("", 0, 0, 0, 0, 0, 0, (0, 1))
"""The block before the first and after the last one."""


@dataclass(frozen=True, slots=True)
class TerminatingBlocksFinder:
    """Labels short blocks whose words say that the article is over, such as the heading of its comments."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block was labelled."""
        blocks = document.blocks
        ends = find_ends([b.text for b in blocks], [b.words for b in blocks], [b.link_density for b in blocks])
        for index in ends:
            blocks[index].labels |= END_OF_TEXT
        return bool(ends)


def find_ends(texts: Sequence[str], words: Sequence[int], link_density: Sequence[float]) -> list[int]:
    """Returns the blocks whose words say that the article is over.

    All short blocks are searched together for the characteristic words, as bytes, because lower-casing text beyond
    ASCII is slow. Most pages contain none or one of them.
    """
    return [
        index for index in holding_any(texts, words, CUE_WORDS, _TELLING) if _is_end(texts[index], link_density[index])
    ]


def _holding_any(texts: Sequence[str], words: Sequence[int], limit: int, parts: tuple[str, ...]) -> list[int]:
    """Returns the texts of fewer than `limit` words that contain one of `parts`, which have lower case and at least two
    bytes in UTF-8. Only for ASCII letters the case of the text does not matter."""
    short = [index for index, count in enumerate(words) if count < limit]
    whole = NOT_IN_TEXT.join([texts[index] for index in short]).encode("utf-8", "replace").lower()
    telling = [word for word in map(str.encode, parts) if word in whole]
    if not telling:
        return []
    lines = whole.split(NOT_IN_TEXT.encode())
    return sorted({index for word in telling for index, line in zip(short, lines, strict=True) if word in line})


holding_any: Final = choose(KERNELS, "holding_any", _holding_any)


def _is_end(text: str, link_density: float) -> bool:
    if len(text) < CUE_CHARACTERS:
        return text == LINKED_CUE and link_density == 1.0
    text = text.lower()
    if text.startswith(CUE_STARTS) or text in CUE_TEXTS or any(part in text for part in CUE_PARTS):
        return True
    return text[0] in _DIGITS and text.lstrip(_DIGITS).startswith(CUE_STARTS_AFTER_NUMBER)


@dataclass(frozen=True, slots=True)
class NumWordsRulesClassifier:
    """Content or not, by words and link density of a block and its two neighbours: Algorithm 2 of the WSDM paper."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block changed class."""
        changed = False
        for previous, block, following in neighbours(document.blocks):
            if block.link_density > LINK_DENSITY:
                content = False
            elif previous.link_density > PREVIOUS_LINK_DENSITY:
                content = block.words > WORDS_AFTER_LINKS or following.words > NEXT_WORDS_AFTER_LINKS
            else:
                content = block.words > WORDS or following.words > NEXT_WORDS or previous.words > PREVIOUS_WORDS
            changed |= content != block.content
            block.content = content
        return changed


@dataclass(frozen=True, slots=True)
class DensityRulesClassifier:
    """Content or not, by text and link density of a block and its two neighbours: Algorithm 1 of the WSDM paper."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block changed class."""
        changed = False
        for previous, block, following in neighbours(document.blocks):
            if block.link_density > LINK_DENSITY:
                content = False
            elif previous.link_density > PREVIOUS_LINK_DENSITY:
                content = following.text_density > NEXT_TEXT_DENSITY_AFTER_LINKS
            elif block.text_density > TEXT_DENSITY:
                content = following.text_density > 0
            else:
                content = following.text_density > NEXT_TEXT_DENSITY or previous.text_density > PREVIOUS_TEXT_DENSITY
            changed |= content != block.content
            block.content = content
        return changed


@dataclass(frozen=True, slots=True)
class IgnoreBlocksAfterContent:
    """Marks boilerplate from the first labelled end of the text that has enough running text before or in it."""

    min_words: int = MIN_WORDS_BEFORE_END

    def process(self, document: TextDocument) -> bool:
        """Returns whether an end was found."""
        blocks = document.blocks
        # Computing the text density is costly, and only pages with a cue need it.
        if not any(block.labels & END_OF_TEXT for block in blocks):
            return False
        words = 0
        ended = False
        for block in blocks:
            if not ended:
                if words < self.min_words and block.content and block.text_density >= FULL_TEXT_DENSITY:
                    words += block.words
                ended = words >= self.min_words and bool(block.labels & END_OF_TEXT)
            if ended:
                block.content = False
        return ended


def neighbours(blocks: list[TextBlock]) -> Iterator[tuple[TextBlock, TextBlock, TextBlock]]:
    """Yields each block between the ones before and after it; an empty block is outside both ends."""
    return zip([_OUTSIDE, *blocks], blocks, [*blocks[1:], _OUTSIDE], strict=False)


CANOLA_WORDS: Final = 19
"""More words than this are content. This and all numbers below were learned on the Canola corpus of the KrdWrd project
(original: CanolaExtractor)."""
CANOLA_NEXT_WORDS_AFTER_LINK: Final = 11
"""A block with a link is content above this."""
CANOLA_MIN_NEXT_WORDS: Final = 6
"""Above this, and with neighbours without links, one of the next three makes the block content."""
CANOLA_SHORT_WORDS: Final = 6
CANOLA_PREVIOUS_WORDS: Final = 7
CANOLA_NEXT_WORDS: Final = 19


@dataclass(frozen=True, slots=True)
class CanolaClassifier:
    """Content or not, by words and links of a block and its two neighbours."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether any block changed class."""
        changed = False
        for previous, block, following in neighbours(document.blocks):
            content = (
                block.words > CANOLA_WORDS
                or (block.linked_words > 0 and following.words > CANOLA_NEXT_WORDS_AFTER_LINK)
                or (
                    following.words > CANOLA_MIN_NEXT_WORDS
                    and following.linked_words == previous.linked_words == 0
                    and (
                        block.words > CANOLA_SHORT_WORDS
                        or previous.words > CANOLA_PREVIOUS_WORDS
                        or following.words > CANOLA_NEXT_WORDS
                    )
                )
            )
            changed |= content != block.content
            block.content = content
        return changed
