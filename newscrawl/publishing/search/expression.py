"""A query as one tree, and the tree in the languages of both databases.

A tree says which words an entry of an index must have, and knows nothing of a database: `fts5` and `tsquery` write it
down for SQLite and for PostgreSQL. Words, stems and the words of filters (newscrawl.publishing.search.filters) contain
neither quotation marks nor backslashes nor blanks, so nothing has to be escaped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from newscrawl.publishing.search.filters import Filters, wanted_words
from newscrawl.publishing.search.query import Clause, Query
from newscrawl.publishing.search.words import language_of_stem

TITLE_MARK: Final = "\u2402"
"""Before each word and stem of a title in PostgreSQL, as a lexeme of its own. The GIN index knows no weights, so that
without it the server would read the vector of every article that has a word anywhere. No word of a text contains
it."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Consecutive words, or one word or stem. `prefix`: the last word may continue. `in_title`: in a title."""

    words: tuple[str, ...]
    prefix: bool = False
    in_title: bool = False


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the parts must be there."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All parts must be there, and none of `without`."""

    parts: tuple[Tree, ...]
    without: tuple[Tree, ...] = ()


Tree = Phrase | AnyOf | AllOf


def tree_of(query: Query, filters: Filters, codes: Collection[str | None] | None = None) -> AllOf:
    """Returns what an entry must have to match the query and the filters. `codes`: the languages of which stems are
    asked for, None for all."""
    wanted = (tree_of_clause(clause, codes) for clause in query.wanted)
    allowed = map(one_of, wanted_words(filters))
    return AllOf((*wanted, *allowed), tuple(tree_of_clause(clause, codes) for clause in query.unwanted))


def tree_of_clause(clause: Clause, codes: Collection[str | None] | None = None) -> AnyOf:
    """Returns what an entry must have to contain one term of the clause: its words, or one of its stems."""
    forms: list[Tree] = []
    for term in clause.terms:
        forms.append(Phrase(term.words, term.prefix, term.in_title))
        stems = (stem for stem in term.stems if codes is None or language_of_stem(stem) in codes)
        forms += [Phrase((stem,), in_title=term.in_title) for stem in stems]
    return AnyOf(tuple(forms))


def one_of(words: Iterable[str]) -> AnyOf:
    """Returns that an entry must have one of the words."""
    return AnyOf(tuple(Phrase((word,)) for word in words))


def loosened(tree: Tree) -> Tree:
    """Returns a tree without phrases of several words that matches what the tree matches, and more: the words of a
    phrase may stand anywhere. An index that knows no places answers it. It equals a tree that has no such phrase."""
    match tree:
        case Phrase(words, prefix, in_title) if len(words) > 1:
            *first, last = words
            return AllOf((*(Phrase((word,), in_title=in_title) for word in first), Phrase((last,), prefix, in_title)))
        case AnyOf(parts):
            return AnyOf(tuple(map(loosened, parts)))
        case AllOf(parts, without):
            return AllOf(tuple(map(loosened, parts)), tuple(part for part in without if loosened(part) == part))
    return tree


def fts5(tree: Tree) -> str:
    """Returns the tree as a query of FTS5."""
    match tree:
        case Phrase(words, prefix, in_title):
            return f'{"title : " if in_title else ""}"{" ".join(words)}"{" *" if prefix else ""}'
        case AnyOf(parts):
            return f"({' OR '.join(map(fts5, parts))})"
        case AllOf(parts, without):
            return " NOT ".join((f"({' AND '.join(map(fts5, parts))})", *map(fts5, without)))


def tsquery(tree: Tree) -> str:
    """Returns the tree as a tsquery. Words of a title are asked for by their marks (`TITLE_MARK`); a phrase of a title
    also by their weights."""
    match tree:
        case Phrase(words, prefix, in_title):
            *first, last = words
            if in_title and not first:
                return _lexeme(f"{TITLE_MARK}{last}", "*" if prefix else "")
            weight = "A" if in_title else ""
            lexemes = (*(_lexeme(word, weight) for word in first), _lexeme(last, f"{'*' if prefix else ''}{weight}"))
            phrase = f"({' <-> '.join(lexemes)})"
            return f"({tsquery(loosened(tree))} & {phrase})" if in_title else phrase
        case AnyOf(parts):
            return f"({' | '.join(map(tsquery, parts))})"
        case AllOf(parts, without):
            return f"({' & '.join((*map(tsquery, parts), *(f'!{tsquery(part)}' for part in without)))})"


def _lexeme(word: str, flags: str) -> str:
    return f"'{word}'{f':{flags}' if flags else ''}"
