"""Runs a query on one text without an index: whether the text contains what is asked, and which part of it to show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from newscrawl.publishing.search.query import Clause, Query, Term, terms_of
from newscrawl.publishing.search.words import (
    BETWEEN,
    WORD,
    fold_case,
    fold_for_search,
    is_paired,
    stem_language,
    stems_of,
    text_stems,
    words,
)

LENGTH: Final = 240
"""Characters of a snippet: two or three lines of a terminal."""
_BEFORE: Final = 60
"""Characters before the first matching word."""
_LOOKED_AT: Final = 100_000
"""Characters of a text that are searched for the snippet."""
_MAX_MARKS: Final = 1_000

Span = tuple[int, int]
_Place = tuple[int, int, str]
"""Start, end, and the word of the query."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words and stems of texts. `row` has the words in order, with a blank before and after each; no term spans two
    texts. `present` has each word and stem."""

    row: str
    present: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str | None], language: str | None) -> Words:
        """Returns the words of the texts, and their stems in the language."""
        row: list[str] = []
        stems: set[str] = set()
        for text in filter(None, texts):
            row += [*words(text), BETWEEN]
            stems.update(text_stems(text, language))
        return cls(f" {' '.join(row)} ", frozenset(stems.union(row)))

    def has(self, term: Term) -> bool:
        """Returns whether the term occurs."""
        if not self.present.isdisjoint(term.stems):
            return True
        if len(term.words) == 1 and not term.prefix:
            return term.words[0] in self.present
        return f" {' '.join(term.words)}{'' if term.prefix else ' '}" in self.row


@dataclass(frozen=True, slots=True)
class ArticleWords:
    """The words of an article: those of its titles, and those of its text."""

    titles: Words
    text: Words

    @classmethod
    def of(cls, titles: Iterable[str | None], text: str | None, language: str | None) -> ArticleWords:
        """Returns the words of an article in the language, a code such as "de" or None."""
        return cls(Words.of(titles, language), Words.of((text,), language))

    def has(self, clause: Clause) -> bool:
        """Returns whether one of the clause's terms occurs, whether or not the clause excludes it."""
        return any(self.titles.has(term) or (not term.in_title and self.text.has(term)) for term in clause.terms)

    def match(self, query: Query) -> bool:
        """Returns whether the article has all wanted clauses and none that is excluded; False without a wanted one."""
        is_wanted = False
        for clause in query.clauses:
            if self.has(clause) == clause.excluded:
                return False
            is_wanted = is_wanted or not clause.excluded
        return is_wanted


def matches(query: Query, titles: Iterable[str | None], text: str | None, language: str | None = None) -> bool:
    """Returns whether an article contains all wanted clauses of the query and none that is excluded; False for a query
    without a wanted clause. The words of one term must be in one title or in the text. The filters of the query are not
    looked at. Never raises."""
    return ArticleWords.of(titles, text, language).match(query)


@dataclass(frozen=True, slots=True)
class Snippet:
    """Part of a text on one line, with an ellipsis where the text goes on. `marks` are the (start, end) of the matching
    words in `text`."""

    text: str
    marks: tuple[Span, ...]


def snippet(text: str, query: Query, language: str | None = None) -> Snippet:
    """Returns the part of `text` with most different words of the query; its beginning if it has none. Other forms of a
    word are found by the language of the text."""
    return excerpt(text, query, language)[0]


def excerpt(text: str, query: Query, language: str | None = None) -> tuple[Snippet, Span]:
    """Returns the snippet, and where in `text` it begins and ends."""
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
    before, after = "…" if start else "", "…" if ends < len(text) else ""
    moved = len(before) - start
    marks = tuple((first + moved, last + moved) for first, last, _ in matches if start <= first and last <= ends)
    return Snippet(f"{before}{shown}{after}", marks), (start, ends)


@dataclass(frozen=True, slots=True)
class _Needles:
    """The words to find: whole words, beginnings of words, parts of words in scripts without blanks, and the words of
    the query by their stems in the language of the text."""

    exact: set[str]
    beginnings: list[str]
    inner: list[str]
    of_stem: dict[str, str]
    language: str | None


def _places(text: str, query: Query, language: str | None) -> list[_Place]:
    """Returns where words of the query are: (start, end, the word)."""
    needles = _needles(query, language)
    known: dict[str, _Place | None] = {}  # most words of a text occur several times
    matches: list[_Place] = []
    for match in WORD.finditer(text):
        written = match.group()
        if written not in known:
            known[written] = _place_in_word(written, needles)
        if place := known[written]:
            first, last, word = place
            matches.append((match.start() + first, match.start() + last, word))
            if len(matches) >= _MAX_MARKS:
                break
    return matches


def _place_in_word(written: str, needles: _Needles) -> _Place | None:
    """Returns what of a word of the text matches the query."""
    run = fold_for_search(written)
    if run in needles.exact:
        return 0, len(written), run
    if needles.language:
        for stem in stems_of(fold_case(written), needles.language):
            if stem in needles.of_stem:
                return 0, len(written), needles.of_stem[stem]
    for word in needles.beginnings:
        if run.startswith(word):
            return 0, len(written), word
    for word in needles.inner:
        if (at := run.find(word)) >= 0:
            return (at, at + len(word), word) if len(run) == len(written) else (0, len(written), word)
    return None


def _needles(query: Query, language: str | None) -> _Needles:
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
    of_stem = {stem: term.words[0] for term in terms_of(query.wanted) for stem in term.stems}
    return _Needles(exact, beginnings, inner, of_stem, stem_language(language) if of_stem else None)
