"""Which pages of a site that looks broken are not to be believed: page by page, while they come in. Pure.

An alarm (newscrawl.monitoring.extraction_alarm) needs a dozen pages or more, since nobody should be called for nothing.
To hold a page for review costs little and can be undone, so it begins after a few pages: when nearly all of a site's
latest pages have the same problem that hardly any had before. Then the pages that have the problem are suspect, and no
others.

Missing authors hold no page for review, nor does another extractor of the site's own chain: an article without its
author's name is better than none. Both are alarms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Final

from newscrawl.monitoring import problems
from newscrawl.monitoring.extraction_baseline import LEAST_USUAL as FULL_BASELINE
from newscrawl.monitoring.extraction_baseline import ExtractionBaseline, Samples, length_edges, lengths_of
from newscrawl.monitoring.judgement import cautious_share, tail_probability
from newscrawl.monitoring.page_sample import EMPTY, PageSample

WINDOW: Final = 8
"""Latest pages that are compared with the usual ones."""
LEAST_ODD: Final = 4
"""Pages with the same problem from which on pages are suspect; those before are stored."""
LEAST_USUAL: Final = 20
"""Pages from which a site has something usual."""
RISE: Final = 0.4
"""A share must have grown by so much."""
CHANCE: Final = 1.1e-4
"""The probability of so many pages by chance. Four in a row are enough where one of ten had the problem before."""
COLLAPSED: Final = 0.5
"""A text that has less than this part of the shortest twentieth's length is more than a short one."""
SELDOM: Final = 0.2
"""A problem that more than this part of the usual pages has may occur in the text of another extractor, too."""

EXTRACTORS_FAULT: Final = frozenset({EMPTY, "verdict/listing", "verdict/video", "verdict/gallery"})
"""Failures that another extractor may help with: these verdicts depend on how much text there is."""

_OF_TEXT: Final = frozenset({problems.TEXT_COLLAPSED, problems.SAME_TEXT, problems.NOT_WHOLE, problems.NO_TEXT})
"""A new template empties one page, cuts the next short and leaves the same notice of a third: taken together."""
_QUICK: Final = (
    problems.TITLE_MISSING,
    problems.PUBLISHED_MISSING,
    problems.TEXT_COLLAPSED,
    problems.TEXT_LONG,
    problems.NOT_WHOLE,
    problems.NO_TEXT,
    problems.SAME_TEXT,
)
"""Problems that make a page suspect before there is an alarm."""


def suspicions(baseline: ExtractionBaseline, alarmed: Collection[str] = ()) -> tuple[str, ...]:
    """The problems for which the page added last is not believed; none for nearly all pages.

    `alarmed` are the problems that an open alarm names: a page that has one of them is not believed at once.
    """
    usual = _usual(baseline)
    if not baseline.latest or len(usual) < LEAST_USUAL:
        return ()
    finder = _ProblemFinder(baseline)
    found = finder.problems_of(baseline.latest[-1])
    if found.isdisjoint((*_QUICK, *alarmed)):  # a text that is merely short needs no comparison
        return ()
    latest = [finder.problems_of(sample) for sample in baseline.latest[-WINDOW:]]
    before = [finder.problems_of(sample) for sample in usual]
    risen: set[str] = {problem for problem in _QUICK if problem in found and _has_risen({problem}, latest, before)}
    if found & _OF_TEXT and _has_risen(_OF_TEXT, latest, before):
        risen |= found & _OF_TEXT
    return tuple(sorted(risen | found.intersection(alarmed)))


def suspected(named: Iterable[str]) -> frozenset[str]:
    """The problems of single pages that stand for what an open alarm names."""
    return frozenset(problems.NO_TEXT if name == problems.PAGE_FAILED else name for name in named)


def is_as_usual(baseline: ExtractionBaseline, sample: PageSample, alarmed: Collection[str] = ()) -> bool:
    """Whether what another extractor made of the page added last is as the site's pages usually are."""
    finder = _ProblemFinder(baseline)
    found = finder.problems_of(sample)
    if not found:
        return True
    before = [finder.problems_of(one) for one in _usual(baseline)]
    suspicious = set(suspicions(baseline, alarmed))
    return all(problem not in suspicious and _share({problem}, before) > SELDOM for problem in found)


def mark_suspect(baseline: ExtractionBaseline, wrong: Collection[str]) -> None:
    """Marks the page added last as suspect, and those of the latest before it that have one of the problems `wrong`:
    they were believed for want of others like them, but must not become usual."""
    finder = _ProblemFinder(baseline)
    first, last = len(baseline.latest) - WINDOW, len(baseline.latest) - 1
    baseline.latest = tuple(
        replace(sample, is_suspect=True)
        if index == last or (index >= first and finder.problems_of(sample).intersection(wrong))
        else sample
        for index, sample in enumerate(baseline.latest)
    )


def add_stored(baseline: ExtractionBaseline, sample: PageSample, *, is_alarm: bool) -> None:
    """Adds a page that was stored. A suspect one makes those like it suspect, as it did during the crawl."""
    baseline.add(sample, is_alarm=is_alarm)
    if sample.is_suspect:
        mark_suspect(baseline, suspicions(baseline))


def is_mostly(text: str, other: str) -> bool:
    """Whether at least half of a text are paragraphs of another, suspect one: it is that with a headline."""
    known = set(other.split("\n"))
    return 2 * sum(len(line) for line in text.split("\n") if line in known) >= len(text)


class _ProblemFinder:
    """Finds what is wrong with a page, given what is usual."""

    def __init__(self, baseline: ExtractionBaseline) -> None:
        self._usual = _usual(baseline)
        lengths = baseline.usual_lengths() if self._usual is baseline.usual else lengths_of(self._usual)
        self._short, self._long = length_edges(lengths, LEAST_USUAL)

    @cached_property
    def _compared(self) -> bool:
        """Whether it is known how many of the usual pages have the text of another one."""
        compared = (one for one in self._usual if one.failure is None and one.repeats_text is not None)
        return sum(1 for _ in compared) >= LEAST_USUAL

    def problems_of(self, sample: PageSample) -> frozenset[str]:
        if sample.failure is not None:
            return frozenset({problems.NO_TEXT} if sample.failure in EXTRACTORS_FAULT else ())
        length = sample.characters
        asked = {
            problems.TITLE_MISSING: not sample.has_title,
            problems.PUBLISHED_MISSING: not sample.has_date,
            problems.SAME_TEXT: bool(sample.repeats_text) and self._compared,
            problems.TEXT_SHORT: length < self._short,
            problems.TEXT_COLLAPSED: length < COLLAPSED * self._short,
            problems.TEXT_LONG: length > 2 * self._long,
            problems.NOT_WHOLE: sample.verdict not in problems.WHOLE,
        }
        return frozenset(problem for problem, is_so in asked.items() if is_so)


def _usual(baseline: ExtractionBaseline) -> Samples:
    """What the latest pages are compared with: where not enough is known to be usual, also those just before them."""
    if len(baseline.usual) >= FULL_BASELINE:
        return baseline.usual
    return (*baseline.usual, *(sample for sample in baseline.latest[:-WINDOW] if not sample.is_suspect))


def _has_risen(wrong: Collection[str], latest: list[frozenset[str]], before: list[frozenset[str]]) -> bool:
    """Whether the last four, five ... of the pages have a problem so often that it cannot be as before."""
    usual = cautious_share(sum(map(bool, _having(wrong, before))), len(before))
    for number in range(LEAST_ODD, len(latest) + 1):
        yes = sum(_having(wrong, latest[-number:]))
        rise = yes / number - _share(wrong, before)
        if yes >= LEAST_ODD and rise >= RISE and tail_probability(yes, number, usual) < CHANCE:
            return True
    return False


def _share(wrong: Collection[str], pages: list[frozenset[str]]) -> float:
    return sum(_having(wrong, pages)) / len(pages) if pages else 0.0


def _having(wrong: Collection[str], pages: Iterable[frozenset[str]]) -> list[bool]:
    return [not found.isdisjoint(wrong) for found in pages]
