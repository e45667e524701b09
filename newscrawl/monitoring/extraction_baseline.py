"""Whether the extraction of a site's pages looks broken: its latest pages against those before them. Pure.

A redesign rarely raises anything: titles, dates or the text itself are just missing from one day on (THREATS T24). Each
page leaves one short word; the last `RECENT` are held against up to `BASE` before them. Every question is one of yes or
no (is the date missing? is the text shorter than the shortest twentieth used to be?), so one test serves all: the share
of yes is far above the usual one, and by a binomial law next to impossible.

While an alarm is open no page is added to what is usual, and a page that was held back or needed another extractor
(newscrawl.monitoring.page_checks) never is. An alarm ends when the pages are as before, or when the operator says that
this is how the site is now.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from statistics import median
from typing import Final, Protocol

from newscrawl.monitoring.volume_baseline import Severity

BASE: Final = 400
RECENT: Final = 30
LEAST_BASE: Final = 60
"""Pages from which a site has something usual."""
LEAST_RECENT: Final = 12
RISE: Final = 0.4
"""A share must have grown by so much: one section with pages of another kind is no redesign."""
STILL: Final = 0.2
"""An alarm stays open while a share is above the usual one by this."""
CHANCE: Final = 1e-6
"""Of so many pages by chance, if pages were independent, which they are not: hence the rise as well."""
LENGTH_EDGE: Final = 0.05
"""The shortest and the longest twentieth of the usual texts say what is short and long."""
TITLE, AUTHORS, PUBLISHED, FALLBACK, REPEATED = 1, 2, 4, 8, 16
_VERDICTS: Final = {"article": "a", "live": "l", "paywalled": "p", "short": "s"}

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuv"
TOLD: Final = "~"
"""Ends what was watched for a text that other pages have, too; the latest pages have hashes of text and page after it,
which is what that is seen by."""
DOUBTED: Final = "^"
"""Ends the word of a page that was held back or needed another extractor."""
_MARKS: Final = re.compile(r"[@~^]")
SAME_TEXT: Final = "same text as another page"
NOT_BELIEVED: Final = "text not believed"
LEAST_DOUBTED: Final = 8
"""Pages after the last doubted one that end the alarm where nothing else is known to be usual."""

Words = tuple[str, ...]
"""Pages in the order in which they were read: `7a1532` (fields, verdict, characters) or `!extraction/empty`."""


class PageFact(Protocol):
    """What a page came to; storage.baselines.Observation is one."""

    @property
    def failure(self) -> str | None: ...
    @property
    def verdict(self) -> str | None: ...
    @property
    def characters(self) -> int: ...
    @property
    def titled(self) -> bool: ...
    @property
    def authored(self) -> bool: ...
    @property
    def dated(self) -> bool: ...
    @property
    def fell_back(self) -> bool: ...
    @property
    def page(self) -> str | None:
        """A short hash of the page's address; None where nobody looked."""
        ...

    @property
    def text(self) -> str | None:
        """A short hash of its text; None without one."""
        ...

    @property
    def doubted(self) -> bool: ...


@dataclass(slots=True)
class Pages:
    """What is remembered of a site's pages. `times` are when the recent ones were fetched, in minutes since 1970."""

    base: Words = ()
    recent: Words = ()
    times: tuple[int, ...] = ()
    _lengths: tuple[Words, list[int]] = field(default=((), []), repr=False, compare=False)
    """The base that was asked about last, and the lengths of its texts."""

    @classmethod
    def read(cls, base: str | None, recent: str | None) -> Pages:
        """From `written()`."""
        pairs = [word.rpartition("@") for word in (recent or "").split()]
        known = [(word, int(time)) for word, _, time in pairs if time.isdigit()]
        return cls(tuple((base or "").split()), tuple(w for w, _ in known), tuple(t for _, t in known))

    def written(self) -> tuple[str, str]:
        """As two texts, of at most 5 kB."""
        recent = (f"{word}@{time}" for word, time in zip(self.recent, self.times, strict=True))
        return " ".join(self.base), " ".join(recent)

    def add(self, word: str, at: datetime, *, is_alarm: bool) -> None:
        """One more page; the oldest recent one becomes usual, unless it was doubted or an alarm says that it is not. An
        alarm of a site of which little is usual yet can only rest on pages that were doubted."""
        recent, times = (*self.recent, self.compared(word)), (*self.times, int(at.timestamp()) // 60)
        if not is_alarm or len(self.base) < LEAST_BASE:
            self._make_usual(usual_words(recent[:-RECENT]))
        self.recent, self.times = recent[-RECENT:], times[-RECENT:]

    def base_lengths(self) -> list[int]:
        """The lengths of the base's texts, ascending: sorted once, since each new page asks for them."""
        if self._lengths[0] is not self.base:
            self._lengths = (self.base, lengths_of(self.base))
        return self._lengths[1]

    def _make_usual(self, words: Words) -> None:
        lengths = self.base_lengths().copy()
        longer = (*self.base, *words)
        for word in words:
            if word[0] != "!":
                insort(lengths, characters_of(word))
        for word in longer[:-BASE]:
            if word[0] != "!":
                del lengths[bisect_left(lengths, characters_of(word))]
        self.base = longer[-BASE:]
        self._lengths = (self.base, lengths)

    def accept(self) -> None:
        """What the latest pages are is usual from now on."""
        self.base = ()
        self.recent = tuple(word.removesuffix(DOUBTED) for word in self.recent)

    def compared(self, word: str) -> str:
        """The word with the mark that one of the latest pages, at another address, has the same text."""
        core, _, told = word.partition(TOLD)
        text, _, page = told.removesuffix(DOUBTED).partition(".")
        if not (text and page) or core.startswith("!"):
            return word
        alike = (other for other in self.recent if text in other)
        others = (other.partition(TOLD)[2].removesuffix(DOUBTED).partition(".") for other in alike)
        if any(other_text == text and other_page != page for other_text, _, other_page in others):
            return f"{_DIGITS[int(core[0], 32) | REPEATED]}{word[1:]}"
        return word


@dataclass(frozen=True, slots=True)
class Miss:
    """One question whose answers have changed: shares from 0 to 1."""

    what: str
    now: float
    usual: float


@dataclass(frozen=True, slots=True)
class Broken:
    """What the pages say. Without a baseline `known` is False. `misses` are the worst first."""

    known: bool = False
    alarm: Severity | None = None
    over: bool = False
    since: datetime | None = None
    misses: tuple[Miss, ...] = field(default=())
    pages: int = 0


def page_word(fact: PageFact) -> str:
    """What is remembered of a page."""
    doubted = DOUBTED if fact.doubted else ""
    if fact.failure is not None:
        return "!" + "_".join(_MARKS.sub(" ", fact.failure).split())[:60] + doubted
    flags = TITLE * fact.titled + AUTHORS * fact.authored + PUBLISHED * fact.dated + FALLBACK * fact.fell_back
    told = f"{TOLD}{fact.text}.{fact.page}" if fact.text and fact.page else ""
    return f"{_DIGITS[flags]}{_VERDICTS.get(fact.verdict or '', 'o')}{fact.characters}{told}{doubted}"


def usual_words(words: Words) -> Words:
    """The words as they are remembered of what is usual: without those doubted, and without hashes."""
    return tuple("".join(word.partition(TOLD)[:2]) for word in words if not word.endswith(DOUBTED))


def judge_pages(pages: Pages) -> Broken:
    """The judgement of the recent pages."""
    held = _judge_doubted(pages)
    if len(pages.base) < LEAST_BASE or len(pages.recent) < LEAST_RECENT:
        return held
    broken = _judge_shares(pages)
    if held.alarm is None:
        return broken
    since = min(filter(None, [held.since, broken.since]))
    return replace(held, since=since, misses=(*held.misses, *broken.misses))


def _judge_doubted(pages: Pages) -> Broken:
    """Whether pages are held back, or read by another extractor than the site's; that needs no test of its own."""
    doubted = [index for index, word in enumerate(pages.recent) if word.endswith(DOUBTED)]
    if not doubted:
        return Broken()
    if doubted[-1] < len(pages.recent) - LEAST_DOUBTED:
        return Broken(known=True, over=True)
    since = datetime.fromtimestamp(pages.times[doubted[0]] * 60, UTC)
    miss = Miss(NOT_BELIEVED, len(doubted) / len(pages.recent), 0.0)
    return Broken(True, "critical", since=since, misses=(miss,), pages=len(pages.recent))


def _judge_shares(pages: Pages) -> Broken:
    usual, now = _answers(pages.base, pages.base), _answers(pages.recent, pages.base)
    misses, still = [], False
    for what, (yes, of, marked) in now.items():
        base_yes, base_of, _ = usual[what]
        if of < LEAST_RECENT:
            continue
        share, before = yes / of, base_yes / base_of if base_of else 0.0
        still |= share >= before + STILL
        if what == SAME_TEXT and base_of < LEAST_RECENT:
            continue  # what was remembered before that was watched for
        if share >= before + RISE and chance(yes, of, cautious(base_yes, base_of)) < CHANCE:
            misses.append((Miss(what, share, before), pages.times[marked]))
    if not misses:
        return Broken(True, over=not still)
    misses.sort(key=lambda pair: pair[0].usual - pair[0].now)
    since = datetime.fromtimestamp(min(time for _, time in misses) * 60, UTC)
    grave = any(miss.what in {"title missing", "text short", "page failed", SAME_TEXT} for miss, _ in misses)
    alarm: Severity = "critical" if grave else "warning"
    return Broken(True, alarm, since=since, misses=tuple(miss for miss, _ in misses), pages=len(pages.recent))


def usual_length(base: Words) -> tuple[float, float]:
    """Median of the usual texts' characters and the median absolute deviation from it; zeros without any."""
    lengths = lengths_of(base)
    if not lengths:
        return 0.0, 0.0
    middle = median(lengths)
    return middle, median(abs(length - middle) for length in lengths)


def commonest_failure(words: Words) -> str | None:
    """The kind of failure that most of the pages have that failed."""
    kinds = Counter(word[1:].removesuffix(DOUBTED) for word in words if word.startswith("!"))
    return kinds.most_common(1)[0][0] if kinds else None


def length_edges(lengths: Sequence[int], least: int = LEAST_BASE) -> tuple[float, float]:
    """The characters below which a text is short, and above twice which it is long, by the usual lengths in ascending
    order; no bounds of fewer than `least`."""
    return _edges(lengths) if len(lengths) >= least else (0.0, math.inf)


def flags_of(word: str) -> int:
    """TITLE and the other marks of a page that has an article."""
    return int(word[0], 32)


@lru_cache(maxsize=20_000)
def characters_of(word: str) -> int:
    """The length of the text, of a page that has an article; asked of the same hundreds of pages for every new one."""
    return int(word[2:].partition(TOLD)[0].removesuffix(DOUBTED))


def chance(yes: int, of: int, share: float) -> float:
    """The probability of at least so many, each with this share."""
    return sum(math.comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(yes, of + 1))


def cautious(yes: int, of: int) -> float:
    """A share that was seen, not taken for more certain than it is."""
    return min(1.0, (yes + 1) / (of + 2) + 0.03)


def _answers(words: Words, base: Words) -> dict[str, tuple[int, int, int]]:
    """For each question: how many pages say yes, of how many, and the index of the first that does."""
    articles = [
        (index, flags_of(word), word[1], characters_of(word)) for index, word in enumerate(words) if word[0] != "!"
    ]
    short, long = length_edges(lengths_of(base))
    told = [index for index, word in enumerate(words) if TOLD in word]
    asked: dict[str, list[int]] = {
        "title missing": [i for i, flags, _, _ in articles if not flags & TITLE],
        "authors missing": [i for i, flags, _, _ in articles if not flags & AUTHORS],
        "published missing": [i for i, flags, _, _ in articles if not flags & PUBLISHED],
        "fallback used": [i for i, flags, _, _ in articles if flags & FALLBACK],
        "text short": [i for i, _, _, length in articles if length < short],
        "text long": [i for i, _, _, length in articles if length > 2 * long],
        "not a whole article": [i for i, _, verdict, _ in articles if verdict not in "al"],
    }
    failed = [index for index, word in enumerate(words) if word[0] == "!"]
    same = [index for index in told if flags_of(words[index]) & REPEATED]
    answers = {what: (len(yes), len(articles), yes[0] if yes else 0) for what, yes in asked.items()}
    answers[SAME_TEXT] = (len(same), len(told), same[0] if same else 0)
    return answers | {"page failed": (len(failed), len(words), failed[0] if failed else 0)}


def lengths_of(words: Words) -> list[int]:
    """The lengths of the texts, ascending."""
    return sorted(map(characters_of, [word for word in words if word[0] != "!"]))


def _edges(lengths: Sequence[int]) -> tuple[float, float]:
    """The characters below which the shortest twentieth lies, and above which the longest."""
    place = int(LENGTH_EDGE * (len(lengths) - 1))
    return float(lengths[place]), float(lengths[-1 - place])
