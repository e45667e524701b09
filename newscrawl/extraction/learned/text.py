"""Shallow features of each run's text, counted so that every script weighs what it writes."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.page import Page, Run
from newscrawl.page.words import BLANKLESS

Column = NDArray[np.floating[Any]]
"""One feature of every run of a page."""

SENTENCE_ENDS: Final = ".!?…。！？｡।۔؟።։"
"""Signs that end a sentence, in the scripts that news is written in."""
CLOSERS: Final = "\"'”’»)]」』）】›"
"""Signs that may follow the end of a sentence."""
LONG_CHARACTERS: Final = 400
"""Text of a run that is looked at sign by sign: more says nothing new."""

_SENTENCE: Final = re.compile(f"[{SENTENCE_ENDS}](?=[\\s{CLOSERS}]|$)|[。！？｡]")
_COMMA: Final = re.compile("[,،、，;；]")
_QUOTE: Final = re.compile('["“”„«»「」『』]')
_CLOCK: Final = re.compile(r"\d{1,2}[:.]\d\d|(?:19|20)\d\d")
_SIGNS: Final = re.compile(r"[|©@#→›»·•/]|https?:|www\.")
_WORD: Final = re.compile(r"\w+")
_DIGIT: Final = re.compile(r"\d")

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
    "starts_lower",
    "clock",
    "signs",
    "copyright",
    "stopwords",
    "lines",
    "repeated",
    "blankless",
)


def text_features(page: Page, stopwords: frozenset[str]) -> list[Column]:
    """The columns of `TEXT_FEATURES`; time linear in the page's text."""
    copies = Counter(run.text for run in page.runs)
    rows = [_row(run, stopwords, copies[run.text]) for run in page.runs]
    return list(np.array(rows, dtype=np.float32).reshape(len(rows), len(TEXT_FEATURES)).T)


def _row(run: Run, stopwords: frozenset[str], copies: int) -> tuple[float, ...]:
    text = run.text[:LONG_CHARACTERS]
    length, words = len(run.text), run.words
    blankless = not text.isascii() and BLANKLESS.search(text) is not None
    pieces = text.lower().split()
    last = text.rstrip(CLOSERS)[-1:] or text[-1]
    shown = len(text)
    return (
        float(np.log1p(words)) if words > _LOGS_KNOWN else _LOGS[words],
        float(np.log1p(length)) if length > _LOGS_KNOWN else _LOGS[length],
        run.linked_words / words if words else 0.0,
        min(1.0, run.link_characters / length),
        length / words if words else 0.0,
        len(_SENTENCE.findall(text)),
        last in SENTENCE_ENDS,
        last in ":：",
        len(_COMMA.findall(text)) / shown * 100,
        len(_QUOTE.findall(text)),
        sum(map(str.isupper, pieces_capitals(text))) / (len(pieces) or 1),
        len(_DIGIT.findall(text)) / shown,
        text[0].islower(),
        _CLOCK.search(text) is not None,
        len(_SIGNS.findall(text)),
        "©" in text,
        sum(map(stopwords.__contains__, pieces)) / (len(pieces) or 1),
        min(length / 80, 12.0),
        min(copies, 5),
        blankless,
    )


_LOGS_KNOWN: Final = 4000
_LOGS: Final[Sequence[float]] = np.log1p(np.arange(_LOGS_KNOWN + 1)).tolist()


def pieces_capitals(text: str) -> list[str]:
    """First letters of the pieces between blanks."""
    return [piece[0] for piece in text.split()]


def tokens(text: str) -> list[str]:
    """Words in small letters, every character of a script without blanks for itself."""
    if text.isascii() or BLANKLESS.search(text) is None:
        return _WORD.findall(text.lower())
    return _TOKEN.findall(text.lower())


_TOKEN: Final = re.compile(f"{BLANKLESS.pattern}|(?:(?!{BLANKLESS.pattern})\\w)+")

OVERLAP_FEATURES: Final = ("in_title", "in_description", "in_body", "is_headline")


def overlap_features(page: Page) -> list[Column]:
    """How much of each run stands in what the page says of itself: titles, description, JSON-LD articleBody."""
    titles = [page.head.title, page.head.first("og:title", "twitter:title"), page.hints.headline]
    title = _known(filter(None, titles))
    description = _known(filter(None, [page.head.first("description", "og:description", "twitter:description")]))
    body = _pairs(tokens(" ".join(_bodies(page))))
    folded = {" ".join(tokens(t)) for t in titles if t}
    columns = np.zeros((len(OVERLAP_FEATURES), len(page.runs)), dtype=np.float32)
    for i, run in enumerate(page.runs):
        if not (title or description or body):
            break
        words = tokens(run.text[:LONG_CHARACTERS])
        if not words:
            continue
        columns[0, i] = _share(words, title)
        columns[1, i] = _share(words, description)
        if body:
            columns[2, i] = _share(_pairs(words), body) if len(words) > 1 else 0.0
        columns[3, i] = len(words) < 40 and " ".join(words) in folded
    return list(columns)


def _known(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in tokens(text)}


def _pairs(words: Sequence[str]) -> set[tuple[str, str]]:
    return set(itertools.pairwise(words))


def _share(parts: Any, known: set[Any]) -> float:
    return sum(map(known.__contains__, parts)) / len(parts) if known else 0.0


def _bodies(page: Page) -> Iterable[str]:
    for item in page.hints.json_ld:
        body = item.get("articleBody")
        if isinstance(body, str):
            yield body
