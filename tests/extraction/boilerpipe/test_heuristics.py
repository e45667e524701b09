"""Adjacent blocks are joined, the largest block is the article, and headlines begin it."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.blocks import (
    HEADING,
    LIST_ITEM,
    MIGHT_BE_CONTENT,
    TITLE,
    VERY_LIKELY_CONTENT,
)
from newscrawl.extraction.boilerpipe.filters.heuristics import (
    BlockProximityFusion,
    ExpandTitleToContent,
    KeepLargestBlock,
    LargeBlockSameLevelToContent,
    ListAtEnd,
    SimpleBlockFusion,
    TrailingHeadlineToBoilerplate,
)


def runs(document: Any) -> list[list[int]]:
    return [block.runs for block in document.blocks]


def test_headings_below_the_last_text_are_dropped(block: Any, document: Any, kept: Any) -> None:
    page = document(
        block(content=True, labels=HEADING),
        block(content=True),
        block(content=True, labels=HEADING),
        block(content=False),
        block(content=True, labels=HEADING | TITLE),
    )
    assert TrailingHeadlineToBoilerplate().process(page)
    assert kept(page) == [0, 1]
    assert not TrailingHeadlineToBoilerplate().process(page)


def test_neighbours_of_one_text_density_are_fused(block: Any, document: Any) -> None:
    page = document(*(block(20, density=density) for density in (5, 10, 10, 5)))
    assert SimpleBlockFusion().process(page)
    assert runs(page) == [[0], [1, 2], [3]]
    assert page.blocks[1].text_density == 10
    assert not SimpleBlockFusion().process(page)


def test_content_is_fused_into_the_block_before_it_whatever_that_is(block: Any, document: Any) -> None:
    page = document(block(3), block(40, content=True), block(40, content=True), block(3))
    assert BlockProximityFusion().process(page)
    assert runs(page) == [[0, 1, 2], [3]]
    assert page.blocks[0].content


@pytest.mark.parametrize(("missing", "expected"), [(1, [[0, 2]]), (2, [[0], [3]])])
def test_blocks_with_more_than_one_removed_between_them_stay_apart(
    block: Any, document: Any, missing: int, expected: list[list[int]]
) -> None:
    page = document(*(block(40, content=True) for _ in range(missing + 2)))
    del page.blocks[1:-1]
    BlockProximityFusion().process(page)
    assert runs(page) == expected


def test_fusion_can_be_held_to_content_and_to_one_tag_level(block: Any, document: Any) -> None:
    blocks = [
        block(3, level=4),
        block(40, level=4, content=True),
        block(40, level=4, content=True),
        block(40, level=5, content=True),
    ]
    page = document(*blocks)
    assert BlockProximityFusion(content_only=True, same_level=True).process(page)
    assert runs(page) == [[0], [1, 2], [3]]


def test_a_fused_block_has_the_features_of_both(block: Any, document: Any) -> None:
    one, other = (
        block(8, linked=2, level=5, labels=HEADING, text="one"),
        block(2, linked=2, level=4, labels=TITLE, text="two"),
    )
    document(one, other)
    other.content = True
    one.fuse(other)
    assert (one.words, one.linked_words, one.link_density) == (10, 4, 0.4)
    assert (one.level, one.labels, one.content) == (4, HEADING | TITLE, True)
    assert (one.start, one.end, one.runs, one.text) == (0, 1, [0, 1], "one\ntwo")


def test_a_block_without_words_takes_a_line_beside_one_with_words_only(block: Any) -> None:
    empty, also_empty, full = block(0), block(0), block(12)
    empty.fuse(also_empty)
    assert empty.wrapped == (0, 1)
    empty.fuse(full)
    assert empty.wrapped == (12, 2)


def test_the_first_of_the_largest_content_blocks_is_kept(block: Any, document: Any, kept: Any) -> None:
    page = document(*(block(words, content=words < 90) for words in (20, 50, 50, 90)))
    assert KeepLargestBlock().process(page)
    assert kept(page) == [1]
    assert [b.labels for b in page.blocks] == [
        MIGHT_BE_CONTENT,
        VERY_LIKELY_CONTENT,
        MIGHT_BE_CONTENT,
        MIGHT_BE_CONTENT,
    ]


def test_a_page_without_content_has_no_largest_block(block: Any, document: Any, kept: Any) -> None:
    page = document(block(20), block(30))
    assert KeepLargestBlock(expand_to_same_level=True).process(page)
    assert kept(page) == []
    assert all(b.labels == MIGHT_BE_CONTENT for b in page.blocks)


def test_a_single_block_is_neither_chosen_nor_labelled(block: Any, document: Any) -> None:
    page = document(block(20, content=True))
    assert not KeepLargestBlock().process(page)
    assert page.blocks[0].labels == 0


def test_large_blocks_on_the_level_of_the_largest_are_kept_until_the_level_falls(
    block: Any, document: Any, kept: Any
) -> None:
    levels_and_words = [(5, 200), (3, 10), (5, 150), (5, 149), (6, 190), (5, 300), (5, 180), (4, 10), (5, 200)]
    page = document(*(block(words, level=level, content=True) for level, words in levels_and_words))
    KeepLargestBlock(expand_to_same_level=True, min_words=150).process(page)
    assert kept(page) == [2, 5, 6]


def test_what_stands_between_headline_and_text_is_taken_back(block: Any, document: Any, kept: Any) -> None:
    page = document(
        block(labels=MIGHT_BE_CONTENT),
        block(labels=MIGHT_BE_CONTENT | TITLE),
        block(labels=MIGHT_BE_CONTENT),
        block(),
        block(content=True),
        block(labels=MIGHT_BE_CONTENT),
    )
    assert ExpandTitleToContent().process(page)
    assert kept(page) == [1, 2, 4]
    assert not ExpandTitleToContent().process(page)


@pytest.mark.parametrize("title", [1, 2, None], ids=["is the first content", "below it", "nowhere"])
def test_nothing_is_taken_back_without_headline_above_the_text(block: Any, document: Any, title: int | None) -> None:
    page = document(block(labels=MIGHT_BE_CONTENT), block(content=True), block(labels=MIGHT_BE_CONTENT))
    if title is not None:
        page.blocks[title].labels |= TITLE
    assert not ExpandTitleToContent().process(page)
    assert not ExpandTitleToContent().process(document(block(labels=TITLE | MIGHT_BE_CONTENT)))


def test_large_blocks_on_the_level_of_the_chosen_one_are_taken_back(block: Any, document: Any, kept: Any) -> None:
    page = document(
        block(100, level=4),
        block(99, level=4),
        block(300, level=3),
        block(500, level=4, content=True, labels=VERY_LIKELY_CONTENT),
    )
    assert LargeBlockSameLevelToContent().process(page)
    assert kept(page) == [0, 3]
    assert not LargeBlockSameLevelToContent().process(document(block(100), block(100, content=True)))


def test_list_items_right_below_the_chosen_block_and_deeper_are_taken_back(
    block: Any, document: Any, kept: Any
) -> None:
    item = LIST_ITEM | MIGHT_BE_CONTENT
    page = document(
        block(level=5, labels=item),
        block(level=4, labels=VERY_LIKELY_CONTENT, content=True),
        block(level=5, labels=item),
        block(level=6, labels=item),
        block(level=5, labels=item, linked=1),
        block(level=5, labels=item),
    )
    assert ListAtEnd().process(page)
    assert kept(page) == [1, 2, 3]


@pytest.mark.parametrize(
    ("level", "labels"), [(4, LIST_ITEM | MIGHT_BE_CONTENT), (5, MIGHT_BE_CONTENT), (5, LIST_ITEM)]
)
def test_other_blocks_below_the_chosen_one_are_no_list_at_its_end(
    block: Any, document: Any, level: int, labels: int
) -> None:
    page = document(block(level=4, labels=VERY_LIKELY_CONTENT, content=True), block(level=level, labels=labels))
    assert not ListAtEnd().process(page)
