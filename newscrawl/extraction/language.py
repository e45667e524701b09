"""The language of a page: what it declares, unless its text shows otherwise."""

from __future__ import annotations

from functools import cache
from typing import Final, Protocol

from newscrawl.extraction.stoplists import LIST_NAMES, canonical_tag, stop_words
from newscrawl.page import Page

BLANKLESS_LANGUAGES: Final = frozenset({"zh", "ja", "th", "lo", "my", "km"})
"""Languages written without blanks between words."""

SAMPLE_WORDS: Final = 10
"""Runs of at least so many words, without links, show a page's language; menus and labels do not."""
SAMPLE_CHARACTERS: Final = 2000
"""Text that detection reads: more changes neither answer nor certainty (docs/explanation/justext.md)."""
ENOUGH_CHARACTERS: Final = 100
"""Below this detection is guesswork, and the declaration stands."""
SURE: Final = 0.8
"""Probability from which detection overrules a declaration (close relatives such as hr and bs stay below it)."""


CLEAR_SHARE: Final = 0.35
"""Part of a text's words that are stop words of its own language; jusText asks .32 of a good paragraph. At .25 an
English declaration stood on a Spanish page."""


class Identifier(Protocol):
    """What is used of py3langid."""

    def classify(self, instance: str) -> tuple[str, float]: ...


def page_language(page: Page) -> str:
    """The page's language as a canonical tag, "" where nothing tells.

    Declarations are often left over from a template (an English theme of a Spanish paper) or are none at all
    (`content-language: utf-8`), so text that clearly speaks another language overrules them.
    """
    declared = declared_language(page)
    sample = sample_text(page)
    if not sample or (declared and len(sample) < ENOUGH_CHARACTERS):
        return declared
    if speaks(sample, declared):
        return declared
    detected, probability = detect(sample)
    sure = SURE if declared in LIST_NAMES or declared in BLANKLESS_LANGUAGES else 0.0
    return detected if detected and probability >= sure else declared


def speaks(text: str, tag: str) -> bool:
    """Whether the stop words of this language leave no doubt that `text` is in it.

    Spares a page the model, which takes as long as parsing the page. On 1,387 of 1,452 pages of the corpora that
    declare a language with a stop list they leave none, and on each of them the model says the same.
    """
    words = stop_words(tag)
    if not words:
        return False
    pieces = text.lower().split()
    return len([piece for piece in pieces if piece in words]) >= CLEAR_SHARE * len(pieces)


def declared_language(page: Page) -> str:
    """What the mark-up declares (html lang, content-language, og:locale), as a canonical tag or ""."""
    for value in (page.hints.language, page.head.first("og:locale", "language", "dc.language", "inlanguage")):
        tag = canonical_tag(value.partition(",")[0]) if value else ""
        if tag:
            return tag
    return ""


def sample_text(page: Page) -> str:
    """The page's longer unlinked runs from the start, up to `SAMPLE_CHARACTERS`."""
    parts: list[str] = []
    left = SAMPLE_CHARACTERS
    for run in page.runs:
        if run.words >= SAMPLE_WORDS and not run.linked_words:
            parts.append(run.text[:left])
            left -= len(parts[-1])
            if left <= 0:
                break
    return "\n".join(parts)


def detect(text: str) -> tuple[str, float]:
    """The language of `text` as a canonical tag, and how probable it is; ("", 0.0) for text that is no language."""
    tag, probability = _identifier().classify(text)
    canonical = canonical_tag(tag)
    return (canonical, float(probability)) if canonical not in {"", "zxx", "und"} else ("", 0.0)


@cache
def _identifier() -> Identifier:
    """The bundled model, loaded once a process when first needed (about a second); no network."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier: Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return identifier
