"""The problems that a page can have, and how each is found; the statistics by which a problem counts as new; and what
a judgement of a site says. Pure.

`CHECKS` is the one list of checks of an article. Single pages (`page_checks`) and the alarm about a site's extraction
(`extraction`) use it, each with its own choice of problems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple

from newscrawl.model import OTHER_KINDS
from newscrawl.monitoring.samples import EMPTY, PageSample

TITLE_MISSING: Final = "title missing"
AUTHORS_MISSING: Final = "authors missing"
PUBLISHED_MISSING: Final = "published missing"
FALLBACK_USED: Final = "fallback used"
TEXT_SHORT: Final = "text short"
TEXT_COLLAPSED: Final = "text collapsed"
"""The text has less than half of the characters of a short one."""
TEXT_LONG: Final = "text long"
NOT_WHOLE: Final = "not a whole article"
SAME_TEXT: Final = "same text as another page"
TEXT_REPLACED: Final = "text replaced"
"""The text took the place of quite another one, and is not credible."""
NO_TEXT: Final = "no text"
"""A failure that another extractor may repair."""
PAGE_FAILED: Final = "page failed"
"""Any failure."""
SUSPECT_TEXT: Final = "suspect text"
"""The page is suspect: it was held for review, or read by another extractor than the site's."""

WHOLE: Final = frozenset({"article", "live"})
"""Verdicts of whole articles."""
COLLAPSED: Final = 0.5
"""A text shorter than this share of the shortest twentieth's length is not merely short."""
LENGTH_EDGE: Final = 0.05
"""Share of the usual texts that count as short, and share of those that count as long."""
EXTRACTORS_FAULT: Final = frozenset({EMPTY, *(f"verdict/{kind}" for kind in OTHER_KINDS)})
"""Failures that another extractor may repair: these verdicts depend on the amount of text."""

Severity = Literal["warning", "critical"]


class Edges(NamedTuple):
    """The lengths (characters) below which a text is short and above which it is long."""

    short: float = 0.0
    long: float = math.inf


CHECKS: Final[Mapping[str, Callable[[PageSample, Edges], bool]]] = {
    TITLE_MISSING: lambda page, _: not page.has_title,
    AUTHORS_MISSING: lambda page, _: not page.has_authors,
    PUBLISHED_MISSING: lambda page, _: not page.has_date,
    FALLBACK_USED: lambda page, _: page.used_fallback,
    TEXT_SHORT: lambda page, edges: page.characters < edges.short,
    TEXT_COLLAPSED: lambda page, edges: page.characters < COLLAPSED * edges.short,
    TEXT_LONG: lambda page, edges: page.characters > 2 * edges.long,
    NOT_WHOLE: lambda page, _: page.verdict not in WHOLE,
    SAME_TEXT: lambda page, _: bool(page.repeats_text),
}
"""The problems that an article can have, each with its check. A page that failed has none of them."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether there is reason for an alarm. If `known` is False there is no baseline, and the other fields are
    unused."""

    known: bool = False
    alarm: Severity | None = None
    can_close: bool = False
    """Whether an open alarm can be closed."""
    since: datetime | None = None
    """The time at which the problem began."""


def lengths_of(samples: Iterable[PageSample]) -> list[int]:
    """Returns the lengths of the texts in ascending order. Failed pages have none."""
    return sorted(sample.characters for sample in samples if sample.failure is None)


def length_edges(lengths: Sequence[int], least: int) -> Edges:
    """Returns the edges of texts of these lengths (in ascending order). With fewer than `least` of them no text is
    short or long."""
    if len(lengths) < least:
        return Edges()
    position = int(LENGTH_EDGE * (len(lengths) - 1))
    return Edges(float(lengths[position]), float(lengths[-1 - position]))


def tail_probability(successes: int, trials: int, share: float) -> float:
    """Returns the probability of at least `successes` in `trials` independent trials of probability `share`."""
    return sum(math.comb(trials, n) * share**n * (1 - share) ** (trials - n) for n in range(successes, trials + 1))


def cautious_share(successes: int, trials: int) -> float:
    """Returns an upper estimate of an observed share: the fewer trials, the further above `successes / trials`."""
    return min(1.0, (successes + 1) / (trials + 2) + 0.03)
