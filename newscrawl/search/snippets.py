"""Finds the part of a text that matches a query best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from newscrawl.search.query import Query, terms_of
from newscrawl.search.stems import stem_language, stems_of
from newscrawl.search.words import WORD, fold_case, fold_for_search, is_paired

LENGTH: Final = 240
"""Characters of a snippet: two or three lines of a terminal."""
_BEFORE: Final = 60
"""Characters before the first matching word."""
_LOOKED_AT: Final = 100_000
"""Characters of a text that are searched for the snippet."""
_MAX_MARKS: Final = 1_000

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """Part of a text on one line. `marks` are the (start, end) of the matching words in `text`."""

    text: str
    marks: tuple[Span, ...]


def snippet(text: str, query: Query, language: str | None = None) -> Snippet:
    """Returns the part of `text` with most different words of the query; its beginning if it has none. Other forms of a
    word are found by the language of the text."""
    matches = _places(text[:_LOOKED_AT], query, language)
    start = most = 0
    for index, (first, _, _) in enumerate(matches):
        inside = [match for match in matches[index : index + 50] if match[1] <= first + LENGTH - _BEFORE]
        if (different := len({word for _, _, word in inside})) > most:
            most, start = different, first
    start = text.find(" ", start - _BEFORE, start) + 1 or start - _BEFORE if start > _BEFORE else 0
    ends = min(start + LENGTH, len(text))
    if ends < len(text):
        ends = max(text.rfind(" ", start + LENGTH // 2, ends), 0) or ends
    shown = "".join(" " if letter.isspace() else letter for letter in text[start:ends])
    marks = tuple((first - start, last - start) for first, last, _ in matches if start <= first and last <= ends)
    return Snippet(shown, marks)


def _places(text: str, query: Query, language: str | None) -> list[tuple[int, int, str]]:
    """Returns where words of the query are: (start, end, the word)."""
    exact, beginnings, inner = _needles(query)
    of_stem = {stem: term.words[0] for term in terms_of(query.wanted) for stem in term.stems}
    code = stem_language(language) if of_stem else None
    matches: list[tuple[int, int, str]] = []
    for match in WORD.finditer(text):
        run = fold_for_search(match.group())
        if run in exact:
            matches.append((*match.span(), run))
        elif code and (stems := [stem for stem in stems_of(fold_case(match.group()), code) if stem in of_stem]):
            matches.append((*match.span(), of_stem[stems[0]]))
        else:
            matches.extend(_inside(run, match.start(), match.end(), beginnings, inner))
        if len(matches) >= _MAX_MARKS:
            break
    return matches


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
    """Returns whole words, beginnings of words, and parts of words in scripts without blanks."""
    exact: set[str] = set()
    beginnings: list[str] = []
    inner: list[str] = []
    for term in terms_of(query.wanted):
        before = ""
        for word in term.words:
            if not is_paired(word):
                exact.add(word)
            elif before and before[-1] == word[0]:
                inner[-1] += word[1:]
            else:
                inner.append(word)
            before = word if is_paired(word) else ""
        if term.prefix and not before:
            beginnings.append(term.words[-1])
    return exact, beginnings, inner
