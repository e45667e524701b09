"""Shallow features of each run's text, counted so that every script weighs what it writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from newscrawl.extraction.learned.signs import CLOSERS, SENTENCE_ENDS, Column, Signs, written
from newscrawl.page import Page
from newscrawl.page.words import BLANKLESS

__all__ = ["Column", "Texts", "overlap_features", "text_features", "tokens"]

FUNCTION_WEIGHT: Final = 4.0
"""An estimate, not tuned: function characters are about a tenth of written Chinese, stop words two fifths of English;
counted so often, both have about the same share."""

_CLOCK: Final = re.compile(r"\d{1,2}[:.]\d\d|(?:19|20)\d\d")
_WORD: Final = re.compile(r"\w+")
_TOKEN: Final = re.compile(f"{BLANKLESS.pattern}|(?:(?!{BLANKLESS.pattern})\\w)+")

TEXT_FEATURES: Final = (
    "log_words",
    "log_characters",
    "linked_words",
    "linked_characters",
    "word_length",
    "sentences",
    "ends_sentence",
    "ends_colon",
    "commas",
    "quotes",
    "capitals",
    "digits",
    "clock",
    "signs",
    "stopwords",
    "lines",
    "repeated",
    "blankless",
)


class Texts:
    """The texts of a page's runs with their signs and words."""

    def __init__(self, page: Page, stopwords: frozenset[str]) -> None:
        runs = page.runs
        self.texts = [run.text for run in runs]
        self.signs = Signs(self.texts)
        self.characters = written(self.texts, self.signs)
        """Characters, each as much as it says."""
        self.words = np.array([run.words for run in runs], dtype=np.float32)
        self.linked_words = np.array([run.linked_words for run in runs], dtype=np.float32)
        link_characters = np.array([run.link_characters for run in runs], dtype=np.float32)
        sizes = np.array([len(text) for text in self.texts], dtype=np.float32)
        self.linked = np.minimum(1.0, link_characters / sizes).astype(np.float32)
        """Share of the characters inside <a>."""
        self.tokens = [
            _TOKEN.findall(text) if blankless else _WORD.findall(text)
            for text, blankless in zip(self.signs.lowered, self.signs.blankless.tolist(), strict=True)
        ]
        """Words in small letters, every character of a script without blanks for itself."""
        known = stopwords.__contains__
        shares = [sum(map(known, words)) / len(words) if words else 0.0 for words in self.tokens]
        function = np.minimum(1.0, FUNCTION_WEIGHT * self.signs.function / np.maximum(self.signs.blankless, 1))
        self.stopwords = np.where(self.signs.blankless > 0, function, np.array(shares)).astype(np.float32)
        """Share of stop words."""
        prose = (self.words >= PROSE_WORDS) & (self.linked_words * 2 <= self.words)
        self.prose = np.where(prose, self.characters, 0).astype(np.float32)
        """Characters of the longer runs that are no links."""


PROSE_WORDS: Final = 10


def text_features(texts: Texts) -> list[Column]:
    """The columns of `TEXT_FEATURES`; time linear in the page's text."""
    signs, words = texts.signs, texts.words
    copies = Counter(texts.texts)
    last = [(text.rstrip(CLOSERS) or text)[-1] for text in texts.texts]
    return [
        np.log1p(words),
        np.log1p(texts.characters),
        texts.linked_words / np.maximum(words, 1),
        texts.linked,
        texts.characters / np.maximum(words, 1),
        signs.sentences,
        _truth(sign in SENTENCE_ENDS for sign in last),
        _truth(sign in ":：" for sign in last),
        signs.commas / signs.shown * 100,
        signs.quotes,
        signs.capitals / signs.pieces,
        signs.digits / signs.shown,
        _truth(
            digits > 2 and _CLOCK.search(text) is not None
            for digits, text in zip(signs.digits.tolist(), signs.lowered, strict=True)
        ),
        signs.signs,
        texts.stopwords,
        np.minimum(texts.characters / 80, 12.0),
        np.array([min(copies[text], 5) for text in texts.texts], dtype=np.float32),
        (signs.blankless > 0).astype(np.float32),
    ]


def _truth(values: Iterable[bool]) -> Column:
    return np.array(list(values), dtype=np.float32)


def tokens(text: str) -> list[str]:
    """Words in small letters, every character of a script without blanks for itself."""
    if text.isascii() or BLANKLESS.search(text) is None:
        return _WORD.findall(text.lower())
    return _TOKEN.findall(text.lower())


OVERLAP_FEATURES: Final = ("in_title", "in_description", "in_body", "is_headline", "body_known")
HEADLINE_WORDS: Final = 40


def overlap_features(page: Page, texts: Texts) -> list[Column]:
    """How much of each run stands in what the page says of itself: titles, description, JSON-LD articleBody."""
    titles = [t for t in (page.head.title, page.head.first("og:title", "twitter:title"), page.hints.headline) if t]
    title_words = [tokens(title) for title in titles]
    title = {word for words in title_words for word in words}
    description = set(tokens(page.head.first("description", "og:description", "twitter:description") or ""))
    body = _pairs(tokens(" ".join(_bodies(page))))
    folded = {" ".join(words) for words in title_words}
    rows = texts.tokens
    return [
        _shares(rows, title),
        _shares(rows, description),
        _shares([list(pairwise(words)) for words in rows] if body else rows, body),
        _truth(0 < len(words) < HEADLINE_WORDS and " ".join(words) in folded for words in rows),
        np.full(len(rows), bool(body), dtype=np.float32),
    ]


def _pairs(words: Sequence[str]) -> set[tuple[str, str]]:
    return set(pairwise(words))


def _shares(rows: Sequence[Sequence[Any]], known: set[Any]) -> Column:
    if not known:
        return np.zeros(len(rows), dtype=np.float32)
    holds, strange = known.__contains__, known.isdisjoint
    return np.array([0.0 if strange(row) else sum(map(holds, row)) / len(row) for row in rows], dtype=np.float32)


def _bodies(page: Page) -> Iterable[str]:
    for item in page.hints.json_ld:
        body = item.get("articleBody")
        if isinstance(body, str):
            yield body
