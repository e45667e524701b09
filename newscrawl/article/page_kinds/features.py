"""Measures of a page's structure that tell articles from other kinds of pages, without words of any language.

Counts enter as logarithms (log(1 + count)), shares as 0 to 1, statements as 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final

from newscrawl.article.page_kinds.address import ADDRESS_FEATURES, address_features
from newscrawl.article.page_kinds.boxes import BOX_FEATURES, box_features, equal_places
from newscrawl.article.page_kinds.counts import Columns, RunCounts, run_counts
from newscrawl.article.page_kinds.layout import (
    LAYOUT_FEATURES,
    SECTION_FEATURES,
    layout_features,
    section_features,
)
from newscrawl.article.page_kinds.statements import STATED_FEATURES, TITLE_FEATURES, stated_features
from newscrawl.article.signals import Signals
from newscrawl.page.tags import TAG_NAMES

COUNTED_TAGS: Final = tuple(
    "h1 h2 h3 h4 p li a img table tr pre code dl form input button select option video iframe time article section nav "
    "ol ul figure figcaption blockquote svg label textarea main aside strong br hr header footer address details "
    "picture em small b".split()
)
_TAGS: Final = tuple(TAG_NAMES.index(tag) for tag in COUNTED_TAGS)
_ANCHOR: Final = TAG_NAMES.index("a")

_TEXT_FEATURES: Final = (
    "words", "text words", "text share", "linked share", "text linked share", "runs", "text runs",
    "prose share", "prose words", "prose runs", "words a text run", "text in lists", "page in lists",
    "text runs that end sentences", "page runs that end sentences", "left out within the text", "start of the text",
    "end of the text", "headings within the text", "words a heading", "linked within the text",
    "longest block of prose", "labels within the text", "headings", "linked headings share", "linked headings",
    "links like headlines", "prices", "prices within the text", "questions",
)  # fmt: skip
_TREE_FEATURES: Final = (
    *(f"<{tag}>" for tag in COUNTED_TAGS),
    "headings at the same place", "articles side by side", "times at the same place", "items side by side",
    "rows side by side", "sections side by side", "links side by side", "links a word",
)  # fmt: skip
KIND_FEATURES: Final = (
    *(*_TEXT_FEATURES, *_TREE_FEATURES, *STATED_FEATURES, *TITLE_FEATURES),
    *(*ADDRESS_FEATURES, *BOX_FEATURES, *LAYOUT_FEATURES, *SECTION_FEATURES),
)
"""The names of the features, in the order of a row."""


def kind_features(signals: Signals) -> tuple[float, ...]:
    """Returns the page's row: a value for each of `KIND_FEATURES`. Takes time in proportion to the page's size."""
    runs, kept = Columns.of(signals.page.runs), signals.extraction.runs
    counts = run_counts(runs, signals.page.elements.tag, kept)
    return (
        *(*_text(runs, counts, kept), *_tree(signals), *stated_features(signals)),
        *(*address_features(signals.url), *box_features(signals, runs)),
        *(*layout_features(signals, counts), *section_features(signals, runs, counts)),
    )


def _text(runs: Columns, counts: RunCounts, kept: Sequence[int]) -> Iterator[float]:
    """The lengths and links of the page's runs and of those that are the text (`kept`)."""
    c, number = counts, len(runs)
    words, text_words = max(c.words, 1), max(c.text_words, 1)
    span = kept[-1] + 1 - kept[0] if kept else 0
    yield from (log1p(c.words), log1p(c.text_words), c.text_words / words)
    yield from (c.linked / words, c.text_linked / text_words, log1p(number), log1p(len(kept)))
    yield from (c.prose_words / words, log1p(c.prose_words), log1p(c.prose_runs), c.text_words / max(len(kept), 1))
    yield from (c.text_listed / text_words, c.listed / words)
    yield from (c.text_ends / max(len(kept), 1), c.ends / max(number, 1))
    yield 1 - len(kept) / span if kept else 0.0
    yield from (kept[0] / number, kept[-1] / number) if kept else (0.0, 0.0)
    yield from (c.span_headings / max(span, 1), log1p(c.text_words / (1 + c.span_headings)))
    yield c.span_linked / max(c.span_words, 1)
    yield log1p(c.longest_block)
    yield c.span_labels / max(span, 1)
    yield from (log1p(c.headings), c.linked_headings / max(c.headings, 1))
    yield from (log1p(c.linked_titles), log1p(c.linked_headlines))
    yield from (log1p(runs.prices), log1p(runs.prices_of(kept) if runs.prices else 0))
    yield log1p(c.questions / max(number, 1) * number)


def _tree(signals: Signals) -> Iterator[float]:
    """The number of elements of each tag, and of equal ones at the same place."""
    parent, tag = signals.page.elements.parent, signals.page.elements.tag
    tags = bytes(tag)  # of which a search takes a tenth of the time of one in a list
    yield from [log1p(tags.count(code)) for code in _TAGS]
    yield from map(log1p, equal_places(parent, tag))
    yield tags.count(_ANCHOR) / max(signals.page_words, 1)
