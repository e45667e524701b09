"""Parses what a person typed into clauses that both databases understand. Any text is a valid query."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from newscrawl.search.words import query_words

MAX_WORDS: Final = 32
"""The most words of a query. Each costs a look-up, and only a page pasted by mistake has more."""
_MAX_CHARACTERS: Final = 10_000
_MIN_PREFIX: Final = 2
"""The fewest letters before a `*`. A single one would match a large part of the index."""

_PARTS: Final = re.compile(r'(?P<minus>(?<!\S)-)?(?:["“”„](?P<phrase>[^"“”„]*)["“”]|(?P<word>[^\s"“”„]+))')


@dataclass(frozen=True, slots=True)
class Clause:
    """Consecutive words. `prefix`: the last word may continue. `excluded`: a text must not contain the clause."""

    words: tuple[str, ...]
    prefix: bool = False
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Clauses that must all be true. `cut`: the query had more than MAX_WORDS words, and the rest is ignored."""

    clauses: tuple[Clause, ...]
    cut: bool = False

    @property
    def wanted(self) -> tuple[Clause, ...]:
        """The clauses that a text must contain. Without any, nothing matches."""
        return tuple(clause for clause in self.clauses if not clause.excluded)

    @property
    def unwanted(self) -> tuple[Clause, ...]:
        """The clauses that a text must not contain."""
        return tuple(clause for clause in self.clauses if clause.excluded)


def parse_query(typed: str) -> Query:
    """Parses a query: a text must contain all words; "quoted words" must be consecutive; -word must not occur; begin*
    matches all words that begin so.

    All other characters separate words. Never raises.
    """
    clauses: list[Clause] = []
    left, cut = MAX_WORDS, len(typed) > _MAX_CHARACTERS
    for part in _PARTS.finditer(typed[:_MAX_CHARACTERS]):
        words, prefix = query_words(part["phrase"] if part["word"] is None else part["word"])
        if not words:
            continue
        if len(words) > left:
            words, prefix, cut = words[:left], False, True
        if not words:
            break
        left -= len(words)
        has_star = part["word"] is not None and part["word"].endswith("*")
        prefix = prefix or (has_star and len(words[-1]) >= _MIN_PREFIX)
        clauses.append(Clause(words, prefix, part["minus"] is not None))
    return Query(tuple(dict.fromkeys(clauses)), cut)
