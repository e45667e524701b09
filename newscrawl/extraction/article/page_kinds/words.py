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

from newscrawl.extraction.article.signals import Signals
from newscrawl.extraction.language import declared_language, sample_text, speaks
from newscrawl.page.run import HEADING
from newscrawl.page.tags import TAG_NAMES

GROUPS: Final = ("names", "address", "links", "English words")
"""The groups of words. The model has a score of each kind for each group."""
MANY: Final = 8
"""Elements with a name from which on the page also has the word `many:NAME`."""
OFTEN: Final = 0.01
"""The share of a text's words from which on it also has the word `often:WORD`."""
LABEL_WORDS: Final = 6
"""Most words of a run that is a label or a button."""
PHRASE_WORDS: Final = (2, 4)
"""Fewest and most words of a label that counts as a phrase, too."""
SENTENCE_WORDS: Final = 8
"""Least words of a run whose words count as text."""
MAX_TEXT: Final = 2_000
"""Characters of a run that are read."""
MAX_ADDRESS: Final = 200
"""Characters of a link's address that are read."""
MAX_WORD: Final = 20
"""Characters of a word that are kept."""

_TEMPLATES: Final = frozenset(TAG_NAMES.index(tag) for tag in ("html", "body", "main", "article"))
"""Elements whose classes name the template of the page in many content systems: `single-post`, `page-template-landing`.
Their classes are also kept whole."""
_DIGITS: Final = re.compile(r"\d+")
_REST: Final = re.compile(r"/wp/v2/([a-z_-]{2,20})")
"""The kind of content that a head of WordPress links to."""
_NAMES: Final = ("class", "id", "itemprop", "role", "rel", "type")
_NO_OTHERS: Final = (None,) * len(_NAMES[2:])
_NAME_WORDS: Final = re.compile(r"[A-Za-z][a-z]{2,13}|[A-Z]{3,14}")
_WORDS: Final = re.compile(r"[a-z']+")
_ADDRESS_WORDS: Final = re.compile(r"[a-z]{2,20}")


def words_of(signals: Signals) -> dict[str, frozenset[str]]:
    """Returns the page's words by group. Takes time in proportion to the page's size."""
    return {
        "names": frozenset((*_names(signals), *_stated(signals))),
        "address": frozenset(_address(signals)),
        "links": frozenset(_link_words(signals)),
        "English words": frozenset(_english(signals)) if is_english(signals) else frozenset(),
    }


def is_english(signals: Signals) -> bool:
    """Returns whether the page's text is English without doubt. Tests its stop words; loads no model."""
    return declared_language(signals.page) in {"", "en"} and speaks(sample_text(signals.page), "en")


def _names(signals: Signals) -> Iterator[str]:
    """The words of classes and ids, and other names of elements."""
    read, tags = signals.page.elements.reader(), signals.page.elements.tag
    named: Counter[str] = Counter()
    stated: set[tuple[str, str | None]] = set()
    for element in range(len(signals.page.elements)):
        values = read(element, _NAMES)
        if values is None:
            continue
        classes, identity, others = values[0], values[1], values[2:]
        if classes:
            named[classes] += 1
            if tags[element] in _TEMPLATES:
                yield from _templates(TAG_NAMES[tags[element]], classes)
        if identity:
            named[identity] += 1
        if others != _NO_OTHERS:
            stated.update(zip(_NAMES[2:], others, strict=True))
    yield from (f"{key}:{value.lower()[:MAX_WORD]}" for key, value in stated if value)
    counts: Counter[str] = Counter()
    for name, number in named.items():
        for word in {word.lower() for word in _NAME_WORDS.findall(name[:MAX_TEXT])}:
            counts[word] += number
    for word, number in counts.items():
        yield f"name:{word}"
        if number >= MANY:
            yield f"many:{word}"


def _stated(signals: Signals) -> Iterator[str]:
    """The names of what the head and JSON-LD state."""
    for key in signals.page.head.contents:
        yield f"meta:{key[: 2 * MAX_WORD]}"
    for link in signals.page.head.links:
        yield f"rel:{link.rel[: 2 * MAX_WORD]}"
        if content := _REST.search(link.href):
            yield f"rest:{content[1]}"
    yield from (f"type:{kind[: 2 * MAX_WORD]}" for kind in signals.top_types)


def _templates(tag: str, classes: str) -> Iterator[str]:
    """The classes of an element, each whole and without its numbers."""
    for name in classes[:MAX_TEXT].lower().split():
        yield f"{tag}:{_DIGITS.sub('', name)[: 2 * MAX_WORD]}"


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


def _link_words(signals: Signals) -> Iterator[str]:
    """The words of the paths and hosts that the page's links lead to, and those of many links."""
    own = signals.host
    counts: Counter[str] = Counter()
    for href in set(signals.hrefs):
        address = href[:MAX_ADDRESS].lower()
        host, path = "", address
        if address.startswith(("http://", "https://", "//")):
            host, _, path = address.partition("//")[2].partition("/")
        if host and host != own:
            yield f"to:{host.removeprefix('www.')[: 2 * MAX_WORD]}"
        counts.update(set(_ADDRESS_WORDS.findall(path)))
    for word, number in counts.items():
        yield f"link:{word}"
        if number >= MANY:
            yield f"links:{word}"


def _english(signals: Signals) -> Iterator[str]:
    """The words of the title, of labels and phrases, of headings and of the text.

    The runs of a sort are searched as one text, a line each, which takes less time than a search in each. No word is
    longer than its line.
    """
    labels, headings, sentences = [], [], []
    for text, words, _, _, _, flags, *_ in signals.page.runs:
        if words <= LABEL_WORDS:
            labels.append(text[:MAX_TEXT])
        elif words >= SENTENCE_WORDS:
            sentences.append(text[:MAX_TEXT])
        if flags & HEADING:
            headings.append(text[:MAX_TEXT])
    for place, texts in (("title", [signals.page.head.title or ""]), ("label", labels), ("heading", headings)):
        for word in set(_WORDS.findall("\n".join(texts).lower())):
            yield f"{place}:{word}"
    for label in set(labels):
        words_of_label = _WORDS.findall(label.lower())
        if PHRASE_WORDS[0] <= len(words_of_label) <= PHRASE_WORDS[1]:
            yield f"label:{' '.join(words_of_label)}"
    counted = Counter(_WORDS.findall("\n".join(sentences).lower()))
    yield from (f"text:{word}" for word in counted)
    least = max(MANY, OFTEN * counted.total())
    yield from (f"often:{word}" for word, number in counted.items() if number >= least)
