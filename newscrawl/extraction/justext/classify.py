"""jusText's classifier: each paragraph by itself, then by its neighbours, in linear time.

Pomikálek, "Removing Boilerplate and Duplicate Content from Web Corpora", dissertation, Brno 2011, chapter 3, as in the
package `justext` 3.0.2 (docs/explanation/justext.md lists where the package and its description differ).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from newscrawl.extraction.justext.paragraphs import Paragraph
from newscrawl.page.words import BLANKLESS

Class = Literal["good", "neargood", "short", "bad"]


@dataclass(frozen=True, slots=True)
class Rules:
    """The thresholds; the defaults are the package's, lengths in characters."""

    max_link_density: float = 0.2
    length_low: int = 70
    length_high: int = 200
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    max_heading_distance: int = 200
    blankless_weight: float = 1.0
    """The number of characters that one of a script without blanks counts for."""
    raise_headings: bool = False
    """Whether short headings before good text become near-good before neighbours are considered. The description has
    this step; in the package it has no effect (docs/explanation/justext.md)."""

    def length(self, text: str) -> float:
        """Returns the length that is compared with the limits above."""
        if self.blankless_weight == 1 or text.isascii():
            return len(text)
        return len(text) + (self.blankless_weight - 1) * len(BLANKLESS.findall(text))


DEFAULT_RULES: Final = Rules()


def classify(paragraphs: Sequence[Paragraph], stopwords: frozenset[str], rules: Rules = DEFAULT_RULES) -> list[Class]:
    """Returns the final class of every paragraph. The good ones are the text."""
    context_free = [classify_context_free(paragraph, stopwords, rules) for paragraph in paragraphs]
    classes = raise_headings(paragraphs, context_free, rules) if rules.raise_headings else list(context_free)
    classes = settle_short(classes)
    classes = settle_near_good(classes)
    return keep_headings(paragraphs, context_free, classes, rules)


def classify_context_free(paragraph: Paragraph, stopwords: frozenset[str], rules: Rules = DEFAULT_RULES) -> Class:
    """Returns the class of a paragraph by its own links, length and share of stop words."""
    text, linked = paragraph.text, paragraph.link_characters
    if (linked and paragraph.link_density > rules.max_link_density) or paragraph.has_copyright_sign:
        return "bad"
    length = rules.length(text)
    if length < rules.length_low:
        return "bad" if linked else "short"
    density = paragraph.stopword_density(stopwords)
    if density >= rules.stopwords_high:
        return "good" if length > rules.length_high else "neargood"
    return "neargood" if density >= rules.stopwords_low else "bad"


def raise_headings(paragraphs: Sequence[Paragraph], classes: Sequence[Class], rules: Rules) -> list[Class]:
    """Makes short headings shortly before a good paragraph near-good, so that short text below them may be kept."""
    close = _close_before_good(paragraphs, classes, rules)
    return [
        "neargood" if klass == "short" and paragraph.heading and near else klass
        for paragraph, klass, near in zip(paragraphs, classes, close, strict=True)
    ]


def settle_short(classes: Sequence[Class]) -> list[Class]:
    """Makes short paragraphs good or bad by the nearest settled class on both sides.

    Between good and bad it depends on whether a near-good paragraph is nearer on the bad side. The page's edges are
    bad.
    """
    before = _nearest(classes)
    after = _nearest(classes[::-1])[::-1]
    settled = list(classes)
    for i, klass in enumerate(classes):
        if klass == "short":
            (above, above_any), (below, below_any) = before[i], after[i]
            if above == below:
                settled[i] = above
            else:
                bad_side = above_any if above == "bad" else below_any
                settled[i] = "good" if bad_side == "neargood" else "bad"
    return settled


def settle_near_good(classes: Sequence[Class]) -> list[Class]:
    """Makes near-good paragraphs bad between bad ones, else good. They are settled in order, so each sees the new class
    of the one above it. No paragraph is short any longer."""
    below = [settled for settled, _ in _nearest(classes[::-1])[::-1]]
    settled: list[Class] = []
    above: Class = "bad"
    for klass, next_settled in zip(classes, below, strict=True):
        if klass == "neargood":
            klass = "bad" if above == next_settled == "bad" else "good"
        settled.append(klass)
        above = klass
    return settled


def keep_headings(
    paragraphs: Sequence[Paragraph], context_free: Sequence[Class], classes: Sequence[Class], rules: Rules
) -> list[Class]:
    """Makes headings shortly before a good paragraph good, unless they were bad by themselves."""
    close = _close_before_good(paragraphs, classes, rules)
    return [
        "good" if near and paragraph.heading and alone != "bad" else klass
        for paragraph, alone, klass, near in zip(paragraphs, context_free, classes, close, strict=True)
    ]


def _nearest(classes: Sequence[Class]) -> list[tuple[Class, Class]]:
    """Returns, for every position, the nearest good or bad above it, and the nearest good, bad or near-good."""
    nearest: list[tuple[Class, Class]] = []
    settled: Class = "bad"
    unshort: Class = "bad"
    for klass in classes:
        nearest.append((settled, unshort))
        if klass != "short":
            unshort = klass
            if klass != "neargood":
                settled = klass
    return nearest


def _close_before_good(paragraphs: Sequence[Paragraph], classes: Sequence[Class], rules: Rules) -> list[bool]:
    """Returns, for each paragraph, whether a good one follows with at most `max_heading_distance` characters between.

    One pass from the end: a separate search for every heading would be quadratic on pages of tiny headings.
    """
    close = [False] * len(paragraphs)
    distance = float("inf")
    for i in range(len(paragraphs) - 1, -1, -1):
        close[i] = distance <= rules.max_heading_distance
        distance = 0 if classes[i] == "good" else distance + rules.length(paragraphs[i].text)
    return close
