"""Phrases in place of the rest of an article that only subscribers read, and the offer that they begin.

Many systems give the offer a name (`boxes`) or a heading (`finish`). In others its lines are paragraphs like those of
the article. The phrases tell where such an offer begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from newscrawl.extraction.cleanup.cues import fold, read_phrases
from newscrawl.page import Page, TextRun
from newscrawl.page.words import BLANKLESS

LINE_WORDS: Final = 25
"""The most words of a line of an offer. Longer runs are paragraphs."""
MAX_LINES: Final = 12
"""The most lines of an offer."""
MIN_WORDS_ABOVE: Final = 15
"""The least words of the free part above an offer."""


PAYWALL_TEXTS: Final = read_phrases(__file__, "phrases/paywalls.txt")
"""Phrases in short runs that replace the rest of an article."""

_OFFERS: Final = tuple(sorted(PAYWALL_TEXTS | read_phrases(__file__, "phrases/offers.txt")))
_KEYS: Final = frozenset(max(phrase.split(), key=len) for phrase in _OFFERS)
"""The longest word of each phrase. Most texts end without one of these words, which are found faster."""
_BLANKLESS: Final = tuple(phrase for phrase in _OFFERS if BLANKLESS.search(phrase))
"""Phrases in scripts without blanks, in which words cannot be told from each other."""


def drop_offer(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without the short ones at their end of which one says that subscribers read on."""
    page_runs = page.runs
    first = end = len(runs)
    while first and end - first < MAX_LINES and page_runs[runs[first - 1]].words <= LINE_WORDS:
        first -= 1
    if first == end:
        return tuple(runs)
    last = fold("\n".join([page_runs[i].text for i in runs[first:]]))
    if _KEYS.isdisjoint(last.split()) and (last.isascii() or not any(map(last.__contains__, _BLANKLESS))):
        return tuple(runs)
    start = next((place for place in range(first, end) if _offers(page_runs[runs[place]])), end)
    if start == end or sum(page_runs[i].words for i in runs[:start]) < MIN_WORDS_ABOVE:
        return tuple(runs)
    return tuple(runs[:start])


def _offers(run: TextRun) -> bool:
    folded = fold(run.text)
    return any(phrase in folded for phrase in _OFFERS)
