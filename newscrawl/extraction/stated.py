"""What a page states about its article: the topic, which is its headline and description, and sometimes the text.

One wrong choice costs a whole page, one wrong block a hundredth of one. A long group of paragraphs may be the cookie
notice, a longer text the ten teasers below a short story. Neither has words of the headline.

Pages that a script draws have no other text than `articleBody` of JSON-LD. Elsewhere the text of the page itself is
used: stated texts often lack paragraphs, and some are summaries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final

from newscrawl.extraction.cleanup.cues import casefold, fold
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.render import render, without_invisible
from newscrawl.extraction.size import size_of_text
from newscrawl.model import PARAGRAPH_GAP, Attempt, Extraction
from newscrawl.page import Page, parse
from newscrawl.page.jsonld import decode_references
from newscrawl.page.words import BLANKLESS, count_words

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


STATED: Final = "json-ld"
"""The name of this source in traces, beside those of the extractors."""
PROPERTY: Final = "articleBody"

_MARKUP: Final = re.compile(r"<(?:p|br|div|h[1-6]|ul|ol|li|a|b|em|strong|span|i)\b", re.IGNORECASE)


def stated_bodies(page: Page) -> Iterator[str]:
    """Yields the stated texts as they are written. The JSON-LD is only parsed if it has the property."""
    if any(PROPERTY in script for script in page.hints.json_ld_scripts):
        for item in page.hints.json_ld:
            if isinstance(body := item.get(PROPERTY), str):
                yield body


def stated_text(page: Page) -> str | None:
    """Returns the stated text in paragraphs; None without one, and if the page states several, as a list of articles
    does."""
    bodies = set(stated_bodies(page))
    if len(bodies) != 1:
        return None
    body = decode_references(decode_references(bodies.pop()))  # many are escaped twice
    body = body.encode("utf-8", "replace").decode()  # JSON can contain half of a surrogate pair
    if _MARKUP.search(body):
        inner = parse(f"<!doctype html><meta charset=utf-8><body>{body}".encode())
        return render(inner, range(len(inner.runs))) or None
    lines = (" ".join(line.split()) for line in without_invisible(body).splitlines())
    return PARAGRAPH_GAP.join(filter(None, lines)) or None


def or_stated(page: Page, found: Extraction, limits: Limits) -> Extraction:
    """Returns the stated text in place of a text that is missing or too short; `found` if that is longer, or if the
    stated one is too short itself."""
    text = stated_text(page)
    if text is None or len(text) <= len(found.text):
        return found
    size = size_of_text(text, count_words(text))
    if size.shortness(limits) is not None:
        return found
    refused = tuple(replace(attempt, accepted=False) for attempt in found.trace)
    reason = "the page shows too little of the text that its JSON-LD states"
    return Extraction(text, (), STATED, (*refused, Attempt(STATED, size.words, size.characters, True, reason)))
