"""ROUGE-LSum: how much of each line of the gold text occurs in order in the output, and the reverse.

Lin 2004, "ROUGE: a package for automatic evaluation of summaries", section 3.2: for every line of the gold text the
union of its longest common subsequences with every line of the output; a token counts as often as both texts have it.
Tokens are `\\w+` in lower case, without a stemmer, so that all languages are counted in the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from newscrawl.bench.scoring.scores import EMPTY_OUTPUT, Score, common_subsequence, harmonic, tokens

MAX_LINES: Final = 64
"""Largest number of lines of the output that a line of the gold text is compared with: those that share most tokens
with it. This limits the work on pages with thousands of lines; a line's tokens are rarely in more than two lines."""
MAX_LINE_TOKENS: Final = 2_000
"""A longer line is cut into lines of this length, to limit the size of the table of two lines."""

Line = tuple[str, ...]


def rouge_lsum(gold: str, output: str) -> Score:
    """Returns precision, recall and F1 of one page. An output without tokens has recall 0 and no precision."""
    wanted, given = _lines(gold), _lines(output)
    if not given:
        return EMPTY_OUTPUT
    if not wanted:
        return Score(0.0, 0.0, 0.0)
    left_wanted, left_given = _count(wanted), _count(given)
    total_wanted, total_given = left_wanted.total(), left_given.total()
    hits = 0
    for token in _matches(wanted, given):
        if left_wanted[token] > 0 and left_given[token] > 0:
            left_wanted[token] -= 1
            left_given[token] -= 1
            hits += 1
    precision, recall = hits / total_given, hits / total_wanted
    return Score(precision, recall, harmonic(precision, recall))


def _matches(wanted: Sequence[Line], given: Sequence[Line]) -> Iterable[str]:
    """Yields the tokens of each line's union of common subsequences, line by line."""
    same = set(given)
    distinct = list(dict.fromkeys(given))
    places: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(distinct):
        for token in set(line):
            places[token].append(index)
    for line in wanted:
        if line in same:  # the complete line matches
            yield from line
        else:
            yield from (line[i] for i in sorted(_union(line, distinct, places)))


def _union(line: Line, given: Sequence[Line], places: dict[str, list[int]]) -> set[int]:
    own = set(line)
    shared: Counter[int] = Counter()
    # Rare tokens first: a token that is in many lines does not show which of them to compare.
    for token in sorted(own, key=lambda t: len(places.get(t, ()))):
        shared.update(places.get(token, ())[:MAX_LINES])
    found: set[int] = set()
    for index, _ in shared.most_common(MAX_LINES):
        if len(found) == len(line):
            break
        found.update(common_subsequence(line, [t for t in given[index] if t in own]))
    return found


def _lines(text: str) -> list[Line]:
    lines = []
    for line in text.splitlines():
        found = tokens(line.lower())
        lines += [tuple(found[i : i + MAX_LINE_TOKENS]) for i in range(0, len(found), MAX_LINE_TOKENS)]
    return lines


def _count(lines: Iterable[Line]) -> Counter[str]:
    return Counter(token for line in lines for token in line)
