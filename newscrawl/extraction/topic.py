"""Whether a text speaks of what the page says it is about: its headline and description.

One wrong choice costs a whole page, where a wrong block costs a hundredth of one. A long group of paragraphs may be the
cookie notice, a longer text the ten teasers below a short story; neither speaks of the headline.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from newscrawl.extraction.cleanup.cues import casefold, fold
from newscrawl.page import Page
from newscrawl.page.words import BLANKLESS

MIN_LETTERS: Final = 4
"""Shorter words stand in every text."""
BLANKLESS_PIECE: Final = 2
"""Of scripts without blanks every two neighbouring characters are looked for."""
ENOUGH_WORDS: Final = 5
"""A page that gives fewer says nothing of its topic."""

OFF_TOPIC: Final = 1 / 3
"""A text with at most this share of the words may be another text; from .25 to .4 corpora differ by .002 at most."""
MIN_GAIN: Final = 0.4
"""So much more of the words makes another text of the page the better one, whatever its length."""
MIN_ADDED: Final = 0.4
"""What a longer text adds must have so much of the share that the shorter one has, or it is other articles. Measured:
true continuations have .44 and more, teasers .27 and less."""


class Topic:
    """The words of a page's headline and description, and how many of them a text has."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._words = _topic_words(page)

    @cached_property
    def most(self) -> float:
        """The share of the whole page's text: no text of the page can have more."""
        return self.share(range(len(self._page.runs))) or 0.0

    def share(self, runs: Iterable[int]) -> float | None:
        """Share of the words in the text of `runs`; None where the page says too little of its topic."""
        words = self._words
        if len(words) < ENOUGH_WORDS:
            return None
        page_runs = self._page.runs
        text = casefold("\n".join([page_runs[i].text for i in runs]))
        return sum([word in text for word in words]) / len(words)


def _topic_words(page: Page) -> frozenset[str]:
    head = page.head
    headline = page.hints.headline or head.first("og:title", "twitter:title") or head.title or ""
    description = head.first("og:description", "description", "twitter:description") or ""
    words: set[str] = set()
    for word in fold(f"{headline} {description}").split():
        if not word.isascii() and BLANKLESS.search(word):
            words.update(word[i : i + BLANKLESS_PIECE] for i in range(len(word) - 1))
        elif len(word) >= MIN_LETTERS:
            words.add(word)
    return frozenset(words)
