"""Which pages of a site that looks broken are not to be believed: page by page, while they come in. Pure.

An alarm (watch_pages) wants a dozen pages or more, since nobody should be called for nothing. To hold a page back costs
little and can be undone, so it is begun after a few: when nearly all of a site's latest pages have the same thing wrong
that hardly any had before. Then those pages that have it wrong are doubted, and no others.

Lost authors hold nothing back, nor does another extractor of the site's own chain: an article without its author's name
is better than none. They are alarms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Final

from newscrawl.monitoring.extraction_baseline import (
    DOUBTED,
    LEAST_BASE,
    PUBLISHED,
    REPEATED,
    SAME_TEXT,
    TITLE,
    TOLD,
    Pages,
    Words,
    cautious,
    chance,
    characters_of,
    flags_of,
    length_edges,
    lengths_of,
)

WINDOW: Final = 8
"""Latest pages looked at."""
LEAST_ODD: Final = 4
"""Pages with the same thing wrong from which on a site is doubted; those before are stored."""
LEAST_USUAL: Final = 20
"""Pages from which a site has something usual."""
RISE: Final = 0.4
CHANCE: Final = 1.1e-4
"""Of so many pages by chance. Four in a row are enough where one of ten had it before."""
COLLAPSED: Final = 0.5
"""Of the shortest twentieth's length: a text that is less than this is more than a short one."""
SELDOM: Final = 0.2
"""What this part of the pages has wrong, a page that another extractor has read may have, too."""

TITLE_MISSING: Final = "title missing"
PUBLISHED_MISSING: Final = "published missing"
TEXT_SHORT: Final = "text short"
TEXT_COLLAPSED: Final = "text collapsed"
TEXT_LONG: Final = "text long"
NOT_WHOLE: Final = "not a whole article"
NO_TEXT: Final = "no text"

EXTRACTORS_FAULT: Final = frozenset({"extraction/empty", "verdict/listing", "verdict/video", "verdict/gallery"})
"""Failures that another extractor may help with: these verdicts depend on how much text there is."""

_OF_TEXT: Final = frozenset({TEXT_COLLAPSED, SAME_TEXT, NOT_WHOLE, NO_TEXT})
"""A new template empties one page, cuts the next short and leaves the same notice of a third: taken together."""
_QUICK: Final = (TITLE_MISSING, PUBLISHED_MISSING, TEXT_COLLAPSED, TEXT_LONG, NOT_WHOLE, NO_TEXT, SAME_TEXT)


def doubts(pages: Pages, alarmed: Collection[str] = ()) -> tuple[str, ...]:
    """What of the page added last is not believed; nothing for nearly all pages.

    `alarmed` are what an open alarm says is wrong with the site.
    """
    usual = _usual(pages)
    if not pages.recent or len(usual) < LEAST_USUAL:
        return ()
    odd = _Odd(pages)
    wrong = odd.of(pages.recent[-1])
    if wrong.isdisjoint((*_QUICK, *alarmed)):  # a text that is merely short needs no comparison
        return ()
    latest = [odd.of(word) for word in pages.recent[-WINDOW:]]
    before = [odd.of(word) for word in usual]
    failing: set[str] = {what for what in _QUICK if what in wrong and _has_risen({what}, latest, before)}
    if wrong & _OF_TEXT and _has_risen(_OF_TEXT, latest, before):
        failing |= wrong & _OF_TEXT
    return tuple(sorted(failing | wrong.intersection(alarmed)))


def passes(pages: Pages, word: str, alarmed: Collection[str] = ()) -> bool:
    """Whether what another extractor made of the page added last is as the site's pages usually are."""
    odd = _Odd(pages)
    wrong = odd.of(word)
    if not wrong:
        return True
    before = [odd.of(one) for one in _usual(pages)]
    failing = set(doubts(pages, alarmed))
    return all(what not in failing and _share({what}, before) > SELDOM for what in wrong)


def doubt(pages: Pages, what: Collection[str]) -> None:
    """Marks the page added last as doubted, for `what`; and the latest before it that have that wrong, too: they were
    believed for want of others like them, but must not become usual."""
    odd = _Odd(pages)
    first, last = len(pages.recent) - WINDOW, len(pages.recent) - 1
    pages.recent = tuple(
        word + DOUBTED
        if not word.endswith(DOUBTED) and (n == last or (n >= first and odd.of(word).intersection(what)))
        else word
        for n, word in enumerate(pages.recent)
    )


def is_mostly(text: str, other: str) -> bool:
    """Whether at least half of a text are paragraphs of another one, which was doubted: it is that with a headline."""
    known = set(other.split("\n"))
    return 2 * sum(len(line) for line in text.split("\n") if line in known) >= len(text)


class _Odd:
    """What is wrong with a page, given what is usual."""

    def __init__(self, pages: Pages) -> None:
        self._usual = _usual(pages)
        lengths = pages.base_lengths() if self._usual is pages.base else lengths_of(self._usual)
        self._short, self._long = length_edges(lengths, LEAST_USUAL)

    @cached_property
    def _compared(self) -> bool:
        return "".join(self._usual).count(TOLD) >= LEAST_USUAL

    def of(self, word: str) -> frozenset[str]:
        if word.startswith("!"):
            return frozenset({NO_TEXT} if word[1:].removesuffix(DOUBTED) in EXTRACTORS_FAULT else ())
        flags, length = flags_of(word), characters_of(word)
        asked = {
            TITLE_MISSING: not flags & TITLE,
            PUBLISHED_MISSING: not flags & PUBLISHED,
            SAME_TEXT: bool(flags & REPEATED) and self._compared,
            TEXT_SHORT: length < self._short,
            TEXT_COLLAPSED: length < COLLAPSED * self._short,
            TEXT_LONG: length > 2 * self._long,
            NOT_WHOLE: word[1] not in "al",
        }
        return frozenset(what for what, is_so in asked.items() if is_so)


def _usual(pages: Pages) -> Words:
    """What the latest pages are held against: where not enough is known to be usual, also those just before them."""
    if len(pages.base) >= LEAST_BASE:
        return pages.base
    return (*pages.base, *(word for word in pages.recent[:-WINDOW] if not word.endswith(DOUBTED)))


def _has_risen(what: Collection[str], latest: list[frozenset[str]], before: list[frozenset[str]]) -> bool:
    """Whether the last four, five ... of the pages have it so often that it cannot be as before."""
    usual = cautious(sum(map(bool, _having(what, before))), len(before))
    for number in range(LEAST_ODD, len(latest) + 1):
        yes = sum(_having(what, latest[-number:]))
        rise = yes / number - _share(what, before)
        if yes >= LEAST_ODD and rise >= RISE and chance(yes, number, usual) < CHANCE:
            return True
    return False


def _share(what: Collection[str], pages: list[frozenset[str]]) -> float:
    return sum(_having(what, pages)) / len(pages) if pages else 0.0


def _having(what: Collection[str], pages: Iterable[frozenset[str]]) -> list[bool]:
    return [not one.isdisjoint(what) for one in pages]
