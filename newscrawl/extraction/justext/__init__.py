"""jusText over runs: keeps the paragraphs that are long and grammatical, and those between them.

In here: `paragraphs` joins runs to text blocks, `classify` classifies them. Start with `classify`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from newscrawl.extraction.justext.classify import DEFAULT_RULES, Rules, classify
from newscrawl.extraction.justext.paragraphs import Paragraph, make_paragraphs
from newscrawl.extraction.language import BLANKLESS_LANGUAGES, canonical_tag, page_language, stop_words
from newscrawl.page import Page

__all__ = ["BLANKLESS_WEIGHT", "Paragraph", "Rules", "kept_paragraphs", "rules_for", "select"]

BLANKLESS_WEIGHT: Final = 3.0
"""Latin letters that correspond to one character of a script without blanks (docs/explanation/justext.md has the
sweep)."""

_NO_WORDS: Final[frozenset[str]] = frozenset()


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
    return rules, words or _NO_WORDS
