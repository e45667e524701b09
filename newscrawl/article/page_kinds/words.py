"""Words of a page as the model counts them: names of elements, statements, the address, and English text.

Each is a text with the place where it was found: `name:cart`, `path:threads`, `label:add to cart`. The model has a
weight for those that training chose; all others count nothing. Class names and addresses are mostly English in every
language. Words of the text are only read where the text is English, so other languages lose nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from newscrawl.article.signals import Signals, types_of
from newscrawl.extraction.language import declared_language, sample_text, speaks
from newscrawl.page.run import HEADING

GROUPS: Final = ("names", "address", "English words")
"""The groups of words. The model has a score of each kind for each group."""
MANY: Final = 8
"""Elements with a name from which on the page also has the word `many:NAME`."""
LABEL_WORDS: Final = 6
"""Most words of a run that is a label or a button."""
PHRASE_WORDS: Final = (2, 4)
"""Fewest and most words of a label that counts as a phrase, too."""
SENTENCE_WORDS: Final = 8
"""Least words of a run whose words count as text."""
MAX_TEXT: Final = 2_000
"""Characters of a run that are read."""
MAX_WORD: Final = 20
"""Characters of a word that are kept."""

_NAMES: Final = ("class", "id", "itemprop", "role", "rel", "type")
_NAME_WORDS: Final = re.compile(r"[A-Za-z][a-z]{2,13}|[A-Z]{3,14}")
_WORDS: Final = re.compile(r"[a-z']+")
_ADDRESS_WORDS: Final = re.compile(r"[a-z]{2,20}")


def words_of(signals: Signals) -> dict[str, frozenset[str]]:
    """Returns the page's words by group. Takes time in proportion to the page's size."""
    return {
        "names": frozenset(_names(signals)),
        "address": frozenset(_address(signals)),
        "English words": frozenset(_english(signals)) if is_english(signals) else frozenset(),
    }


def is_english(signals: Signals) -> bool:
    """Returns whether the page's text is English without doubt. Tests its stop words; loads no model."""
    return declared_language(signals.page) in {"", "en"} and speaks(sample_text(signals.page), "en")


def _names(signals: Signals) -> Iterator[str]:
    """The words of classes and ids, other names of elements, and what the head and JSON-LD state."""
    read = signals.page.elements.reader()
    named: Counter[str] = Counter()
    for element in range(len(signals.page.elements)):
        values = read(element, _NAMES)
        if values is None:
            continue
        classes, identity, *others = values
        if classes:
            named[classes] += 1
        if identity:
            named[identity] += 1
        for key, value in zip(_NAMES[2:], others, strict=True):
            if value:
                yield f"{key}:{value.lower()[:MAX_WORD]}"
    counts: Counter[str] = Counter()
    for name, number in named.items():
        for word in {word.lower() for word in _NAME_WORDS.findall(name[:MAX_TEXT])}:
            counts[word] += number
    for word, number in counts.items():
        yield f"name:{word}"
        if number >= MANY:
            yield f"many:{word}"
    for key in signals.page.head.contents:
        yield f"meta:{key[: 2 * MAX_WORD]}"
    for thing in signals.page.hints.json_ld:
        for kind in types_of(thing):
            yield f"type:{kind[: 2 * MAX_WORD]}"


def _address(signals: Signals) -> Iterator[str]:
    parts = urlsplit(signals.url or "")
    path = parts.path.lower()
    for word in _ADDRESS_WORDS.findall(path):
        yield f"path:{word}"
    for word in _ADDRESS_WORDS.findall("/".join(path.rstrip("/").split("/")[:-1])):
        yield f"folder:{word}"
    for word in _ADDRESS_WORDS.findall(parts.netloc.lower().rpartition(".")[0]):
        yield f"host:{word}"
    for part in filter(None, parts.query.lower().split("&")):
        yield f"query:{part.partition('=')[0][:MAX_WORD]}"


def _english(signals: Signals) -> Iterator[str]:
    for word in _WORDS.findall((signals.page.head.title or "").lower()):
        yield f"title:{word}"
    text: set[str] = set()
    for run in signals.page.runs:
        words = _WORDS.findall(run.text[:MAX_TEXT].lower())
        if run.words <= LABEL_WORDS:
            yield from (f"label:{word}" for word in words)
            if PHRASE_WORDS[0] <= len(words) <= PHRASE_WORDS[1]:
                yield f"label:{' '.join(words)}"
        elif run.words >= SENTENCE_WORDS:
            text.update(words)
        if run.flags & HEADING:
            yield from (f"heading:{word}" for word in words)
    yield from (f"text:{word}" for word in text)
