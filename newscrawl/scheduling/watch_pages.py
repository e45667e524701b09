"""Whether the extraction of a site's pages looks broken: its latest pages against those before them. Pure.

A redesign rarely raises anything: titles, dates or the text itself are just missing from one day on (THREATS T24). Each
page leaves one short word; the last `RECENT` are held against up to `BASE` before them. Every question is one of yes or
no (is the date missing? is the text shorter than the shortest twentieth used to be?), so one test serves all: the share
of yes is far above the usual one, and by a binomial law next to impossible.

While an alarm is open no page is added to what is usual. It ends when the pages are as before, or when the operator
says that this is how the site is now.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import Final, Protocol

from newscrawl.scheduling.watch_volume import Severity

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
TITLE, AUTHORS, PUBLISHED, FALLBACK = 1, 2, 4, 8
_VERDICTS: Final = {"article": "a", "live": "l", "paywalled": "p", "short": "s"}

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


@dataclass(slots=True)
class Pages:
    """What is remembered of a site's pages. `times` are when the recent ones were fetched, in minutes since 1970."""

    base: Words = ()
    recent: Words = ()
    times: tuple[int, ...] = ()

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
        """One more page; the oldest recent one becomes usual, unless an alarm says that it is not."""
        recent, times = (*self.recent, word), (*self.times, int(at.timestamp()) // 60)
        if not is_alarm:
            self.base = (*self.base, *recent[:-RECENT])[-BASE:]
        self.recent, self.times = recent[-RECENT:], times[-RECENT:]

    def accept(self) -> None:
        """What the latest pages are is usual from now on."""
        self.base = ()


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
    if fact.failure is not None:
        return "!" + "_".join(fact.failure.replace("@", " ").split())[:60]
    flags = TITLE * fact.titled + AUTHORS * fact.authored + PUBLISHED * fact.dated + FALLBACK * fact.fell_back
    return f"{flags:x}{_VERDICTS.get(fact.verdict or '', 'o')}{fact.characters}"


def judge_pages(pages: Pages) -> Broken:
    """The judgement of the recent pages."""
    if len(pages.base) < LEAST_BASE or len(pages.recent) < LEAST_RECENT:
        return Broken()
    usual, now = _answers(pages.base, pages.base), _answers(pages.recent, pages.base)
    misses, still = [], False
    for what, (yes, of, marked) in now.items():
        base_yes, base_of, _ = usual[what]
        if of < LEAST_RECENT:
            continue
        share, before = yes / of, base_yes / base_of if base_of else 0.0
        still |= share >= before + STILL
        cautious = min(1.0, (base_yes + 1) / (base_of + 2) + 0.03)
        if share >= before + RISE and _chance(yes, of, cautious) < CHANCE:
            misses.append((Miss(what, share, before), pages.times[marked]))
    if not misses:
        return Broken(True, over=not still)
    misses.sort(key=lambda pair: pair[0].usual - pair[0].now)
    since = datetime.fromtimestamp(min(time for _, time in misses) * 60, UTC)
    grave = any(miss.what in {"title missing", "text short", "page failed"} for miss, _ in misses)
    alarm: Severity = "critical" if grave else "warning"
    return Broken(True, alarm, since=since, misses=tuple(miss for miss, _ in misses), pages=len(pages.recent))


def usual_length(base: Words) -> tuple[float, float]:
    """Median of the usual texts' characters and the median absolute deviation from it; zeros without any."""
    lengths = _lengths(base)
    if not lengths:
        return 0.0, 0.0
    middle = median(lengths)
    return middle, median(abs(length - middle) for length in lengths)


def commonest_failure(words: Words) -> str | None:
    """The kind of failure that most of the pages have that failed."""
    kinds = Counter(word[1:] for word in words if word.startswith("!"))
    return kinds.most_common(1)[0][0] if kinds else None


def _answers(words: Words, base: Words) -> dict[str, tuple[int, int, int]]:
    """For each question: how many pages say yes, of how many, and the index of the first that does."""
    articles = [(index, int(word[0], 16), word[1], int(word[2:])) for index, word in enumerate(words) if word[0] != "!"]
    lengths = _lengths(base)
    short, long = _edges(lengths) if len(lengths) >= LEAST_BASE else (0.0, math.inf)
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
    answers = {what: (len(yes), len(articles), yes[0] if yes else 0) for what, yes in asked.items()}
    return answers | {"page failed": (len(failed), len(words), failed[0] if failed else 0)}


def _lengths(words: Words) -> list[int]:
    return sorted(int(word[2:]) for word in words if word[0] != "!")


def _edges(lengths: Sequence[int]) -> tuple[float, float]:
    """The characters below which the shortest twentieth lies, and above which the longest."""
    place = int(LENGTH_EDGE * (len(lengths) - 1))
    return float(lengths[place]), float(lengths[-1 - place])


def _chance(yes: int, of: int, share: float) -> float:
    """The probability of at least so many, each with this share."""
    return sum(math.comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(yes, of + 1))
