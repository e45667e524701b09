"""Shallow features of each run's text, with weights that make scripts comparable."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import chain, islice, pairwise, repeat
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.stated import stated_bodies
from newscrawl.page import Page
from newscrawl.page.words import BLANKLESS, BLANKLESS_WEIGHT

SENTENCE_ENDS: Final = ".!?…。！？｡।۔؟።։"
"""Characters that end a sentence, in the scripts of news."""
CLOSERS: Final = "\"'”’»)]」』）】›"
"""Characters that may follow the end of a sentence."""

UPPER, DIGIT, COMMA, QUOTE, END, FULL_END, CLOSER, SIGN, UNSPACED, FUNCTION, GAP = (1 << bit for bit in range(11))
LISTED: Final[Mapping[int, str]] = MappingProxyType(
    {
        COMMA: ",،、，;；",
        QUOTE: '"“”„«»「」『』',
        END: SENTENCE_ENDS,
        FULL_END: "。！？｡",
        CLOSER: CLOSERS,
        SIGN: "|©@#→›»·•/",
        FUNCTION: "的了在是和不有这为也对就与以到于将从而被并這為對與於將從並のはにをたがでてと",
        GAP: " \n",
    }
)
"""Function characters are the stop words of Chinese and Japanese, for which there is no stop list."""
HAN_EXTENSIONS: Final = (0x20000, 0x2FA20)
"""Han characters beyond the basic plane: the first one, and the first after them."""


Column = NDArray[np.floating[Any]]
"""One feature of every run of a page."""

LONG_CHARACTERS: Final = 400
"""Characters of a run that are counted. More add no information."""

_BASIC: Final = 0x10000
_COUNTED: Final = (DIGIT, COMMA, QUOTE, SIGN, UNSPACED, FUNCTION)


class CharacterStats:
    """Counts of kinds of characters in the first `LONG_CHARACTERS` of every text."""

    def __init__(self, texts: Sequence[str]) -> None:
        shown = [text if len(text) <= LONG_CHARACTERS else text[:LONG_CHARACTERS] for text in texts]
        self.lowered = [text.lower() for text in shown]
        """The counted texts in lower case."""
        self.shown = np.fromiter(map(len, shown), np.float32, len(shown))
        """The number of counted characters."""
        counts = count_signs(shown).astype(np.float32)
        self.capitals, self.sentences, self.pieces = counts[:3]
        """Pieces between blanks that begin with a capital, sentences, and pieces between blanks."""
        self.digits, self.commas, self.quotes, self.symbols, self.blankless, self.function = counts[3:]


def count_signs(texts: list[str]) -> NDArray[np.int32]:
    """Returns the counts of `CharacterStats` for each text, in its order: a row a kind, a column a text.

    Most characters are small letters, which have no kind and are left out first. Each text is ended by a gap.
    """
    kinds = _kinds_of("\n".join([*texts, ""]))
    places = np.flatnonzero(kinds > 0)
    here, before, after = kinds.take(places), kinds.take(places - 1), kinds.take(places + 1, mode="clip")
    hits = np.empty((3 + len(_COUNTED), len(places)), dtype=np.bool_)
    hits[0] = ((here & UPPER) > 0) & ((before & GAP) > 0)
    hits[1] = ((here & END) > 0) & ((after & (GAP | CLOSER)) > 0) | ((here & FULL_END) > 0)
    hits[2:] = (here & np.array([GAP, *_COUNTED], dtype=np.uint16)[:, None]) > 0
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)
    starts = np.searchsorted(places, ends - 1, side="right")
    counts: NDArray[np.int32] = np.add.reduceat(hits, np.concatenate([[0], starts[:-1]]), axis=1, dtype=np.int32)
    return counts


def written(sizes: Column, stats: CharacterStats) -> Column:
    """Returns the length of each text in characters of a script with blanks, given that in its own; one of a script
    without counts for more."""
    weighed: Column = sizes * (1 + (BLANKLESS_WEIGHT - 1) * stats.blankless / np.maximum(stats.shown, 1))
    return weighed


def _kinds_of(text: str) -> NDArray[np.uint16]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _table().take(np.minimum(codes, _BASIC))
    rare = codes >= HAN_EXTENSIONS[0]
    if rare.any():
        kinds[rare & (codes < HAN_EXTENSIONS[1])] = UNSPACED
    return kinds


@cache
def _table() -> NDArray[np.uint16]:
    """Returns the kinds of every character of the basic plane, none for those beyond."""
    table = np.zeros(_BASIC + 1, dtype=np.uint16)
    for code in range(_BASIC):
        sign = chr(code)
        if sign.isupper():
            table[code] = UPPER
        elif sign.isdecimal():
            table[code] = DIGIT
    for match in BLANKLESS.finditer("".join(map(chr, range(_BASIC)))):
        table[match.start()] |= UNSPACED
    for kind, signs in LISTED.items():
        table[[ord(sign) for sign in signs]] |= kind
    return table


__all__ = ["Column", "Texts", "overlap_features", "text_features", "tokens"]

FUNCTION_WEIGHT: Final = 4.0
"""An estimate, not tuned. Function characters are about a tenth of written Chinese, stop words two fifths of English.
With this weight both have about the same share."""

_SENTENCE_ENDS: Final = np.array(list(map(ord, SENTENCE_ENDS)))
_COLONS: Final = np.array(list(map(ord, ":：")))
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
        texts, words, linked_words, link_characters, *_ = zip(*page.runs, strict=True)
        self.texts = list(texts)
        self.stats = CharacterStats(self.texts)
        self.sizes = np.fromiter(map(len, texts), np.float32, len(texts))
        """Characters."""
        self.characters = written(self.sizes, self.stats)
        """Characters, weighted by script."""
        self.words = np.array(words, dtype=np.float32)
        self.linked_words = np.array(linked_words, dtype=np.float32)
        self.linked = np.minimum(1.0, np.array(link_characters, dtype=np.float32) / self.sizes).astype(np.float32)
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
    last = np.array([ord((text.rstrip(CLOSERS) or text)[-1]) for text in texts.texts])
    return [
        np.log1p(words),
        np.log1p(texts.characters),
        texts.linked_words / np.maximum(words, 1),
        texts.linked,
        texts.characters / np.maximum(words, 1),
        stats.sentences,
        np.isin(last, _SENTENCE_ENDS).astype(np.float32),
        np.isin(last, _COLONS).astype(np.float32),
        stats.commas / stats.shown * 100,
        stats.quotes,
        stats.capitals / stats.pieces,
        stats.digits / stats.shown,
        _where(stats.digits > 2, lambda place: _CLOCK.search(stats.lowered[place]) is not None),
        stats.symbols,
        texts.stopwords,
        np.minimum(texts.characters / 80, 12.0),
        np.minimum([copies[text] for text in texts.texts], 5).astype(np.float32),
        (stats.blankless > 0).astype(np.float32),
    ]


def _where(possible: NDArray[np.bool_], holds: Callable[[int], bool]) -> Column:
    """Returns 1 for each possible place where this holds, else 0."""
    column = np.zeros(len(possible), dtype=np.float32)
    column[[place for place in np.flatnonzero(possible).tolist() if holds(place)]] = 1
    return column


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
    """Returns, for each text (in lower case), the share of its words that are in each of `known` (one to eight), and of
    its pairs of neighbouring words that are neighbours in `body`: a row a share, a column a text."""
    words, counts = _words_by_text(texts)
    text_of = np.repeat(np.arange(len(texts)), counts)
    groups = dict.fromkeys(known[0], 1)
    for place, group in enumerate(known[1:], 1):
        groups |= {word: groups.get(word, 0) | 1 << place for word in group}
    found = np.fromiter(map(groups.get, words, repeat(0)), np.int64, len(words))
    sets = np.arange(1 << len(known))
    by_sets = np.bincount(text_of * len(sets) + found, minlength=len(texts) * len(sets)).reshape(len(texts), -1)
    hits = [by_sets @ (sets >> place & 1) for place in range(len(known))]
    pairs = frozenset(pairwise(_words_in(body)))
    paired = list(map(pairs.__contains__, pairwise(words))) if pairs else []
    seconds = np.flatnonzero(paired) + 1
    hits.append(np.bincount(text_of[seconds[text_of[seconds] == text_of[seconds - 1]]], minlength=len(texts)))
    sizes = np.array([*[counts] * len(known), counts - 1])
    shares: NDArray[np.float64] = np.array(hits) / np.maximum(sizes, 1)
    return shares


def _words_by_text(texts: list[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Returns the words of all texts (in lower case), one text after the other, and the number of words of each.

    If no text is in a script without blanks, all that is between words is made blank, and one split finds the words.
    """
    joined = "\n".join(["", *texts, ""])
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    spaced = _spaced().take(codes, mode="clip")
    if not spaced.all():
        rows = [_words_in(text) for text in texts]
        return list(chain.from_iterable(rows)), np.fromiter(map(len, rows), np.int64, len(rows))
    blank = spaced == ord(" ")
    begins = blank[:-1] > blank[1:]
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    counts: NDArray[np.int64] = np.add.reduceat(begins, np.cumsum(sizes) - sizes, dtype=np.int64)
    return spaced.tobytes().decode("utf-32-le").split(), counts


@cache
def _spaced() -> NDArray[np.uint32]:
    """Returns, for every character of the basic plane, the character if words have it, else a blank; 0 for those of
    scripts without blanks, and for all beyond."""
    signs = re.sub(r"\W", " ", "".join(map(chr, range(0x10000))))
    codes = BLANKLESS.sub("\0", signs).encode("utf-32-le") + bytes(4)
    return np.frombuffer(codes, dtype=np.uint32)


class StatedWords:
    """The words that a page states about itself: its titles, its description, the article's body in JSON-LD."""

    def __init__(self, page: Page) -> None:
        head = page.head
        titles = (head.title, head.first("og:title", "twitter:title"), page.hints.headline)
        self._titles = [tokens(title) for title in titles if title]
        self.title = {word for words in self._titles for word in words}
        self.description = set(tokens(head.first("description", "og:description", "twitter:description") or ""))
        self.body = " ".join(stated_bodies(page)).lower()

    def headlines(self, texts: Texts) -> Column:
        """Returns which texts are one of the titles, without regard to punctuation."""
        folded = {" ".join(words) for words in self._titles}
        lowered = texts.stats.lowered
        return _where(texts.in_title == 1.0, lambda place: _is_headline(_words_in(lowered[place]), folded))


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
