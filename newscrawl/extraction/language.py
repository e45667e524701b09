"""Finds the language of a page: the declared one, unless the text shows another; and the stop lists of languages."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from newscrawl.model.word_lists import read_sections
from newscrawl.page import Page

BLANKLESS_LANGUAGES: Final = frozenset({"zh", "ja", "th", "lo", "my", "km"})
"""Languages written without blanks between words."""

SAMPLE_WORDS: Final = 10
"""The least words of unlinked runs that show a page's language. Menus and labels do not."""
SAMPLE_CHARACTERS: Final = 2000
"""Characters that detection reads. More change neither the result nor its certainty (docs/explanation/justext.md)."""
ENOUGH_CHARACTERS: Final = 100
"""With fewer characters detection is unreliable, and the declaration stands."""
SURE: Final = 0.8
"""The least probability with which detection overrules a declaration. Close relatives such as hr and bs are below
it."""


CLEAR_SHARE: Final = 0.35
"""Share of a text's words that are stop words of its own language. jusText asks .32 of a good paragraph. At .25 an
English declaration stood on a Spanish page."""

_TABLES: Final = read_sections(__file__, "stop_lists.txt")
LIST_NAMES: Final = dict(line.split() for line in _TABLES["lists"])
"""Language tag -> name of the list of the package `justext`."""
_SAME_LANGUAGE: Final = dict(line.split() for line in _TABLES["same language"])


class Identifier(Protocol):
    """The part of py3langid that is used."""

    def classify(self, instance: str) -> tuple[str, float]: ...


def page_language(page: Page) -> str:
    """Returns the page's language as a canonical tag, "" if it is not known.

    Declarations are often left over from a template (an English theme of a Spanish paper) or invalid
    (`content-language: utf-8`), so text that is clearly in another language overrules them.
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
    """Returns whether the stop words of this language leave no doubt that `text` is in it.

    Then the model, which takes as long as parsing the page, is not needed. On 1,387 of 1,452 pages of the corpora that
    declare a language with a stop list there is no doubt, and on each of them the model gives the same language.
    """
    words = stop_words(tag)
    if not words:
        return False
    pieces = text.lower().split()
    return sum(map(words.__contains__, pieces)) >= CLEAR_SHARE * len(pieces)


def declared_language(page: Page) -> str:
    """Returns the language that the mark-up declares (html lang, content-language, og:locale), as a canonical tag or
    ""."""
    for value in (page.hints.language, page.head.first("og:locale", "language", "dc.language", "inlanguage")):
        tag = canonical_tag(value.partition(",")[0]) if value else ""
        if tag:
            return tag
    return ""


def sample_text(page: Page) -> str:
    """Returns the page's longer unlinked runs from the start, up to `SAMPLE_CHARACTERS`."""
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
    """Returns the language of `text` as a canonical tag, and its probability; ("", 0.0) for text in no language."""
    tag, probability = _identifier().classify(text)
    canonical = canonical_tag(tag)
    return (canonical, float(probability)) if canonical not in {"", "zxx", "und"} else ("", 0.0)


@cache
def _identifier() -> Identifier:
    """Returns the bundled model, loaded once a process when first needed (about a second); no network."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier: Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return identifier


def canonical_tag(language: str) -> str:
    """Returns a declared language as the shortest tag that the tables here have: `es_MX` is `es`, `sr-Latn-RS` is `sh`.

    A text that is no tag gives "".
    """
    subtags = [part for part in language.strip().lower().replace("_", "-").split("-") if part]
    if not subtags or not all(part.isascii() and part.isalnum() for part in subtags):
        return ""
    for length in (2, 1):
        tag = "-".join(subtags[:length])
        tag = _SAME_LANGUAGE.get(tag, tag)
        if tag in LIST_NAMES or length == 1:
            return tag if 2 <= len(tag.partition("-")[0]) <= 3 else ""
    return ""


@cache
def stop_words(tag: str) -> frozenset[str] | None:
    """Returns the stop words of a canonical tag, lower-cased; None if the package has no list.

    The file is read, and the package is not imported: it loads an HTTP client and a cleaner of HTML, which takes a
    sixteenth of the CPU of a first page.
    """
    name, package = LIST_NAMES.get(tag), find_spec("justext")
    if name is None or package is None or package.origin is None:
        return None
    words = (Path(package.origin).parent / "stoplists" / f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(word.lower() for word in words.splitlines())
