"""Decides whether a text is about the page's topic, which is its headline and description.

One wrong choice costs a whole page, one wrong block a hundredth of one. A long group of paragraphs may be the cookie
notice, a longer text the ten teasers below a short story. Neither has words of the headline.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from newscrawl.extraction.cleanup.cues import casefold, fold
from newscrawl.page import Page
from newscrawl.page.words import BLANKLESS

MIN_LETTERS: Final = 4
"""Shorter words are in every text."""
BLANKLESS_PIECE: Final = 2
"""In scripts without blanks every two neighbouring characters are searched."""
ENOUGH_WORDS: Final = 5
"""The topic of a page with fewer words is not known."""

OFF_TOPIC: Final = 1 / 3
"""A text with at most this share of the words may be about something else. From .25 to .4 corpora differ by .002 at
most."""
MIN_GAIN: Final = 0.4
"""Another text of the page is better if it has this much more of the words, whatever its length."""
MIN_ADDED: Final = 0.4
"""The words that a longer text adds must have at least this part of the shorter one's share, or they are other
articles. Measured: true continuations have .44 and more, teasers .27 and less."""


class Topic:
    """The words of a page's headline and description, and how many of them a text contains."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._words = _topic_words(page)

    @cached_property
    def most(self) -> float:
        """The share of the whole page's text. No text of the page can have more."""
        return self.share(range(len(self._page.runs))) or 0.0

    def share(self, runs: Iterable[int]) -> float | None:
        """Returns the share of the words in the text of `runs`; None if the page's topic is not known."""
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
