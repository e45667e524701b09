"""The size of an extracted text, and whether it is too short to be the whole article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.extraction.cleanup.copies import start_of_next
from newscrawl.extraction.cleanup.draft import characters_of
from newscrawl.extraction.cleanup.within import PAGE_TAGS
from newscrawl.extraction.element_predicates import NamePattern, at_or_inside, named
from newscrawl.extraction.limits import Limits
from newscrawl.page import Page
from newscrawl.page.words import BLANKLESS, BLANKLESS_WEIGHT, has_blankless

_COMMENT_NAMES: Final = NamePattern(
    re.compile(r"comment(?!ary|ator)|disqus|respond(?!ent)|livefyre|spotim|coral[-_]talk|guestbook"),
    tuple("comment disqus respond livefyre spotim coral guestbook".split()),
)
"""Names of elements with readers' comments. A commentary is an article."""


@dataclass(frozen=True, slots=True)
class Size:
    """The amount of text in a selection of runs."""

    words: int
    characters: int
    weight: int | None = None
    """Latin letters that correspond to the text; None if that is `characters`."""

    def shortness(self, limits: Limits) -> str | None:
        """Returns why this is too short by its own numbers, None if it is not."""
        if self.words < limits.min_words:
            return f"{self.words} of at least {limits.min_words} words"
        characters = self.characters if self.weight is None else self.weight
        if characters < limits.min_characters:
            return f"{characters} of at least {limits.min_characters} characters"
        return None

    def low_share(self, prose: int, limits: Limits) -> str | None:
        """Returns why this is too small a part of the page's `prose` characters, None if it is large enough."""
        if self.characters < limits.min_share * prose:
            return f"{self.characters} of the page's {prose} characters in long runs"
        return None


def size_of(page: Page, runs: Sequence[int]) -> Size:
    """Returns words, characters and weight of `runs`."""
    chosen = [page.runs[i] for i in runs]
    return size_of_text("".join([run.text for run in chosen]), sum([run.words for run in chosen]))


def size_of_text(text: str, words: int) -> Size:
    """Returns words, characters and weight of a text with so many words."""
    blankless = len(BLANKLESS.findall(text)) if has_blankless(text) else 0
    weight = len(text) + (BLANKLESS_WEIGHT - 1) * blankless if blankless else None
    return Size(words, len(text), weight)


def prose_characters(page: Page, *, with_comments: bool = False) -> int:
    """Returns the characters in the page's prose outside comments and the next articles of an endless page; with them,
    which is faster, in all of it."""
    if with_comments:
        return characters_of(page, page.prose)
    elements, following = page.elements, start_of_next(page)
    in_comments = at_or_inside(elements, named(elements, _COMMENT_NAMES, never=PAGE_TAGS, keys=("id", "class")))
    return characters_of(page, [i for i in page.prose if i < following and not in_comments(page.runs[i].element)])
