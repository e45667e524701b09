"""What a person typed, as clauses that both databases understand. Whatever is typed can be asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from newscrawl.search.words import asked

MAX_WORDS: Final = 32
"""Words of a question that count. Nobody asks for more; a page pasted in by mistake would cost a look-up each."""
_MAX_CHARACTERS: Final = 10_000
_SHORTEST_BEGINNING: Final = 2
"""Letters before a `*`: a single one would fetch a good part of the index."""

_PARTS: Final = re.compile(r'(?P<minus>(?<!\S)-)?(?:["“”„](?P<phrase>[^"“”„]*)["“”]|(?P<word>[^\s"“”„]+))')


@dataclass(frozen=True, slots=True)
class Clause:
    """Words that stand in a row; `prefix`: the last of them may go on; `excluded`: a text must not have them."""

    words: tuple[str, ...]
    prefix: bool = False
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Clauses that must all hold. `cut`: there were more words than MAX_WORDS, and the rest is not asked for."""

    clauses: tuple[Clause, ...]
    cut: bool = False

    @property
    def wanted(self) -> tuple[Clause, ...]:
        """What a text must have; without any there is nothing to look for."""
        return tuple(clause for clause in self.clauses if not clause.excluded)

    @property
    def unwanted(self) -> tuple[Clause, ...]:
        """What a text must not have."""
        return tuple(clause for clause in self.clauses if clause.excluded)


def parse_query(typed: str) -> Query:
    """All words must be in a text; "words in quotes" in a row; -word must not be; begin* stands for what begins so.

    Everything else is blank space. Never raises.
    """
    clauses: list[Clause] = []
    left, cut = MAX_WORDS, len(typed) > _MAX_CHARACTERS
    for part in _PARTS.finditer(typed[:_MAX_CHARACTERS]):
        words, prefix = asked(part["phrase"] if part["word"] is None else part["word"])
        if not words:
            continue
        if len(words) > left:
            words, prefix, cut = words[:left], False, True
        if not words:
            break
        left -= len(words)
        asks_for_more = part["word"] is not None and part["word"].endswith("*")
        prefix = prefix or (asks_for_more and len(words[-1]) >= _SHORTEST_BEGINNING)
        clauses.append(Clause(words, prefix, part["minus"] is not None))
    return Query(tuple(dict.fromkeys(clauses)), cut)
