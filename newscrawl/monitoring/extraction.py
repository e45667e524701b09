"""Decides whether the extraction of a site looks broken, by comparing its latest pages with earlier ones. Pure.

A redesign of a site rarely causes an error. Titles, dates or the text are missing from one day on. Each check of a page
has the result yes or no (is the date missing? is the text shorter than the shortest twentieth of the usual ones?), so
all checks use one test: the share of yes is far above the usual share, and a binomial distribution gives this hardly
any probability. An alarm ends when the pages are as before, or when the operator accepts the site as it is now.

A redesign also makes a hint of the site match nothing, and then it does nothing, without an error. A hint for a box
that only some pages have must not cause an alarm because a dozen pages do not have it, so each hint is judged by how
often it matched before.

`ExtractionBaseline` is what is stored of a site: the latest samples, earlier ones that define what is usual, and the
use of hints. While an alarm is open, no page is added to the usual ones; a suspect page
(newscrawl.monitoring.page_checks) never is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from statistics import median
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from newscrawl.monitoring import problems
from newscrawl.monitoring.problems import (
    CHECKS,
    Edges,
    Judgement,
    Severity,
    cautious_share,
    length_edges,
    lengths_of,
    tail_probability,
)
from newscrawl.monitoring.samples import MAX_HINTS, Count, PageSample, Samples

USUAL: Final = 400
"""The most usual samples that are kept."""
LATEST: Final = 30
"""The most latest samples that are kept."""
MIN_USUAL: Final = 60
"""The fewest usual samples with which pages are compared."""
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
MIN_IDLE: Final = 30
"""The fewest articles without a match after which a hint is judged, and the number for one that never matched."""
HINT_CHANCE: Final = 1e-4
"""The probability, if a hint matches as often as before, that it matches none of the latest articles by chance. A hint
that matched a tenth of the articles is judged after 88, one that matched a hundredth after 917."""

_WATCHED: Final = tuple(problem for problem in CHECKS if problem != problems.TEXT_COLLAPSED)
"""The problems of articles whose shares are compared. A collapsed text is a short one, too."""
_CRITICAL: Final = frozenset(
    {problems.TITLE_MISSING, problems.TEXT_SHORT, problems.PAGE_FAILED, problems.SAME_TEXT},
)


class HintUse(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How many articles a hint applied to, how many of them it matched, and how many came since the last match."""

    label: str
    pages: Count = 0
    matches: Count = 0
    idle: Count = 0

    def __post_init__(self) -> None:
        if self.matches > self.pages - self.idle:
            raise ValueError("more matches than articles before the idle ones")

    @property
    def is_dead(self) -> bool:
        """Whether the hint matches nothing any more."""
        if self.idle < MIN_IDLE:
            return False
        if not self.matches:
            return True
        share = self.matches / (self.pages - self.idle)
        return bool((1.0 - share) ** self.idle < HINT_CHANCE)


class ExtractionBaseline(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """At most `USUAL` and `LATEST` samples of a site's pages; see `PageSample.as_usual` and `.remembered`."""

    usual: Annotated[Samples, Meta(max_length=USUAL)] = ()
    latest: Annotated[Samples, Meta(max_length=LATEST)] = ()
    hints: Annotated[tuple[HintUse, ...], Meta(max_length=MAX_HINTS)] = ()
    """How often each hint of the site matched."""

    def add(self, sample: PageSample, *, is_alarm: bool) -> None:
        """Adds a page. The oldest of the latest samples becomes usual, unless it is suspect or an alarm is open. With
        few usual samples an alarm can rest on suspect pages only, so then it does not stop other samples."""
        if sample.failure is None:
            self.hints = with_page(self.hints, sample.hints_matched, sample.hints_idle)
        latest = (*self.latest, self.compared(sample))
        if not is_alarm or len(self.usual) < MIN_USUAL:
            usual = (one.as_usual() for one in latest[:-LATEST] if not one.is_suspect)
            self.usual = (*self.usual, *usual)[-USUAL:]
        self.latest = latest[-LATEST:]

    def compared(self, sample: PageSample) -> PageSample:
        """Returns the sample as it is kept, with the information whether one of the latest pages has the same text."""
        sample = sample.remembered()
        if sample.text_hash is None:
            return sample
        repeats = any(
            other.text_hash == sample.text_hash and other.page_hash != sample.page_hash for other in self.latest
        )
        return replace(sample, repeats_text=repeats)

    def accept(self) -> None:
        """Makes the latest pages the usual ones."""
        self.usual = ()
        self.latest = tuple(replace(sample, is_suspect=False) for sample in self.latest)


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


def judge_extraction(baseline: ExtractionBaseline) -> ExtractionJudgement:
    """Returns the judgement of the latest pages."""
    by_suspects = _judge_suspects(baseline.latest)
    if len(baseline.usual) < MIN_USUAL or len(baseline.latest) < MIN_LATEST:
        return by_suspects
    by_shares = _judge_shares(baseline)
    if by_suspects.alarm is None:
        return by_shares
    since = min(filter(None, [by_suspects.since, by_shares.since]), default=None)
    return changed(by_suspects, since=since, changes=(*by_suspects.changes, *by_shares.changes))


def commonest_failure(samples: Iterable[PageSample]) -> str | None:
    """Returns the most frequent kind of failure; None if no page failed."""
    kinds = Counter(sample.failure for sample in samples if sample.failure is not None)
    return kinds.most_common(1)[0][0] if kinds else None


def usual_length(samples: Iterable[PageSample]) -> tuple[float, float]:
    """Returns the median of the texts' lengths and the median absolute deviation from it; zeros without any text."""
    lengths = lengths_of(samples)
    if not lengths:
        return 0.0, 0.0
    middle = median(lengths)
    return middle, median(abs(length - middle) for length in lengths)


def with_page(uses: Sequence[HintUse], matched: Collection[str], idle: Collection[str]) -> tuple[HintUse, ...]:
    """Returns the uses after another article. Hints that did not apply to it are no longer declared, and are left
    out."""
    known = {use.label: use for use in uses}
    added = []
    for label in (*matched, *idle):
        use = known.get(label, HintUse(label))
        is_match = label in matched
        added.append(HintUse(label, use.pages + 1, use.matches + is_match, 0 if is_match else use.idle + 1))
    return tuple(sorted(added, key=lambda use: use.label))


def judge_hints(uses: Sequence[HintUse]) -> Judgement:
    """Returns the judgement: a warning if a hint matches nothing any more."""
    is_dead = any(use.is_dead for use in uses)
    return Judgement(known=True, alarm="warning" if is_dead else None, can_close=not is_dead)


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
    edges = length_edges(lengths_of(baseline.usual), MIN_USUAL)
    before, now = _having(baseline.usual, edges), _having(baseline.latest, edges)
    changes: list[tuple[ShareChange, int]] = []
    still = False
    for problem, (having, of) in now.items():
        usually, of_usual = len(before[problem][0]), before[problem][1]
        if of < MIN_LATEST:
            continue
        share, usual_share = len(having) / of, usually / of_usual if of_usual else 0.0
        still |= share >= usual_share + STILL
        if problem == problems.SAME_TEXT and of_usual < MIN_LATEST:
            continue  # the usual pages were read before texts were compared
        if (
            share >= usual_share + RISE
            and tail_probability(len(having), of, cautious_share(usually, of_usual)) < CHANCE
        ):
            changes.append((ShareChange(problem, share, usual_share), having[0]))
    if not changes:
        return ExtractionJudgement(True, can_close=not still)
    changes.sort(key=lambda pair: pair[0].usual - pair[0].now)
    times = (baseline.latest[first].fetched_at for _, first in changes)
    risen = tuple(change for change, _ in changes)
    alarm: Severity = "critical" if any(change.problem in _CRITICAL for change in risen) else "warning"
    since = min(filter(None, times), default=None)
    return ExtractionJudgement(True, alarm, since=since, changes=risen, pages=len(baseline.latest))


def _having(samples: Samples, edges: Edges) -> dict[str, tuple[list[int], int]]:
    """Returns for each problem the indices of the samples that have it, and how many samples can have it. `edges` are
    those of the usual lengths."""
    articles = [(index, sample) for index, sample in enumerate(samples) if sample.failure is None]
    compared = [(index, sample) for index, sample in articles if sample.repeats_text is not None]
    found: dict[str, tuple[list[int], int]] = {}
    for problem in _WATCHED:
        of, check = compared if problem == problems.SAME_TEXT else articles, CHECKS[problem]
        found[problem] = [index for index, sample in of if check(sample, edges)], len(of)
    failed = [index for index, sample in enumerate(samples) if sample.failure is not None]
    return found | {problems.PAGE_FAILED: (failed, len(samples))}
