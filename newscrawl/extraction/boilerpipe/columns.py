"""The first steps of the article recipe over columns: a page's blocks as parallel lists instead of objects.

The wide and the article recipe begin with the same seven steps (`recipes.WIDE`). Up to the first fusion they only mark
blocks, and after it only content is left. So the marks are computed for all blocks at once, and objects are made of the
rest only, a tenth of the blocks. The result is that of `recipes`, step by step (tests/extraction/boilerpipe).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final, TypeAlias

from newscrawl.compiled import KERNELS, choose
from newscrawl.extraction.boilerpipe.blocks import (
    SPACER,
    TITLE,
    TextBlock,
    TextDocument,
    all_words,
    labels_of,
    text_density,
)
from newscrawl.extraction.boilerpipe.filters import (
    FULL_TEXT_DENSITY,
    LINK_DENSITY,
    MIN_WORDS_BEFORE_END,
    NEXT_WORDS,
    NEXT_WORDS_AFTER_LINKS,
    PREVIOUS_LINK_DENSITY,
    PREVIOUS_WORDS,
    WORDS,
    WORDS_AFTER_LINKS,
    find_ends,
    find_title,
)
from newscrawl.page import Page, TextRun
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING

_Row: TypeAlias = tuple[int, str, int, int, int, int]
"""A block: run, text, words, linked words, level, flags."""


@dataclass(slots=True)
class Columns:
    """The blocks of a page before any step: block `i` is `runs[i]`, `texts[i]` and so on."""

    runs: Sequence[int]
    texts: Sequence[str]
    words: Sequence[int]
    linked_words: Sequence[int]
    levels: Sequence[int]
    flags: Sequence[int]
    link_density: Sequence[float]


def content_of(page: Page) -> TextDocument:
    """Returns the blocks of a page that are left after the step RemoveBoilerplate of the two recipes."""
    columns = columns_of(page)
    title = find_title(page.head.title, columns.texts)
    content = classify(columns)
    ends = find_ends(columns.texts, columns.words, columns.link_density)
    if ends:
        _drop_after(ends, columns, content)
    _drop_trailing_headings(columns, content)
    return TextDocument(page.head.title, list(_fused(columns, content, title)))


def columns_of(page: Page) -> Columns:
    """Returns the columns of the runs that Boilerpipe does not ignore, and of the spacers between them."""
    if not page.runs:
        return Columns([], [], [], [], [], [], [])
    return Columns(*take_columns(page.runs, page.spacers, SPACER))


def _take_columns(
    runs: Sequence[TextRun], spacers: Sequence[tuple[int, int]], spacer: int
) -> tuple[Sequence[Any], ...]:
    """Returns the columns in the order of `Columns`, for at least one run."""
    texts, counts, linked, _, _, flags, levels, *_ = zip(*runs, strict=True)
    indices: Sequence[int] = range(len(texts))
    words: Sequence[int] = all_words(texts, counts)
    if words != list(counts):
        linked = tuple(
            [
                0 if not own else count if own == before else min(own, count)
                for own, count, before in zip(linked, words, counts, strict=True)
            ]
        )
    if spacers or any(map(IGNORED_BY_BOILERPIPE.__and__, flags)):
        rows = _blocks(zip(indices, texts, words, linked, levels, flags, strict=True), spacers, spacer)
        indices, texts, words, linked, levels, flags = zip(*rows, strict=True) if rows else ((),) * 6
    density = [own / count if own and count else 0.0 for own, count in zip(linked, words, strict=True)]
    return tuple(map(list, (indices, texts, words, linked, levels, flags, density)))


def classify(columns: Columns) -> list[bool]:
    """Returns whether each block is content, by words and link density of the block and its two neighbours (the filter
    NumWordsRulesClassifier)."""
    return classes_by_words(columns.words, columns.link_density, _BOUNDS)


_BOUNDS: Final = (
    LINK_DENSITY,
    PREVIOUS_LINK_DENSITY,
    WORDS,
    NEXT_WORDS,
    PREVIOUS_WORDS,
    WORDS_AFTER_LINKS,
    NEXT_WORDS_AFTER_LINKS,
)


def _classes_by_words(
    words: Sequence[int], density: Sequence[float], bounds: tuple[float, float, int, int, int, int, int]
) -> list[bool]:
    linked, linked_before, own, after, previous, own_after_links, next_after_links = bounds
    return [
        link_density <= linked
        and (
            count > own or following > after or before > previous
            if density_before <= linked_before
            else count > own_after_links or following > next_after_links
        )
        for link_density, count, following, before, density_before in zip(
            density, words, [*words[1:], 0], [0, *words], [0.0, *density], strict=False
        )
    ]


classes_by_words: Final = choose(KERNELS, "classes_by_words", _classes_by_words)


def _blocks(rows: Iterable[_Row], spacers: Sequence[tuple[int, int]], spacer: int) -> list[_Row]:
    """Returns only the runs that count, with an empty block for each spacer, before the run that follows it."""
    blocks: list[_Row] = []
    waiting = deque(spacers)
    for row in rows:
        while waiting and waiting[0][0] <= row[0]:
            blocks.append((spacer, "", 0, 0, waiting.popleft()[1], 0))
        if not row[-1] & IGNORED_BY_BOILERPIPE:
            blocks.append(row)
    return blocks


take_columns: Final = choose(KERNELS, "take_columns", _take_columns)


def _drop_after(ends: Sequence[int], columns: Columns, content: list[bool]) -> None:
    """IgnoreBlocksAfterContent: marks boilerplate from the first end that has enough running text before or in it."""
    words = 0
    seen = 0
    for end in ends:
        for index in range(seen, end + 1):
            if words >= MIN_WORDS_BEFORE_END:
                break
            count = columns.words[index]
            if content[index] and text_density(columns.texts[index], count) >= FULL_TEXT_DENSITY:
                words += count
        seen = end + 1
        if words >= MIN_WORDS_BEFORE_END:
            content[end:] = [False] * (len(content) - end)
            return


def _drop_trailing_headings(columns: Columns, content: list[bool]) -> None:
    """TrailingHeadlineToBoilerplate: drops headings below all other content, because they head something else."""
    for index in range(len(content) - 1, -1, -1):
        if content[index]:
            if not columns.flags[index] & TOP_HEADING:
                break
            content[index] = False


def _fused(columns: Columns, content: Sequence[bool], title: int | None) -> Iterator[TextBlock]:
    """BlockProximityFusion and RemoveBoilerplate: yields each stretch of content with the block before it, and the
    title."""
    for start, end in stretches(content, title):
        yield _block(columns, start, end, content[start] or end > start + 1, title)


def _stretches(content: Sequence[bool], title: int | None) -> list[tuple[int, int]]:
    """Returns where each stretch of content, with the block before it, begins and ends. A title alone is a stretch."""
    stretches: list[tuple[int, int]] = []
    size = len(content)
    start = 0
    while start < size:
        end = start + 1
        while end < size and content[end]:
            end += 1
        if content[start] or end > start + 1 or start == title:
            stretches.append((start, end))
        start = end
    return stretches


stretches: Final = choose(KERNELS, "stretches", _stretches)


def _block(columns: Columns, start: int, end: int, content: bool, title: int | None) -> TextBlock:
    words, linked_words = sum(columns.words[start:end]), sum(columns.linked_words[start:end])
    labels = TITLE if title is not None and start <= title < end else 0
    labels |= labels_of(reduce(or_, columns.flags[start:end]))
    block = TextBlock("", words, linked_words, SPACER, start, min(columns.levels[start:end]), labels)
    block.texts, block.runs = list(columns.texts[start:end]), list(columns.runs[start:end])
    block.end = end - 1
    block.content = content
    return block
