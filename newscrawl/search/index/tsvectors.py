"""Texts as tsvectors and queries as tsqueries of PostgreSQL.

Both are made of newscrawl's words (newscrawl.search.words) and passed as literals. The server's text search
configurations, which differ by installation and language, are not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from newscrawl.search.query import Clause, Query, Term
from newscrawl.search.stems import text_stems
from newscrawl.search.words import words

MAX_BYTES: Final = 900_000
"""Bytes of the words of one text. PostgreSQL's limit is a megabyte with the positions. The rest of a longer text cannot
be found; such a text is a list, not a story."""
LAST_POSITION: Final = 16_383
"""The greatest position in a tsvector. All later words get it."""
_MAX_POSITIONS: Final = 255
"""The most positions of one word in a tsvector."""
TITLE_MARK: Final = "\u2402"
"""Before each word and stem of a title, as a lexeme of its own. The GIN index knows no weights, so that without it the
server would read the vector of every article that has a word anywhere. No word of a text contains it."""


def expression(query: Query, filters: Iterable[Iterable[str]] = ()) -> str:
    """Returns the query as a tsquery. `filters`: lists of which a vector must have a word each. Words contain neither
    quotes nor backslashes, so nothing has to be escaped."""
    return _all_of(map(_alternatives, query.wanted), map(_alternatives, query.unwanted), filters)


def index_expression(query: Query, filters: Iterable[Iterable[str]] = ()) -> str:
    """Returns a tsquery that matches what `expression` matches and more, and that the index answers without reading a
    vector: the words of a phrase may be anywhere."""
    unwanted = (clause for clause in query.unwanted if not _has_phrase(clause))
    return _all_of(map(_words_anywhere, query.wanted), map(_alternatives, unwanted), filters)


def has_phrases(query: Query) -> bool:
    """Returns whether a term of the query has several words."""
    return any(map(_has_phrase, query.clauses))


def _has_phrase(clause: Clause) -> bool:
    return any(len(term.words) > 1 for term in clause.terms)


def _all_of(wanted: Iterable[str], unwanted: Iterable[str], filters: Iterable[Iterable[str]]) -> str:
    one_of = (f"({' | '.join(map(_lexeme, listed))})" for listed in filters)
    return " & ".join([*(f"({one})" for one in wanted), *(f"!({one})" for one in unwanted), *one_of])


def vector(titles: Sequence[str], body: str, language: str | None = None, marks: Iterable[str] = ()) -> str:
    """Returns a text as a tsvector: every word with its positions, those in titles with weight A, every stem with the
    position of its first word, and `marks`, further words, with none."""
    positions: dict[str, list[str]] = {}
    left, position = MAX_BYTES, 0
    for weight, part in (*(("A", title) for title in titles), ("", body)):
        for stem, place in text_stems(part, language).items():
            left -= len(stem.encode()) + 8
            if left < 0:
                break
            positions.setdefault(stem, []).append(f"{min(position + 1 + place, LAST_POSITION)}{weight}")
            if weight:
                positions.setdefault(f"{TITLE_MARK}{stem}", [f"1{weight}"])
        for word in words(part):
            position = min(position + 1, LAST_POSITION)
            if weight:
                positions.setdefault(f"{TITLE_MARK}{word}", [f"1{weight}"])
            known = positions.get(word)
            left -= 4 if known else len(word.encode()) + 8
            if left < 0:
                break
            if known is None:
                positions[word] = [f"{position}{weight}"]
            elif len(known) < _MAX_POSITIONS:
                known.append(f"{position}{weight}")
        position += 1  # no phrase spans two titles, or a title and the text
    found = (f"'{word}':{','.join(known)}" for word, known in positions.items())
    return " ".join((*found, *map(_lexeme, marks)))


def _alternatives(clause: Clause) -> str:
    return " | ".join(map(_phrase, clause.terms))


def _words_anywhere(clause: Clause) -> str:
    return " | ".join(_present(term) if len(term.words) > 1 else _phrase(term) for term in clause.terms)


def _phrase(term: Term) -> str:
    if term.in_title:
        return _phrase_of_title(term)
    phrase = " <-> ".join([*(_lexeme(word) for word in term.words[:-1]), _last(term, term.words[-1], "")])
    return f"({' | '.join((f'({phrase})', *map(_lexeme, term.stems)))})"


def _phrase_of_title(term: Term) -> str:
    """Returns a term for titles. Only several words need the weights, which the index does not know."""
    present = _present(term)
    if len(term.words) > 1:
        words = [*(_lexeme(word, "A") for word in term.words[:-1]), _last(term, term.words[-1], "A")]
        return f"({present} & ({' <-> '.join(words)}))"
    return f"({' | '.join((present, *(_lexeme(f'{TITLE_MARK}{stem}') for stem in term.stems)))})"


def _present(term: Term) -> str:
    """Returns that all words of a term are there, in titles for a term of titles, in any order."""
    mark = TITLE_MARK if term.in_title else ""
    *first, last = (f"{mark}{word}" for word in term.words)
    return f"({' & '.join([*map(_lexeme, first), _last(term, last, '')])})"


def _last(term: Term, word: str, weight: str) -> str:
    return _lexeme(word, f"{'*' if term.prefix else ''}{weight}")


def _lexeme(word: str, flags: str = "") -> str:
    return f"'{word}'{f':{flags}' if flags else ''}"
