"""Decides whether the extraction of a site looks broken, by comparing its latest pages with earlier ones. Pure.

A redesign of a site rarely causes an error. Titles, dates or the text are missing from one day on. Each check of a page
has the result yes or no (is the date missing? is the text shorter than the shortest twentieth of the usual ones?), so
all checks use one test: the share of yes is far above the usual share, and a binomial distribution gives this hardly
any probability.

An alarm ends when the pages are as before, or when the operator accepts the site as it is now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from newscrawl.monitoring import problems
from newscrawl.monitoring.extraction_baseline import (
    MIN_USUAL,
    ExtractionBaseline,
    Samples,
    length_edges,
)
from newscrawl.monitoring.judgement import Judgement, Severity, cautious_share, tail_probability
from newscrawl.monitoring.page_sample import PageSample

MIN_LATEST: Final = 12
"""The fewest latest pages that are judged."""
RISE: Final = 0.4
"""The least rise of a share for an alarm. One section with pages of another kind is no redesign."""
STILL: Final = 0.2
"""An alarm stays open while a share is above the usual one by at least this."""
CHANCE: Final = 1e-6
"""The probability of so many pages by chance, if pages were independent. They are not, hence `RISE`."""
MIN_CREDIBLE: Final = 8
"""Pages after the last suspect one that end an alarm which rests on suspect pages."""

_CRITICAL: Final = frozenset(
    {problems.TITLE_MISSING, problems.TEXT_SHORT, problems.PAGE_FAILED, problems.SAME_TEXT},
)


@dataclass(frozen=True, slots=True)
class ShareChange:
    """A problem that more pages have than before, with the share of pages now and usually, from 0 to 1."""

    problem: str
    now: float
    usual: float


@dataclass(frozen=True, slots=True)
class ExtractionJudgement(Judgement):
    """The judgement of the latest `pages` pages. `changes` has the greatest rise first."""

    changes: tuple[ShareChange, ...] = ()
    pages: int = 0


@dataclass(frozen=True, slots=True)
class _Count:
    """The number of pages with a problem (`yes`), the number of pages that can have it (`of`), and the index of the
    first page with it."""

    yes: int
    of: int
    first: int


def judge_extraction(baseline: ExtractionBaseline) -> ExtractionJudgement:
    """Returns the judgement of the latest pages."""
    by_suspects = _judge_suspects(baseline.latest)
    if len(baseline.usual) < MIN_USUAL or len(baseline.latest) < MIN_LATEST:
        return by_suspects
    by_shares = _judge_shares(baseline)
    if by_suspects.alarm is None:
        return by_shares
    since = min(filter(None, [by_suspects.since, by_shares.since]), default=None)
    return replace(by_suspects, since=since, changes=(*by_suspects.changes, *by_shares.changes))


def commonest_failure(samples: Iterable[PageSample]) -> str | None:
    """Returns the most frequent kind of failure; None if no page failed."""
    kinds = Counter(sample.failure for sample in samples if sample.failure is not None)
    return kinds.most_common(1)[0][0] if kinds else None


def _judge_suspects(latest: Samples) -> ExtractionJudgement:
    """Judges the suspect pages: those held for review or read by another extractor than the site's."""
    indexes = [index for index, sample in enumerate(latest) if sample.is_suspect]
    if not indexes:
        return ExtractionJudgement()
    if indexes[-1] < len(latest) - MIN_CREDIBLE:
        return ExtractionJudgement(known=True, can_close=True)
    change = ShareChange(problems.SUSPECT_TEXT, len(indexes) / len(latest), 0.0)
    since = latest[indexes[0]].fetched_at
    return ExtractionJudgement(True, "critical", since=since, changes=(change,), pages=len(latest))


def _judge_shares(baseline: ExtractionBaseline) -> ExtractionJudgement:
    edges = length_edges(baseline.usual_lengths())
    before, now = _counts(baseline.usual, edges), _counts(baseline.latest, edges)
    changes: list[tuple[ShareChange, int]] = []
    still = False
    for problem, count in now.items():
        usual = before[problem]
        if count.of < MIN_LATEST:
            continue
        share, usual_share = count.yes / count.of, usual.yes / usual.of if usual.of else 0.0
        still |= share >= usual_share + STILL
        if problem == problems.SAME_TEXT and usual.of < MIN_LATEST:
            continue  # the usual pages were read before texts were compared
        if share >= usual_share + RISE and _is_no_chance(count, usual):
            changes.append((ShareChange(problem, share, usual_share), count.first))
    if not changes:
        return ExtractionJudgement(True, can_close=not still)
    changes.sort(key=lambda pair: pair[0].usual - pair[0].now)
    times = (baseline.latest[first].fetched_at for _, first in changes)
    risen = tuple(change for change, _ in changes)
    alarm: Severity = "critical" if any(change.problem in _CRITICAL for change in risen) else "warning"
    since = min(filter(None, times), default=None)
    return ExtractionJudgement(True, alarm, since=since, changes=risen, pages=len(baseline.latest))


def _is_no_chance(now: _Count, usual: _Count) -> bool:
    return tail_probability(now.yes, now.of, cautious_share(usual.yes, usual.of)) < CHANCE


def _counts(samples: Samples, edges: tuple[float, float]) -> dict[str, _Count]:
    """Returns for each problem how many of the samples have it. `edges` are those of the usual lengths."""
    short, long = edges
    articles = [(index, sample) for index, sample in enumerate(samples) if sample.failure is None]
    compared = [(index, sample) for index, sample in articles if sample.repeats_text is not None]
    having: dict[str, list[int]] = {
        problems.TITLE_MISSING: [i for i, sample in articles if not sample.has_title],
        problems.AUTHORS_MISSING: [i for i, sample in articles if not sample.has_authors],
        problems.PUBLISHED_MISSING: [i for i, sample in articles if not sample.has_date],
        problems.FALLBACK_USED: [i for i, sample in articles if sample.used_fallback],
        problems.TEXT_SHORT: [i for i, sample in articles if sample.characters < short],
        problems.TEXT_LONG: [i for i, sample in articles if sample.characters > 2 * long],
        problems.NOT_WHOLE: [i for i, sample in articles if sample.verdict not in problems.WHOLE],
    }
    counts = {problem: _count(indices, len(articles)) for problem, indices in having.items()}
    counts[problems.SAME_TEXT] = _count([i for i, sample in compared if sample.repeats_text], len(compared))
    failed = [index for index, sample in enumerate(samples) if sample.failure is not None]
    return counts | {problems.PAGE_FAILED: _count(failed, len(samples))}


def _count(indices: Sequence[int], of: int) -> _Count:
    return _Count(len(indices), of, indices[0] if indices else 0)
