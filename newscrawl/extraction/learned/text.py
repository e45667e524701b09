"""Shallow features of each run's text, with weights that make scripts comparable."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.character_stats import CharacterStats, Column, written
from newscrawl.extraction.learned.kinds import CLOSERS, SENTENCE_ENDS
from newscrawl.page import Page
from newscrawl.page.words import BLANKLESS

__all__ = ["Column", "Texts", "overlap_features", "text_features", "tokens"]

FUNCTION_WEIGHT: Final = 4.0
"""An estimate, not tuned. Function characters are about a tenth of written Chinese, stop words two fifths of English.
With this weight both have about the same share."""

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
    """The texts of a page's runs with their characters and words."""

    def __init__(self, page: Page, stopwords: frozenset[str]) -> None:
        runs = page.runs
        self.texts = [run.text for run in runs]
        self.stats = CharacterStats(self.texts)
        self.characters = written(self.texts, self.stats)
        """Characters, weighted by script."""
        self.words = np.array([run.words for run in runs], dtype=np.float32)
        self.linked_words = np.array([run.linked_words for run in runs], dtype=np.float32)
        link_characters = np.array([run.link_characters for run in runs], dtype=np.float32)
        sizes = np.array([len(text) for text in self.texts], dtype=np.float32)
        self.linked = np.minimum(1.0, link_characters / sizes).astype(np.float32)
        """The share of characters inside <a>."""
        self.stated = StatedWords(page)
        """The titles, description and body that the page states."""
        known = (stopwords, self.stated.title, self.stated.description)
        shares = word_shares(self.stats.lowered, known, self.stated.body)
        self.in_title, self.in_description, self.in_body = shares[1:]
        """The share of words that are there; for the JSON-LD body, of pairs of words."""
        function = np.minimum(1.0, FUNCTION_WEIGHT * self.stats.function / np.maximum(self.stats.blankless, 1))
        self.stopwords = np.where(self.stats.blankless > 0, function, shares[0]).astype(np.float32)
        """The share of stop words."""
        prose = (self.words >= PROSE_WORDS) & (self.linked_words * 2 <= self.words)
        self.prose = np.where(prose, self.characters, 0).astype(np.float32)
        """Characters of the longer runs that are no links."""


PROSE_WORDS: Final = 10


def text_features(texts: Texts) -> list[Column]:
    """Returns the columns of `TEXT_FEATURES`; time linear in the page's text."""
    stats, words = texts.stats, texts.words
    copies = Counter(texts.texts)
    last = [(text.rstrip(CLOSERS) or text)[-1] for text in texts.texts]
    return [
        np.log1p(words),
        np.log1p(texts.characters),
        texts.linked_words / np.maximum(words, 1),
        texts.linked,
        texts.characters / np.maximum(words, 1),
        stats.sentences,
        _truth(sign in SENTENCE_ENDS for sign in last),
        _truth(sign in ":：" for sign in last),
        stats.commas / stats.shown * 100,
        stats.quotes,
        stats.capitals / stats.pieces,
        stats.digits / stats.shown,
        _truth(
            digits > 2 and _CLOCK.search(text) is not None
            for digits, text in zip(stats.digits.tolist(), stats.lowered, strict=True)
        ),
        stats.symbols,
        texts.stopwords,
        np.minimum(texts.characters / 80, 12.0),
        np.array([min(copies[text], 5) for text in texts.texts], dtype=np.float32),
        (stats.blankless > 0).astype(np.float32),
    ]


def _truth(values: Iterable[bool]) -> Column:
    return np.array(list(values), dtype=np.float32)


def tokens(text: str) -> list[str]:
    """Returns the words in lower case; every character of a script without blanks is a word."""
    return _words_in(text.lower())


def _words_in(lowered: str) -> list[str]:
    if lowered.isascii() or BLANKLESS.search(lowered) is None:
        return _WORD.findall(lowered)
    return _TOKEN.findall(lowered)


def _has_pairs(lowered: str) -> bool:
    return bool(lowered) and len(list(islice(_TOKEN.finditer(lowered), 2))) > 1


def word_shares(texts: list[str], known: tuple[Collection[str], ...], body: str) -> NDArray[np.float64]:
    """Returns, for each text (in lower case), the share of its words that are in each of `known`, and of its pairs of
    neighbouring words that are neighbours in `body`: a row a share, a column a text."""
    rows = [_words_in(text) for text in texts]
    pairs = frozenset(pairwise(_words_in(body)))
    paired = [list(pairwise(words)) for words in rows] if pairs else rows
    return np.array([*(_shares(rows, words) for words in known), _shares(paired, pairs)])


def _shares(rows: Sequence[Sequence[Any]], known: Collection[Any]) -> list[float]:
    if not known:
        return [0.0] * len(rows)
    holds, strange = known.__contains__, frozenset(known).isdisjoint
    return [0.0 if strange(row) else sum(map(holds, row)) / len(row) for row in rows]


class StatedWords:
    """The words that a page states about itself: its titles, its description, the article's body in JSON-LD."""

    def __init__(self, page: Page) -> None:
        head = page.head
        titles = (head.title, head.first("og:title", "twitter:title"), page.hints.headline)
        self._titles = [tokens(title) for title in titles if title]
        self.title = {word for words in self._titles for word in words}
        self.description = set(tokens(head.first("description", "og:description", "twitter:description") or ""))
        self.body = " ".join(_bodies(page)).lower()

    def headlines(self, texts: Texts) -> Column:
        """Returns which texts are one of the titles, without regard to punctuation."""
        folded = {" ".join(words) for words in self._titles}
        whole = zip(texts.in_title.tolist(), texts.stats.lowered, strict=True)
        return _truth(share == 1.0 and _is_headline(_words_in(text), folded) for share, text in whole)


def _is_headline(words: Sequence[str], titles: Collection[str]) -> bool:
    return len(words) < HEADLINE_WORDS and " ".join(words) in titles


OVERLAP_FEATURES: Final = ("in_title", "in_description", "in_body", "is_headline", "body_known")
HEADLINE_WORDS: Final = 40


def overlap_features(texts: Texts) -> list[Column]:
    """Returns how much of each run is in the statements of the page: titles, description, JSON-LD articleBody."""
    body_known = _has_pairs(texts.stated.body)
    return [
        texts.in_title,
        texts.in_description,
        texts.in_body,
        texts.stated.headlines(texts),
        np.full(len(texts.texts), body_known, dtype=np.float32),
    ]


def _bodies(page: Page) -> Iterable[str]:
    if not any("articleBody" in script for script in page.hints.json_ld_scripts):
        return  # so they need not be parsed
    for item in page.hints.json_ld:
        body = item.get("articleBody")
        if isinstance(body, str):
            yield body
