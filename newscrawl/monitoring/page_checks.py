"""Decides which pages of a site are suspect because its extraction looks broken, page by page. Pure.

An alarm (newscrawl.monitoring.extraction) needs a dozen pages or more, because a false alarm costs attention.
Holding a page for review costs little and can be undone, so it begins after a few pages: when nearly all of a site's
latest pages have a problem that hardly any page had before. Then the pages with the problem are suspect, others are
not.

A missing date or missing authors alone do not hold a page for review, nor does another extractor of the site's own
chain: an article without its date or its author's name is better than none. They cause alarms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from msgspec.structs import replace

from newscrawl.monitoring import problems
from newscrawl.monitoring.extraction import MIN_USUAL as FULL_BASELINE
from newscrawl.monitoring.extraction import ExtractionBaseline
from newscrawl.monitoring.problems import CHECKS, cautious_share, length_edges, lengths_of, tail_probability
from newscrawl.monitoring.samples import PageSample, Samples

WINDOW: Final = 8
"""Latest pages that are compared with the usual ones."""
MIN_ODD: Final = 4
"""Pages with the same problem after which pages with it are suspect. Those before are stored."""
MIN_USUAL: Final = 20
"""The fewest usual pages with which pages are compared."""
RISE: Final = 0.4
"""The least rise of a share."""
CHANCE: Final = 1.1e-4
"""The probability of so many pages by chance. Four in a row suffice if one of ten pages had the problem before."""
SELDOM: Final = 0.2
"""Another extractor's text may have a problem that more than this share of the usual pages has."""

_OF_TEXT: Final = frozenset({problems.TEXT_COLLAPSED, problems.SAME_TEXT, problems.NOT_WHOLE, problems.NO_TEXT})
"""Problems that are counted together: a new template may empty one page, shorten the next, and leave the same notice of
a third."""
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

_ACCOMPANYING: Final = frozenset({problems.PUBLISHED_MISSING})
"""Problems that are named beside others, and alone make no page suspect."""

_LOOKED_FOR: Final = (*(problem for problem in _QUICK if problem in CHECKS), problems.TEXT_SHORT)
"""The problems that are looked for in an article. A text that is merely short makes a page suspect if an alarm names
it."""


def last_page_problems(baseline: ExtractionBaseline, alarmed: Collection[str] = ()) -> tuple[str, ...]:
    """Returns the problems because of which the page added last is suspect; none for nearly all pages.

    `alarmed` are the problems that an open alarm names. A page with one of them is suspect at once.
    """
    usual = _usual(baseline)
    if not baseline.latest or len(usual) < MIN_USUAL:
        return ()
    finder = _ProblemFinder(baseline)
    own_problems = finder.problems_of(baseline.latest[-1])
    if own_problems.isdisjoint((*_QUICK, *alarmed)):  # a text that is merely short needs no comparison
        return ()
    latest = [finder.problems_of(sample) for sample in baseline.latest[-WINDOW:]]
    before = [finder.problems_of(sample) for sample in usual]
    risen: set[str] = {
        problem for problem in _QUICK if problem in own_problems and _has_risen({problem}, latest, before)
    }
    if own_problems & _OF_TEXT and _has_risen(_OF_TEXT, latest, before):
        risen |= own_problems & _OF_TEXT
    found = risen | own_problems.intersection(alarmed)
    return tuple(sorted(found)) if found - _ACCOMPANYING else ()


def page_problems_of_alarm(named: Iterable[str]) -> frozenset[str]:
    """Returns the problems of single pages that correspond to those that an open alarm names."""
    return frozenset(problems.NO_TEXT if name == problems.PAGE_FAILED else name for name in named)


def is_as_usual(baseline: ExtractionBaseline, sample: PageSample, alarmed: Collection[str] = ()) -> bool:
    """Returns whether another extractor's result for the page added last is like the site's usual pages."""
    finder = _ProblemFinder(baseline)
    own_problems = finder.problems_of(sample) - _ACCOMPANYING
    if not own_problems:
        return True
    before = [finder.problems_of(usual) for usual in _usual(baseline)]
    suspicious = set(last_page_problems(baseline, alarmed))
    return all(problem not in suspicious and _share({problem}, before) > SELDOM for problem in own_problems)


def mark_suspect(baseline: ExtractionBaseline, wrong: Collection[str]) -> None:
    """Marks the page added last as suspect, and earlier ones of the latest pages with one of the problems `wrong`.
    Those were stored because too few pages had the problem, but they must not become usual."""
    finder = _ProblemFinder(baseline)
    wrong = frozenset(wrong) - _ACCOMPANYING
    first, last = len(baseline.latest) - WINDOW, len(baseline.latest) - 1
    baseline.latest = tuple(
        replace(sample, is_suspect=True)
        if index == last or (index >= first and finder.problems_of(sample).intersection(wrong))
        else sample
        for index, sample in enumerate(baseline.latest)
    )


def suspect_problems(baseline: ExtractionBaseline) -> tuple[int, Counter[str]]:
    """Returns how many of the latest pages are suspect, and how many of these have each problem."""
    finder = _ProblemFinder(baseline)
    suspects = [sample for sample in baseline.latest if sample.is_suspect]
    counts = Counter(problem for sample in suspects for problem in finder.problems_of(sample))
    counts[problems.AUTHORS_MISSING] = sum(sample.failure is None and not sample.has_authors for sample in suspects)
    return len(suspects), +counts


def add_stored(baseline: ExtractionBaseline, sample: PageSample, *, is_alarm: bool) -> None:
    """Adds a page that was stored. A suspect page makes similar ones suspect, as it did during the crawl."""
    baseline.add(sample, is_alarm=is_alarm)
    if sample.is_suspect:
        mark_suspect(baseline, last_page_problems(baseline))


def is_mostly(text: str, other: str) -> bool:
    """Returns whether at least half of a text consists of paragraphs of another, suspect one: then it is that text with
    a headline."""
    known = set(other.split("\n"))
    return 2 * sum(len(line) for line in text.split("\n") if line in known) >= len(text)


class _ProblemFinder:
    """Finds the problems of a page, compared with the usual pages."""

    def __init__(self, baseline: ExtractionBaseline) -> None:
        usual = _usual(baseline)
        self._edges = length_edges(lengths_of(usual), MIN_USUAL)
        compared = sum(sample.failure is None and sample.repeats_text is not None for sample in usual)
        # Whether texts repeat is not judged before enough usual pages were compared with others.
        looked_for = (name for name in _LOOKED_FOR if name != problems.SAME_TEXT or compared >= MIN_USUAL)
        self._checks = {name: CHECKS[name] for name in looked_for}

    def problems_of(self, sample: PageSample) -> frozenset[str]:
        if sample.failure is not None:
            return frozenset({problems.NO_TEXT} if sample.failure in problems.EXTRACTORS_FAULT else ())
        return frozenset(name for name, check in self._checks.items() if check(sample, self._edges))


def _usual(baseline: ExtractionBaseline) -> Samples:
    """Returns the samples to compare with. If there are few usual ones, earlier ones of the latest pages are added."""
    if len(baseline.usual) >= FULL_BASELINE:
        return baseline.usual
    return (*baseline.usual, *(sample for sample in baseline.latest[:-WINDOW] if not sample.is_suspect))


def _has_risen(wrong: Collection[str], latest: list[frozenset[str]], before: list[frozenset[str]]) -> bool:
    """Returns whether among the last four, five ... pages a problem is so frequent that it cannot be chance."""
    usual = cautious_share(sum(map(bool, _having(wrong, before))), len(before))
    for number in range(MIN_ODD, len(latest) + 1):
        yes = sum(_having(wrong, latest[-number:]))
        rise = yes / number - _share(wrong, before)
        if yes >= MIN_ODD and rise >= RISE and tail_probability(yes, number, usual) < CHANCE:
            return True
    return False


def _share(wrong: Collection[str], pages: list[frozenset[str]]) -> float:
    return sum(_having(wrong, pages)) / len(pages) if pages else 0.0


def _having(wrong: Collection[str], pages: Iterable[frozenset[str]]) -> list[bool]:
    return [not page_problems.isdisjoint(wrong) for page_problems in pages]
