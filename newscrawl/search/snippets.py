"""The place in a text that answers a question best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from newscrawl.search.query import Query
from newscrawl.search.words import WORD, fold_for_search, is_paired

LENGTH: Final = 240
"""Characters shown: two or three lines of a terminal."""
_BEFORE: Final = 60
"""Characters shown before the first word that answers."""
_LOOKED_AT: Final = 100_000
"""Characters looked through; nothing further down is worth the time."""
_MOST_MARKS: Final = 1_000

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """Part of a text on one line. `marks` are the places (start, end) of the words asked for in `text`."""

    text: str
    marks: tuple[Span, ...]


def snippet(text: str, query: Query) -> Snippet:
    """The part of `text` with most different words of the question; its beginning when it has none of them."""
    found = _places(text[:_LOOKED_AT], query)
    start = most = 0
    for place, (first, _, _) in enumerate(found):
        inside = [one for one in found[place : place + 50] if one[1] <= first + LENGTH - _BEFORE]
        if (different := len({word for _, _, word in inside})) > most:
            most, start = different, first
    start = text.find(" ", start - _BEFORE, start) + 1 or start - _BEFORE if start > _BEFORE else 0
    ends = min(start + LENGTH, len(text))
    if ends < len(text):
        ends = max(text.rfind(" ", start + LENGTH // 2, ends), 0) or ends
    shown = "".join(" " if letter.isspace() else letter for letter in text[start:ends])
    marks = tuple((first - start, last - start) for first, last, _ in found if start <= first and last <= ends)
    return Snippet(shown, marks)


def _places(text: str, query: Query) -> list[tuple[int, int, str]]:
    """Where words of the question stand (start, end, the word)."""
    exact, beginnings, inner = _needles(query)
    found: list[tuple[int, int, str]] = []
    for match in WORD.finditer(text):
        run = fold_for_search(match.group())
        if run in exact:
            found.append((*match.span(), run))
        else:
            found.extend(_inside(run, match.start(), match.end(), beginnings, inner))
        if len(found) >= _MOST_MARKS:
            break
    return found


def _inside(run: str, start: int, end: int, beginnings: list[str], inner: list[str]) -> list[tuple[int, int, str]]:
    for word in beginnings:
        if run.startswith(word):
            return [(start, end, word)]
    for word in inner:
        place = run.find(word)
        if place >= 0:
            same_length = len(run) == end - start
            return [(start + place, start + place + len(word), word) if same_length else (start, end, word)]
    return []


def _needles(query: Query) -> tuple[set[str], list[str], list[str]]:
    """Whole words, beginnings of words, and what stands within a row of letters without blanks."""
    exact: set[str] = set()
    beginnings: list[str] = []
    inner: list[str] = []
    for clause in query.wanted:
        before = ""
        for word in clause.words:
            if not is_paired(word):
                exact.add(word)
            elif before and before[-1] == word[0]:
                inner[-1] += word[1:]
            else:
                inner.append(word)
            before = word if is_paired(word) else ""
        if clause.prefix and not before:
            beginnings.append(clause.words[-1])
    return exact, beginnings, inner
