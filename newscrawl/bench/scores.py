"""Compares a text with the gold text: by shingles of four tokens, by single characters, by the characters of the seed
paper, by ROUGE-LSum, and by snippets.

A shingle is four consecutive tokens. So order counts and chance matches are rare, but a moved paragraph loses only
the shingles at its edges. Tokens are `\\w+`, case kept. Shingles form a multiset; a text of fewer than four tokens is
one shingle.

ROUGE-LSum is how much of each line of the gold text occurs in order in the output, and the reverse (Lin 2004, "ROUGE: a
package for automatic evaluation of summaries", section 3.2): for every line of the gold text the union of its longest
common subsequences with every line of the output; a token counts as often as both texts have it. Its tokens are in
lower case, without a stemmer, so that all languages are counted in the same way.

Snippets are of corpora without full texts: pieces that an article must have, and pieces that it must not have. As in
the evaluation of trafilatura, a required snippet in the output is a true positive, a missing one a false negative, and
a forbidden snippet in the output a false positive. Figures are over all snippets of a corpus, not means of pages. White
space is ignored, since texts are rendered with different line breaks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

SHINGLE: Final = 4
"""Tokens in a shingle."""

HALF: Final = 0.5
"""A page with a lower F1 counts as lost."""
MAX_TABLE_BITS: Final = 1 << 30
"""Bits (128 MiB) that one comparison of two texts may take; see `matched_characters`."""

Bag = Counter[Hashable]

_TOKEN: Final = re.compile(r"\w+")
_CHARACTER: Final = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Score:
    """One page's result. An empty output has recall 0 and no precision; its F1 is 0."""

    precision: float | None
    recall: float
    f1: float

    @property
    def empty(self) -> bool:
        """Whether the output has no token."""
        return self.precision is None


@dataclass(frozen=True, slots=True)
class Summary:
    """The result for a corpus: means over pages, and figures that means hide."""

    pages: int
    empty: int
    """Outputs without a token. They lower recall and `mean_f1`, but not precision."""
    precision: float
    """Mean over the pages with an output; 0 if there is none."""
    recall: float
    f1: float
    """Harmonic mean of the two means."""
    mean_f1: float
    """Mean of the F1 of the pages; an empty output counts as 0."""
    exact: float = 0.0
    """Share of pages whose output has exactly the shingles of the gold text."""
    below_half: int = 0
    """Pages with an F1 under .5."""


EMPTY_OUTPUT: Final = Score(None, 0.0, 0.0)


def shingles(text: str, size: int = SHINGLE) -> Bag:
    """Returns the multiset of all sequences of `size` consecutive tokens of `text`."""
    return _windows(_TOKEN.findall(text), size)


def character_shingles(text: str, size: int = SHINGLE) -> Bag:
    """Returns the same with every word character as a token, for scripts without blanks (there `\\w+` is a whole
    clause)."""
    return _windows(_CHARACTER.findall(text), size)


def score(gold: Bag, output: Bag) -> Score:
    """Returns precision and recall of one page from the intersection of the multisets; `gold` must not be empty."""
    if not output:
        return EMPTY_OUTPUT
    common = (gold & output).total()
    return _score(common, gold.total(), output.total())


def character_score(gold: str, output: str) -> Score:
    """Returns precision and recall over characters, as in Viveros-Jiménez et al. 2018, section 5.

    The paper counts the characters that belong to the gold text and does not say how they are matched: here a
    character counts if its token is in the longest common subsequence of the two texts' tokens.
    """
    wanted, given = tokens(gold), tokens(output)
    if not given:
        return EMPTY_OUTPUT
    return _score(matched_characters(wanted, given), sum(map(len, wanted)), sum(map(len, given)))


def tokens(text: str) -> list[str]:
    """Returns the tokens of `text`, case kept."""
    return _TOKEN.findall(text)


def matched_characters(one: Sequence[str], other: Sequence[str]) -> int:
    """Characters of the tokens in a longest common subsequence.

    The common beginning and end are counted first, and tokens that only one text has are dropped; neither changes the
    result. Texts that are still too large for the table are matched as multisets, which gives an upper bound.
    """
    start, end = _same_ends(one, other)
    matched = sum(map(len, one[:start])) + sum(map(len, one[len(one) - end :]))
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    shared = set(one) & set(other)
    one, other = [t for t in one if t in shared], [t for t in other if t in shared]
    if len(one) * len(other) > MAX_TABLE_BITS:
        return matched + sum(len(t) * n for t, n in (Counter(one) & Counter(other)).items())
    return matched + sum(len(one[i]) for i in common_subsequence(one, other))


def _same_ends(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """Number of equal tokens at the start, and at the end of the rest."""
    shorter = min(len(one), len(other))
    start = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if one[-1 - i] != other[-1 - i]), rest)
    return start, end


def summarise(scores: Iterable[Score]) -> Summary:
    """Means over pages, F1 of the two means, mean page F1, number of empty outputs."""
    pages = list(scores)
    if not pages:
        return Summary(0, 0, 0.0, 0.0, 0.0, 0.0)
    precisions = [page.precision for page in pages if page.precision is not None]
    precision = fmean(precisions) if precisions else 0.0
    recall = fmean(page.recall for page in pages)
    return Summary(
        pages=len(pages),
        empty=len(pages) - len(precisions),
        precision=precision,
        recall=recall,
        f1=harmonic(precision, recall),
        mean_f1=fmean(page.f1 for page in pages),
        exact=sum(page.f1 == 1 for page in pages) / len(pages),
        below_half=sum(page.f1 < HALF for page in pages),
    )


def harmonic(precision: float, recall: float) -> float:
    """Returns F1 of a precision and a recall; 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """Indices into `one` of a longest common subsequence, ascending.

    Bit-parallel dynamic programming (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"): a row of the table
    is one integer, so time is len(one) * len(other) / 64 machine steps.
    """
    places: dict[str, int] = {}
    for index, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << index
    mask = (1 << len(one)) - 1
    row, rows = mask, [mask]
    for token in other:
        matches = row & places.get(token, 0)
        row = ((row + matches) | (row - matches)) & mask
        rows.append(row)
    return _trace(one, other, rows)


def _trace(one: Sequence[str], other: Sequence[str], rows: list[int]) -> list[int]:
    """Follows the table back from its last corner. A zero bit means that the length grows at that token of `one`."""
    found: list[int] = []
    left, below = len(one), len(other)
    while left and below:
        if rows[below] >> (left - 1) & 1:
            left -= 1
        elif not rows[below - 1] >> (left - 1) & 1:
            below -= 1
        else:
            left, below = left - 1, below - 1
            found.append(left)
    found.reverse()
    return found


def _score(common: int, wanted: int, given: int) -> Score:
    precision, recall = common / given, common / wanted
    return Score(precision, recall, harmonic(precision, recall))


def _windows(tokens: list[str], size: int) -> Bag:
    if not tokens:
        return Counter()
    if len(tokens) < size:
        return Counter((tuple(tokens),))
    return Counter(zip(*(tokens[i:] for i in range(size)), strict=False))


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


_BLANK: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Snippets:
    """Counts of one page or of many."""

    found: int
    missing: int
    wrong: int
    """Forbidden snippets in the output."""
    kept_out: int
    pages: int = 1

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 0.0

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missing) if self.found + self.missing else 0.0

    @property
    def f1(self) -> float:
        return harmonic(self.precision, self.recall)


def count_snippets(required: Sequence[str], forbidden: Sequence[str], output: str) -> Snippets:
    """Counts the snippets in `output`."""
    text = _flat(output)
    found = sum(_flat(snippet) in text for snippet in required)
    wrong = sum(_flat(snippet) in text for snippet in forbidden)
    return Snippets(found, len(required) - found, wrong, len(forbidden) - wrong)


def total(pages: Iterable[Snippets]) -> Snippets:
    """Sums over pages."""
    rows = list(pages)
    return Snippets(
        sum(row.found for row in rows),
        sum(row.missing for row in rows),
        sum(row.wrong for row in rows),
        sum(row.kept_out for row in rows),
        sum(row.pages for row in rows),
    )


def _flat(text: str) -> str:
    return _BLANK.sub(" ", text).strip()
