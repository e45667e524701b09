"""Answers a query for one text without an index: whether the text contains what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from newscrawl.search.query import Clause, Query
from newscrawl.search.words import BETWEEN, words


def matches(query: Query, texts: Iterable[str | None]) -> bool:
    """Returns whether the texts together contain all wanted clauses of the query and none that is excluded; False for a
    query without a wanted clause. The words of one clause must be in one text. Never raises."""
    every: list[str] = []
    for text in texts:
        every += [*words(text or ""), BETWEEN]
    return bool(query.wanted) and all(_contains(every, clause) != clause.excluded for clause in query.clauses)


def _contains(every: Sequence[str], clause: Clause) -> bool:
    first, *_ = clause.words
    if len(clause.words) == 1:
        return any(map(first.__eq__, every)) if not clause.prefix else any(word.startswith(first) for word in every)
    size = len(clause.words)
    starts = (place for place, word in enumerate(every) if word == first)
    return any(_is_at(every[place : place + size], clause) for place in starts)


def _is_at(found: Sequence[str], clause: Clause) -> bool:
    if len(found) < len(clause.words) or tuple(found[:-1]) != clause.words[:-1]:
        return False
    return found[-1].startswith(clause.words[-1]) if clause.prefix else found[-1] == clause.words[-1]
