"""Finds offers among the text of an article: those of a paywall, and boxes in which readers sign up.

Many systems give an offer to subscribe a name (`boxes`) or a heading (`notes`). In others its lines are paragraphs like
those of the article, and phrases tell where it begins. They stand in place of the rest of an article that only
subscribers read. A box with a field for a mail address is told by its shape.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from newscrawl.extraction.cleanup.boxes import WHOLE_TAGS
from newscrawl.extraction.cleanup.cues import fold, read_phrases
from newscrawl.extraction.cleanup.draft import Draft, inside_of
from newscrawl.page import Page, TextRun
from newscrawl.page.tags import TAG_NAMES
from newscrawl.page.words import BLANKLESS

LINE_WORDS: Final = 25
"""The most words of a line of an offer. Longer runs are paragraphs."""
MAX_LINES: Final = 12
"""The most lines of an offer."""
MIN_WORDS_ABOVE: Final = 15
"""The least words of the free part above an offer."""
MAX_WORDS: Final = 60
"""Words of a box to sign up: an invitation, the field, and what a reader agrees to. Parts of articles have more."""
MAX_LEVELS: Final = 4
"""Elements from the field up to the box."""
MAX_FIELDS: Final = 20
"""Fields of a page that are looked at, the first ones."""

_INPUT: Final = TAG_NAMES.index("input")
_FIELD_KEYS: Final = ("type", "name")
_TEXT_KINDS: Final = frozenset({"", "text"})

PAYWALL_TEXTS: Final = read_phrases(__file__, "phrases/paywalls.txt")
"""Phrases in short runs that replace the rest of an article."""

_OFFERS: Final = tuple(sorted(PAYWALL_TEXTS | read_phrases(__file__, "phrases/offers.txt")))
_KEYS: Final = frozenset(max(phrase.split(), key=len) for phrase in _OFFERS)
"""The longest word of each phrase. Most texts end without one of these words, which are found faster."""
_BLANKLESS: Final = tuple(phrase for phrase in _OFFERS if BLANKLESS.search(phrase))
"""Phrases in scripts without blanks, in which words cannot be told from each other."""


def offer(text: Draft) -> Collection[int]:
    """Finds the offer of a paywall: the short runs at the end from one on which says that subscribers read on."""
    page_runs, runs = text.page.runs, text.runs
    first = end = len(runs)
    while first and end - first < MAX_LINES and page_runs[runs[first - 1]].words <= LINE_WORDS:
        first -= 1
    if first == end:
        return ()
    last = fold("\n".join([page_runs[i].text for i in runs[first:]]))
    if _KEYS.isdisjoint(last.split()) and (last.isascii() or not any(map(last.__contains__, _BLANKLESS))):
        return ()
    start = next((place for place in range(first, end) if _offers(page_runs[runs[place]])), end)
    return runs[start:] if sum([page_runs[i].words for i in runs[:start]]) >= MIN_WORDS_ABOVE else ()


def _offers(run: TextRun) -> bool:
    folded = fold(run.text)
    return any(phrase in folded for phrase in _OFFERS)


def sign_ups(text: Draft) -> Collection[int]:
    """Finds boxes with a field for a mail address and a few sentences around it."""
    return inside_of(text.page, text.runs, _boxes(text.page)) if text.runs else ()


def _boxes(page: Page) -> Iterator[tuple[int, int]]:
    """Yields the boxes with a field for a mail address, each as its number and the first element after it."""
    for field in islice(_mail_fields(page), MAX_FIELDS):
        box: tuple[int, int] | None = None
        for element in islice(page.elements.ancestors(field), MAX_LEVELS):
            if page.elements.tag[element] in WHOLE_TAGS:
                break
            end = page.elements.end_of(element)
            inside = page.runs[page.first_run(element) : page.first_run(end)]
            if sum([run.words for run in inside]) > MAX_WORDS:
                break
            box = element, end
        if box is not None:
            yield box


def _mail_fields(page: Page) -> Iterator[int]:
    """Yields the fields for a mail address: by their type, or by their name."""
    first_of, values_of = page.elements.first_of, page.elements.reader()
    element = -1
    while (element := first_of(_INPUT, element + 1)) >= 0:
        kind, name = values_of(element, _FIELD_KEYS) or (None, None)
        kind = (kind or "").lower()
        if kind == "email" or (kind in _TEXT_KINDS and name and "mail" in name.lower()):
            yield element
