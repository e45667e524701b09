"""Filters over a document's blocks: classifiers learned on English pages, and the end of an article recognised by
English words; the headline, which is the first block whose text is the page's title or a significant part of it; and
rules for pages in any language: neighbours belong together, the largest block is the text, texts have sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from newscrawl.compiled import KERNELS, choose
from newscrawl.extraction.boilerpipe.blocks import (
    END_OF_TEXT,
    HEADING,
    LIST_ITEM,
    MIGHT_BE_CONTENT,
    NOT_IN_TEXT,
    TITLE,
    VERY_LIKELY_CONTENT,
    TextBlock,
    TextDocument,
)


class Filter(Protocol):
    """One step of a recipe: marks, fuses or removes blocks of a document, in time linear in their number."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""


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

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        blocks = document.blocks
        for index in find_ends([b.text for b in blocks], [b.words for b in blocks], [b.link_density for b in blocks]):
            blocks[index].labels |= END_OF_TEXT


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

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        for previous, block, following in neighbours(document.blocks):
            if block.link_density > LINK_DENSITY:
                content = False
            elif previous.link_density > PREVIOUS_LINK_DENSITY:
                content = block.words > WORDS_AFTER_LINKS or following.words > NEXT_WORDS_AFTER_LINKS
            else:
                content = block.words > WORDS or following.words > NEXT_WORDS or previous.words > PREVIOUS_WORDS
            block.content = content


@dataclass(frozen=True, slots=True)
class DensityRulesClassifier:
    """Content or not, by text and link density of a block and its two neighbours: Algorithm 1 of the WSDM paper."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        for previous, block, following in neighbours(document.blocks):
            if block.link_density > LINK_DENSITY:
                content = False
            elif previous.link_density > PREVIOUS_LINK_DENSITY:
                content = following.text_density > NEXT_TEXT_DENSITY_AFTER_LINKS
            elif block.text_density > TEXT_DENSITY:
                content = following.text_density > 0
            else:
                content = following.text_density > NEXT_TEXT_DENSITY or previous.text_density > PREVIOUS_TEXT_DENSITY
            block.content = content


@dataclass(frozen=True, slots=True)
class IgnoreBlocksAfterContent:
    """Marks boilerplate from the first labelled end of the text that has enough running text before or in it."""

    min_words: int = MIN_WORDS_BEFORE_END

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        blocks = document.blocks
        # Computing the text density is costly, and only pages with a cue need it.
        if not any(block.labels & END_OF_TEXT for block in blocks):
            return
        words = 0
        ended = False
        for block in blocks:
            if not ended:
                if words < self.min_words and block.content and block.text_density >= FULL_TEXT_DENSITY:
                    words += block.words
                ended = words >= self.min_words and bool(block.labels & END_OF_TEXT)
            if ended:
                block.content = False


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

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
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
            block.content = content


_SEPARATORS: Final = tuple(map(frozenset, ("|»-", "|»:", "|»:()", "|»:()-", "|»,:()-")))
"""Separators between the headline and the name of site or section; each set of them gives one candidate."""
_SPACED_SEPARATORS: Final = ((" | ", re.compile(r"(?<! ) ++\| +")), (" - ", re.compile("(?<! ) ++- +")))
"""Separators of which every part of some length is a candidate, each with the shortest match."""
MIN_PART_WORDS: Final = 4
"""The least words of such a part (original: DocumentTitleMatchClassifier)."""
MAX_LENGTH_RATIO: Final = 2
"""A block longer than this multiple of the longest title is no title, whatever signs it contains."""
SITE_NAME: Final = ".com"
"""A part that contains this names the site and is no candidate."""

_LAST_PART: Final = re.compile(r" - [^-]+\Z")
_FIRST_PART: Final = re.compile(r"\A[^-]+ - ")
_SIGNS: Final = "?!.-:"
_PUNCTUATION: Final = str.maketrans("", "", _SIGNS)
_GROWS: Final = "\u0130"
"""The only letter whose lower case has two characters."""


@dataclass(frozen=True, slots=True)
class DocumentTitleMatchClassifier:
    """Labels the first block that is the title, first with its full text, then without end-of-sentence signs."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        headline = find_title(document.title, [block.text for block in document.blocks])
        if headline is not None:
            document.blocks[headline].labels |= TITLE


def find_title(title: str | None, texts: Sequence[str]) -> int | None:
    """Returns the index of the first of `texts` that is the page's title, first in full, then without end-of-sentence
    signs; None if there is none."""
    titles = potential_titles(title)
    if not titles:
        return None
    # Most blocks are excluded by their length: the compared text is no longer than the block's, except for one letter.
    lengths = list(map(len, titles))
    return first_shown(texts, titles, min(lengths), MAX_LENGTH_RATIO * max(lengths), _shows)


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("'", "").strip().lower()


def _shows(text: str, titles: frozenset[str]) -> bool:
    plain = _plain(text)
    return plain in titles or plain.translate(_PUNCTUATION).strip() in titles


def _first_shown(
    texts: Sequence[str],
    titles: frozenset[str],
    shortest: int,
    longest: int,
    shows: Callable[[str, frozenset[str]], bool],
) -> int | None:
    """Returns the index of the first text that is a title."""
    for index, text in enumerate(texts):
        if len(text) <= longest and (len(text) >= shortest or _GROWS in text) and shows(text, titles):
            return index
    return None


first_shown: Final = choose(KERNELS, "first_shown", _first_shown)


def potential_titles(title: str | None) -> frozenset[str]:
    """Returns the possible headlines of a page with this title, in lower case and without apostrophes."""
    plain = _plain(title or "")
    if not plain:
        return frozenset()
    titles = {plain}
    if " - " in plain:
        titles |= {_LAST_PART.sub("", plain, count=1), _FIRST_PART.sub("", plain, count=1)}
    signs_of_title = frozenset(plain)
    # Separators divide a title alike if it has the same signs of them.
    separators = {signs_of_title & signs for signs in _SEPARATORS}
    titles.update(filter(None, (_longest_part(_split(plain, signs)) for signs in separators if signs)))
    for sign, separator in _SPACED_SEPARATORS:
        parts = _without_empty_end(separator.split(plain)) if sign in plain else []
        if len(parts) > 1:
            titles.update(p for p in parts if SITE_NAME not in p and _words(p) >= MIN_PART_WORDS)
    return frozenset(titles)


def _split(title: str, separators: frozenset[str]) -> list[str]:
    """Returns the parts of a title between these signs, without the blanks around them."""
    for sign in separators:
        title = title.replace(sign, NOT_IN_TEXT)
    return _without_empty_end([part.strip(" ") for part in title.split(NOT_IN_TEXT)])


def _without_empty_end(parts: list[str]) -> list[str]:
    while parts and not parts[-1]:  # a title that ends in a separator has no part after it
        parts.pop()
    return parts


def _longest_part(parts: list[str]) -> str:
    """Returns the part that has more words or characters than the best one before it; "" if there is only one."""
    best, most_words = "", 0
    if len(parts) > 1:
        for part in parts:
            words = _words(part)
            if SITE_NAME not in part and (words > most_words or len(part) > len(best)):
                best, most_words = part, words
    return best.strip()


def _words(part: str) -> int:
    return part.count(" ") + 1


SAME_LEVEL_WORDS: Final = 150
"""The least words of a block that is kept beside the largest one (original: KeepLargestBlockFilter, as the article
recipe uses it)."""
LARGE_BLOCK_WORDS: Final = 100
"""The least words of a block that is restored for its level (original: LargeBlockSameTagLevelToContentFilter)."""


@dataclass(frozen=True, slots=True)
class TrailingHeadlineToBoilerplate:
    """Drops headings below all other content, because they head something else."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        for block in reversed(document.blocks):
            if block.content:
                if not block.labels & HEADING:
                    break
                block.content = False


@dataclass(frozen=True, slots=True)
class SimpleBlockFusion:
    """Fuses neighbours with exactly the same text density."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        kept: list[TextBlock] = []
        for block in document.blocks:
            if kept and kept[-1].text_density == block.text_density:
                kept[-1].fuse(block)
            else:
                kept.append(block)
        document.blocks = kept


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

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        kept: list[TextBlock] = []
        for block in document.blocks:
            if block.content and kept and self._belong_together(kept[-1], block):
                kept[-1].fuse(block)
            else:
                kept.append(block)
        document.blocks = kept

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

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        blocks = document.blocks
        if len(blocks) < 2:
            return
        largest = max((i for i, block in enumerate(blocks) if block.content), key=lambda i: blocks[i].words, default=-1)
        for index, block in enumerate(blocks):
            block.content = index == largest
            block.labels |= VERY_LIKELY_CONTENT if block.content else MIGHT_BE_CONTENT
        if self.expand_to_same_level and largest >= 0:
            level = blocks[largest].level
            self._expand(blocks[:largest][::-1], level)
            self._expand(blocks[largest + 1 :], level)

    def _expand(self, outwards: list[TextBlock], level: int) -> None:
        for block in outwards:
            if block.level < level:
                break
            if block.level == level and block.words >= self.min_words:
                block.content = True


@dataclass(frozen=True, slots=True)
class ExpandTitleToContent:
    """Restores everything between the headline and the first content below it."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        blocks = document.blocks
        start = next((i for i, block in enumerate(blocks) if block.content), -1)
        # If the headline is itself the first content, nothing is between.
        title = next((i for i in range(start, -1, -1) if blocks[i].labels & TITLE), start)
        for block in blocks[title:start] if start > title else ():
            if block.labels & MIGHT_BE_CONTENT:
                block.content = True


@dataclass(frozen=True, slots=True)
class LargeBlockSameLevelToContent:
    """Restores large blocks on the tag level of the largest block."""

    min_words: int = LARGE_BLOCK_WORDS

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        level = next((b.level for b in document.blocks if b.content and b.labels & VERY_LIKELY_CONTENT), None)
        for block in document.blocks if level is not None else ():
            if not block.content and block.words >= self.min_words and block.level == level:
                block.content = True


@dataclass(frozen=True, slots=True)
class ListAtEnd:
    """Restores list items without links that follow the largest block directly and are nested deeper."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        level: int | None = None
        item = MIGHT_BE_CONTENT | LIST_ITEM
        for block in document.blocks:
            if block.content and block.labels & VERY_LIKELY_CONTENT:
                level = block.level
            elif level is not None and block.level > level and block.labels & item == item and not block.linked_words:
                block.content = True
            else:
                level = None


CLAUSE_WORDS: Final = 5
"""The least words of a clause that makes its block a sentence (original: MinClauseWordsFilter)."""

_CLAUSE_END: Final = re.compile(r"[^\W_][,.:;!?]+(?: |\n|\Z)")


@dataclass(frozen=True, slots=True)
class RemoveBoilerplate:
    """Removes the blocks that are not content. Distances between the rest still count them."""

    keep: int = 0
    """Labels of blocks that are kept."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        document.blocks = [block for block in document.blocks if block.content or block.labels & self.keep]


@dataclass(frozen=True, slots=True)
class SplitParagraphs:
    """Splits fused blocks into their runs, which keep only class and labels."""

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        split: list[TextBlock] = []
        for block in document.blocks:
            if len(block.runs) == 1:
                split.append(block)
                continue
            for run, text in zip(block.runs, block.texts, strict=True):
                part = TextBlock(text, 0, 0, run, 0, 0, block.labels, (0, 1))
                part.content = block.content
                split.append(part)
        document.blocks = split


@dataclass(frozen=True, slots=True)
class MinClauseWords:
    """Drops content without a clause of some length that ends in punctuation, because it contains no sentence."""

    min_words: int = CLAUSE_WORDS

    def process(self, document: TextDocument) -> None:
        """Changes the document."""
        for block in document.blocks:
            if block.content and not self._has_clause(block.text):
                block.content = False

    def _has_clause(self, text: str) -> bool:
        start = 0
        for end in _CLAUSE_END.finditer(text):
            if len(text[start : end.start() + 1].split()) >= self.min_words:
                return True
            start = end.end()
        return False
