"""jusText over runs: keeps the paragraphs that are long and grammatical, and those between them.

Pomikálek, "Removing Boilerplate and Duplicate Content from Web Corpora", dissertation, Brno 2011, chapter 3, as in the
package `justext` 3.0.2 (docs/explanation/justext.md lists where the package and its description differ). In the order
of the chapter: segmentation joins runs to text blocks, then each block is classified by itself, then by its neighbours.
All steps take linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from newscrawl.extraction.language import BLANKLESS_LANGUAGES, canonical_tag, page_language, stop_words
from newscrawl.page import Page, TextRun
from newscrawl.page.run import HEADING, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE, SPACE_BEFORE
from newscrawl.page.words import BLANKLESS, BLANKLESS_WEIGHT

_COPYRIGHT: Final = "\u00a9"
_MISSPELT: Final = "&copy"


class Paragraph(NamedTuple):
    """A block of text between two of jusText's paragraph tags (or a double <br>).

    It is a named tuple, because a page has hundreds, and a frozen dataclass takes three times as long to make.
    """

    text: str
    """The text with white space collapsed. Blanks of white-space-only text nodes are missing, as in the package."""
    link_characters: int
    """Characters inside <a>."""
    heading: bool
    runs: tuple[int, ...] = ()
    """The indices of its runs in `Page.runs`."""

    @property
    def link_density(self) -> float:
        """Characters inside <a> over all characters. It can exceed 1, because edge blanks count in links only."""
        return self.link_characters / len(self.text) if self.text else 0.0

    @property
    def has_copyright_sign(self) -> bool:
        """Whether it contains a copyright sign, in either spelling."""
        text = self.text
        return _COPYRIGHT in text or _MISSPELT in text

    def stopword_density(self, stopwords: frozenset[str]) -> float:
        """Returns the share of blank-separated pieces that are in `stopwords`, lower-cased, with their punctuation."""
        pieces = self.text.lower().split()
        return sum(map(stopwords.__contains__, pieces)) / len(pieces) if pieces else 0.0


def make_paragraphs(runs: Iterable[TextRun]) -> list[Paragraph]:
    """Returns the paragraphs of a page without form controls, as jusText's preprocessing does."""
    paragraphs: list[Paragraph] = []
    members: list[tuple[int, TextRun, int]] = []
    add, ignored, wanted = paragraphs.append, IGNORED_BY_JUSTEXT, PARAGRAPH_BEFORE | SPACE_BEFORE
    flags = 0
    for index, run in enumerate(runs):
        own = run.flags
        flags |= own & wanted
        if own & ignored:
            continue
        if flags & PARAGRAPH_BEFORE and members:
            add(_join(members))
            members = []
        members.append((index, run, flags))
        flags = 0
    if members:
        add(_join(members))
    return paragraphs


def _join(members: Sequence[tuple[int, TextRun, int]]) -> Paragraph:
    """Returns a paragraph of runs, each given with its index and the separator before it."""
    index, first, _ = members[0]
    heading = bool(first.flags & HEADING)
    if len(members) == 1:
        return Paragraph(_seen_text(first), first.link_characters, heading, (index,))
    parts: list[str] = []
    for _, run, flags in members:
        if parts and flags & SPACE_BEFORE:
            parts.append(" ")
        parts.append(_seen_text(run))
    linked = sum([run.link_characters for _, run, _ in members])
    return Paragraph("".join(parts), linked, heading, tuple([index for index, _, _ in members]))


def _seen_text(run: TextRun) -> str:
    """Returns the run's text without the blanks that jusText does not see."""
    if not run.blanks:
        return run.text
    pieces, start = [], 0
    for offset in run.blanks:
        pieces.append(run.text[start:offset])
        start = offset + 1
    pieces.append(run.text[start:])
    return "".join(pieces)


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
    blankless_weight: int = 1
    """The number of characters that one of a script without blanks counts for."""

    def length(self, text: str) -> int:
        """Returns the length that is compared with the limits above."""
        if self.blankless_weight == 1 or text.isascii():
            return len(text)
        return len(text) + (self.blankless_weight - 1) * len(BLANKLESS.findall(text))


DEFAULT_RULES: Final = Rules()


def classify(paragraphs: Sequence[Paragraph], stopwords: frozenset[str], rules: Rules = DEFAULT_RULES) -> list[Class]:
    """Returns the final class of every paragraph. The good ones are the text."""
    context_free = [classify_context_free(paragraph, stopwords, rules) for paragraph in paragraphs]
    classes = settle_near_good(settle_short(context_free))
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


def select(page: Page, language: str | None = None) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs in good paragraphs, in document order; linear time.

    `language` is a BCP 47 tag. Without it the page's own language is used (detected, else declared).
    """
    return tuple(index for paragraph in kept_paragraphs(page, language) for index in paragraph.runs)


def kept_paragraphs(page: Page, language: str | None = None) -> list[Paragraph]:
    """Returns the good paragraphs of a page, in document order."""
    rules, words = rules_for(canonical_tag(language) if language else page_language(page))
    paragraphs = make_paragraphs(page.runs)
    classes = classify(paragraphs, words, rules)
    return [paragraph for paragraph, klass in zip(paragraphs, classes, strict=True) if klass == "good"]


def rules_for(tag: str) -> tuple[Rules, frozenset[str]]:
    """Returns thresholds and stop words for a language.

    Without a stop list both stop-word thresholds are 0, so that length and links decide (as in the package's command
    line for the stop list "None"). In scripts without blanks a character has more weight.
    """
    rules = DEFAULT_RULES
    words = stop_words(tag)
    if words is None:
        rules = replace(rules, stopwords_low=0.0, stopwords_high=0.0)
    if tag in BLANKLESS_LANGUAGES:
        rules = replace(rules, blankless_weight=BLANKLESS_WEIGHT)
    return rules, words or frozenset()
