"""When an extracted text is too short to be the whole article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.errors import ConfigurationError
from newscrawl.extraction.cleanup.boxes import PAGE_TAGS
from newscrawl.extraction.climb import named, standing_in
from newscrawl.page import Page
from newscrawl.page.words import BLANKLESS, has_blankless

LONG_RUN_WORDS: Final = 15
"""Runs of at least so many words without a link are prose; navigation and teasers are shorter or linked."""

BLANKLESS_LETTERS: Final = 3
"""Latin letters that say as much as one character of a script without blanks, as jusText here takes it
(docs/explanation/justext.md): news in brief of 250 Chinese characters is whole."""

_COMMENT_NAMES: Final = re.compile(r"comment(?!ary|ator)|disqus|respond(?!ent)|livefyre|spotim|coral[-_]talk|guestbook")
"""What authors call the elements that hold readers' comments; a commentary is an article."""


@dataclass(frozen=True, slots=True)
class Limits:
    """A text below any of these is too short, and the next extractor of the chain has a try.

    Starting values of docs/design.md, kept after the sweep in docs/measurements/notes/sweep-short.md.
    Raises ConfigurationError for values that cannot work.
    """

    min_words: int = 60
    min_characters: int = 300
    min_share: float = 1 / 3
    """Of the characters in the page's unlinked runs of `LONG_RUN_WORDS` words and more outside comments."""

    def __post_init__(self) -> None:
        if self.min_words < 0:
            raise ConfigurationError("NEWSCRAWL_MIN_WORDS", f"{self.min_words} is negative: give 0 or more words")
        if self.min_characters < 0:
            raise ConfigurationError(
                "NEWSCRAWL_MIN_CHARACTERS", f"{self.min_characters} is negative: give 0 or more characters"
            )
        if not 0 <= self.min_share <= 1:
            raise ConfigurationError("min_share", f"{self.min_share} is no share: give a number from 0 to 1")


@dataclass(frozen=True, slots=True)
class Size:
    """How much text a selection of runs holds."""

    words: int
    characters: int
    weight: int | None = None
    """Latin letters that say as much as the text; None where that is `characters`."""

    def shortness(self, limits: Limits) -> str | None:
        """What makes this too short by its own numbers, None if nothing does."""
        if self.words < limits.min_words:
            return f"{self.words} of at least {limits.min_words} words"
        characters = self.characters if self.weight is None else self.weight
        if characters < limits.min_characters:
            return f"{characters} of at least {limits.min_characters} characters"
        return None

    def low_share(self, prose: int, limits: Limits) -> str | None:
        """What makes this too small a part of the page's `prose` characters, None if it is large enough."""
        if self.characters < limits.min_share * prose:
            return f"{self.characters} of the page's {prose} characters in long runs"
        return None


def size_of(page: Page, runs: Sequence[int]) -> Size:
    """Words, characters and weight of `runs`."""
    chosen = [page.runs[i] for i in runs]
    characters = sum([len(run.text) for run in chosen])
    blankless = sum([len(BLANKLESS.findall(run.text)) for run in chosen if has_blankless(run.text)])
    weight = characters + (BLANKLESS_LETTERS - 1) * blankless if blankless else None
    return Size(sum([run.words for run in chosen]), characters, weight)


def prose_characters(page: Page, *, with_comments: bool = False) -> int:
    """Characters in the page's long unlinked runs outside comments (or, which is quicker told, in all of them)."""
    if with_comments:
        return sum([len(run.text) for run in page.runs if run.words >= LONG_RUN_WORDS and not run.linked_words])
    elements = page.elements
    in_comments = standing_in(elements, named(elements, _COMMENT_NAMES, never=PAGE_TAGS, keys=("id", "class")))
    characters = 0
    for run in page.runs:
        if run.words >= LONG_RUN_WORDS and not run.linked_words and not in_comments(run.element):
            characters += len(run.text)
    return characters
