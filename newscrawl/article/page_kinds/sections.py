"""Measures of the sections of the whole page, of dates beside its headline, and of links that articles and posts have.

An article has one long section, a landing page many short ones. What they have is recognized by numbers and addresses,
not by words of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final

from newscrawl.article.page_kinds.columns import Columns
from newscrawl.article.page_kinds.counts import RunCounts
from newscrawl.article.signals import Signals

NEAR_RUNS: Final = 8
"""Most runs between a headline and the date that belongs to it."""

_YEAR: Final = re.compile(r"(?<!\d)(?:19[89]|20[0-3])\d(?!\d)")
_QUOTES: Final = '“”„«»「」『』"'
_SHARE: Final = tuple(
    "sharer /intent/ /share? shareArticle /submit? pin/create wa.me/ whatsapp.com/send t.me/share mailto:?".split()
)
"""Parts of addresses by which a text is shared on social networks."""
_PATHS: Final = tuple(
    (frozenset(segments.split()), re.compile(f"/(?:{'|'.join(segments.split())})/"))
    for segments in (
        "tag tags topic topics category categories thema etiqueta etiquetas",
        "author authors autor auteur contributor contributors by staff writer writers",
        "u user users member members profile profiles",
    )
)
"""The path segments of the addresses of tags, authors and members, and a pattern for them."""

SECTION_FEATURES: Final = (
    "sections", "longest section", "short sections", "words a section", "cards", "date beside the headline",
    "short runs with a year", "short runs with a number", "quotation marks", "exclamation marks",
    "headings that are questions", "words of the <h1>", "<h1> in the title",
    "links to share", "links to tags", "links to authors", "links to members",
)  # fmt: skip


def section_features(signals: Signals, columns: Columns, counts: RunCounts, found: Sequence[str]) -> Iterator[float]:
    """Yields the values of `SECTION_FEATURES`. `columns` are the page's runs and `counts` what is counted of them,
    `found` the addresses of its links."""
    total = max(counts.section_words, 1)
    yield from (log1p(counts.sections), counts.longest_section / total, counts.short_section_words / total)
    yield from (log1p(total / max(counts.sections, 1)), log1p(counts.cards))
    top = counts.top if counts.top_headings else None
    yield from _dates(columns, top)
    yield from _marks(signals, columns, counts)
    yield from _headline(signals, columns, top)
    addresses = "\n".join(found)
    yield log1p(sum(map(addresses.count, _SHARE)))
    segments = set(addresses.split("/"))
    for wanted, pattern in _PATHS:
        yield 0.0 if segments.isdisjoint(wanted) else log1p(len(pattern.findall(addresses)))


def _dates(columns: Columns, top: int | None) -> Iterator[float]:
    """Whether a year is beside the headline (run `top`), and the short runs with a year or another number."""
    numbers = [run for run in columns.with_digit if columns.words[run] != columns.linked[run]]
    years = [run for run in numbers if _YEAR.search(columns.texts[run])]
    yield top is not None and any(abs(run - top) <= NEAR_RUNS for run in years)
    yield log1p(len(years))
    yield log1p(len(numbers))


def _marks(signals: Signals, columns: Columns, counts: RunCounts) -> Iterator[float]:
    text = signals.extraction.text
    yield 100 * sum(map(text.count, _QUOTES)) / max(signals.words, 1)
    yield 100 * "".join(columns.texts).count("!") / max(counts.words, 1)
    yield log1p(counts.question_headings)


def _headline(signals: Signals, columns: Columns, top: int | None) -> Iterator[float]:
    yield log1p(columns.words[top]) if top is not None else 0.0
    yield top is not None and columns.texts[top].lower() in (signals.page.head.title or "").lower()
