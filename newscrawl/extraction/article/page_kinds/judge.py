"""Decides by the model whether a page that the rules accept as an article is of another kind, and says which measures
are evidence for it.

One long text needs neither the model nor a look at the rest of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import expm1
from typing import Final, cast

from newscrawl.extraction.article.page_kinds.counts import longest_block
from newscrawl.extraction.article.page_kinds.features import (
    SCHEMA_TYPES,
    SOFTWARE,
    kind_features,
    names_forum,
    names_other_kind,
)
from newscrawl.extraction.article.page_kinds.model import (
    ARTICLE,
    NO_SCORES,
    ROW_FEATURES,
    WORDS_SHARE,
    KindModel,
    load,
    words_of,
)
from newscrawl.extraction.article.signals import ARTICLE_OG, Signals
from newscrawl.model import Verdict
from newscrawl.page.tags import TAG_NAMES

SURE: Final = 0.9
"""The least probability, by structure alone, with which a page is an article without a look at its words."""
MIN_RUNS: Final = 15
"""Least number of runs of a page that is judged. A smaller one shows no structure."""


def is_declared(signals: Signals) -> bool:
    """Returns whether structured data declares an article and no thread of a forum. Such a page is taken for an
    article: of 1,510 articles 759 declare it, of 574 other pages 11."""
    return signals.declares_article and signals.types.isdisjoint(SCHEMA_TYPES["forum"])


def is_stated(signals: Signals) -> bool:
    """Returns whether a page declares a date, an author and the og:type of an article, and its address names no forum.

    Such a page is an article without a look at its structure. Of 1,543 pages that the model would be asked about (every
    second page of all corpora), 230 are such pages; the model calls none of them another kind.
    """
    states = signals.dated and signals.og_type in ARTICLE_OG and bool(signals.metadata.authors)
    return states and not (signals.url and names_forum(signals.url))


def is_judged(signals: Signals) -> bool:
    """Returns whether the model is asked about a page that the rules accept as an article."""
    if len(signals.page.runs) < MIN_RUNS or is_declared(signals) or is_stated(signals):
        return False
    return not is_one_text(signals)


def judged_row(
    model: KindModel, measured: Sequence[float], words: Callable[[], Mapping[str, Collection[str]]]
) -> tuple[tuple[float, ...], dict[str, float]]:
    """Returns the page's row of ROW_FEATURES and the probability of every kind. `measured` is its row of KIND_FEATURES.

    Reading the `words` of a page takes longer than measuring its structure. So a page that is an article by its
    structure (`SURE`) has no scores.
    """
    row = (*measured, *NO_SCORES)
    probabilities = model.probabilities(row)
    if probabilities[ARTICLE] >= SURE:
        return row, probabilities
    row = (*measured, *model.scores(words()))
    return row, model.probabilities(row, WORDS_SHARE)


def other_kind(signals: Signals, *, is_listed: bool = False) -> tuple[Verdict, tuple[str, ...], float] | None:
    """Returns the kind of a page that is almost certainly no article, the evidence, and the probability that it is no
    article; None if it may be one.

    `is_listed` says that a feed or news sitemap lists the page as an article.
    """
    if not is_judged(signals):
        return None
    model = load()
    row, probabilities = judged_row(model, kind_features(signals), partial(words_of, signals))
    kind = model.decide(row, probabilities, is_listed=is_listed)
    if kind is None:
        return None
    found = evidence(kind, dict(zip(ROW_FEATURES, row, strict=True)))
    probability = 1 - probabilities[ARTICLE]
    stated = f"{probability:.1%} certain by its structure that it is no article"
    return cast("Verdict", kind), (stated, *found), probability


MIN_WORDS: Final = 150
"""Least words of the block of prose. With 100 and 200 words 1,104 and 890 of the 2,169 articles are recognized."""
MIN_SHARE: Final = 0.5
"""Least share of the text that the block has."""
MAX_LEFT_OUT: Final = 0.2
"""Largest share of the runs from the start to the end of the text that are not part of it."""
_CODE: Final = tuple(TAG_NAMES.index(tag) for tag in ("code", "pre"))
_OTHER_TYPES: Final = frozenset(
    name for kind, names in SCHEMA_TYPES.items() if kind not in {"article", "page"} for name in names
)


def is_one_text(signals: Signals) -> bool:
    """Returns whether a page has a date and one long block of prose as its text, and nothing names another kind.

    Such a page is an article without a look at its structure. The model would be asked about 2,169 articles and 466
    other pages of all corpora. Of these, 1,011 articles and 2 other pages are such pages; the model would recognize one
    of the 2.
    """
    if signals.metadata.published is None or not _has_block(signals):
        return False
    if signals.url and names_other_kind(signals.url):
        return False
    generator = signals.page.head.first("generator") or ""
    if any(pattern.search(generator) for pattern in SOFTWARE.values()) or signals.all_types & _OTHER_TYPES:
        return False
    tags = bytes(signals.page.elements.tag)
    return not any(code in tags for code in _CODE)


def _has_block(signals: Signals) -> bool:
    """Returns whether at least half of the text is one block of prose, and hardly anything within it was left out."""
    kept = signals.extraction.runs
    if not kept or signals.words < MIN_WORDS:
        return False
    first, end = kept[0], kept[-1] + 1
    if len(kept) < (1 - MAX_LEFT_OUT) * (end - first):
        return False
    span = [(run.words, run.linked_words, run.flags) for run in signals.page.runs[first:end]]
    return longest_block(span) >= max(MIN_WORDS, MIN_SHARE * signals.words)


MAX_EVIDENCE: Final = 4
"""Largest number of measures that are named for one page."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A measure that is evidence from a least value on, and its description with the value in it."""

    feature: str
    least: float
    description: str
    value: Callable[[float], float] = expm1
    """Turns the feature back into what it measures: counts are logarithms of 1 + count."""


def _as_is(value: float) -> float:
    return value


def _stated(feature: str, description: str) -> Sign:
    return Sign(feature, 1.0, description, _as_is)


def _count(feature: str, least: int, description: str) -> Sign:
    return Sign(feature, least, description)


def _share(feature: str, least: float, description: str) -> Sign:
    return Sign(feature, least, description, _as_is)


SIGNS: Final[Mapping[str, tuple[Sign, ...]]] = {
    "listing": (
        _stated("type listing", "its structured data declares a listing"),
        _stated("url home", "its address is a site's front page"),
        _stated("url word listing", "its address has a word of listings"),
        _count("linked headings", 3, "{:.0f} linked headings"),
        _count("links like headlines", 8, "{:.0f} links like headlines"),
        _count("articles side by side", 4, "{:.0f} article elements side by side"),
        _count("headings at the same place", 6, "{:.0f} headings at the same place of repeated boxes"),
        _share("linked share", 0.4, "{:.0%} of its words are linked"),
    ),
    "product": (
        _stated("type product", "its structured data declares a product"),
        _stated("og:type product", "its og:type is a product"),
        _stated("price in the head", "its head states a price"),
        _stated("software shop", "it is made by shop software"),
        _stated("url word product", "its address has a word of shops"),
        _count("prices", 2, "{:.0f} prices"),
        _count("<button>", 4, "{:.0f} buttons"),
    ),
    "forum": (
        _stated("type forum", "its structured data declares a thread or question"),
        _stated("software forum", "it is made by forum software"),
        _stated("url word forum", "its address has a word of forums"),
        _stated("host word forum", "its host has a word of forums"),
        _count("times at the same place", 3, "{:.0f} times at the same place of repeated posts"),
        _count("articles side by side", 3, "{:.0f} posts side by side"),
        _count("questions", 4, "{:.0f} questions"),
    ),
    "documentation": (
        _stated("type documentation", "its structured data declares documentation"),
        _stated("software documentation", "it is made by documentation software"),
        _stated("url word documentation", "its address has a word of documentation"),
        _stated("host word documentation", "its host has a word of documentation"),
        _count("<pre>", 2, "{:.0f} blocks of code"),
        _count("<code>", 5, "{:.0f} pieces of code"),
        _share("text in lists", 0.3, "{:.0%} of its text is in lists"),
    ),
    "service": (
        _stated("type service", "its structured data declares a service, place, job or event"),
        _stated("url home", "its address is a site's front page"),
        _stated("url word service", "its address has a word of services"),
        _count("<form>", 2, "{:.0f} forms"),
        _count("headings at the same place", 4, "{:.0f} headings at the same place of repeated boxes"),
        _share("labels within the text", 0.4, "{:.0%} of the runs within the text are labels"),
        _share("left out within the text", 0.4, "{:.0%} of the runs within the text were left out of it"),
    ),
}
"""The evidence for each kind, strongest first."""
MISSING: Final = (
    ("any date", "it has no date"),
    ("authors", "it names no author"),
)
"""What articles have, and the description of a page without it."""


def evidence(kind: str, measured: Mapping[str, float]) -> tuple[str, ...]:
    """Returns the evidence for `kind`, given a page's features by name; at most `MAX_EVIDENCE` pieces."""
    found = [
        sign.description.format(value)
        for sign in SIGNS[kind]
        if (value := sign.value(measured[sign.feature])) >= sign.least - 1e-9
    ]
    found += [description for feature, description in MISSING if not measured[feature]]
    return tuple(found[:MAX_EVIDENCE])
