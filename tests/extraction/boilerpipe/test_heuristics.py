"""What each step after the classifiers leaves of a document, by small documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.blocks import (
    END_OF_TEXT,
    HEADING,
    LIST_ITEM,
    MIGHT_BE_CONTENT,
    TITLE,
    VERY_LIKELY_CONTENT,
)
from newscrawl.extraction.boilerpipe.filters.english import IgnoreBlocksAfterContent
from newscrawl.extraction.boilerpipe.filters.heuristics import (
    BlockProximityFusion,
    ExpandTitleToContent,
    KeepLargestBlock,
    LargeBlockSameLevelToContent,
    ListAtEnd,
    MinClauseWords,
    RemoveBoilerplate,
    SimpleBlockFusion,
    SplitParagraphs,
    TrailingHeadlineToBoilerplate,
)
from newscrawl.extraction.boilerpipe.filters.titles import DocumentTitleMatchClassifier, potential_titles

NOT, YES = {"content": False}, {"content": True}
MIGHT, ITEM = {"labels": MIGHT_BE_CONTENT}, {"labels": LIST_ITEM | MIGHT_BE_CONTENT}
CHOSEN = {"labels": VERY_LIKELY_CONTENT, "content": True, "level": 4}
HEAD = {"labels": HEADING, "content": True}
END = {"words": 4, "labels": END_OF_TEXT}


def of_levels(levels: Sequence[int], words: Sequence[int]) -> list[dict[str, object]]:
    return [{"level": level, "words": number, "content": True} for level, number in zip(levels, words, strict=True)]


KEEPS: list[tuple[Any, list[dict[str, Any]], list[int]]] = [
    (TrailingHeadlineToBoilerplate(), [HEAD, YES, HEAD, NOT, {"labels": HEADING | TITLE, "content": True}], [0, 1]),
    (KeepLargestBlock(), [{"words": words, "content": words < 90} for words in (20, 50, 50, 90)], [1]),
    (KeepLargestBlock(), [YES], [0]),
    (KeepLargestBlock(expand_to_same_level=True), [NOT, NOT], []),
    (
        KeepLargestBlock(expand_to_same_level=True, min_words=150),
        of_levels([5, 3, 5, 5, 6, 5, 5, 4, 5], [200, 10, 150, 149, 190, 300, 180, 10, 200]),
        [2, 5, 6],
    ),
    (ExpandTitleToContent(), [MIGHT, {"labels": MIGHT_BE_CONTENT | TITLE}, MIGHT, NOT, YES, MIGHT], [1, 2, 4]),
    (ExpandTitleToContent(), [MIGHT, {"labels": TITLE, "content": True}, MIGHT], [1]),
    (ExpandTitleToContent(), [MIGHT, YES, {"labels": MIGHT_BE_CONTENT | TITLE}], [1]),
    (ExpandTitleToContent(), [MIGHT, YES, MIGHT], [1]),
    (
        LargeBlockSameLevelToContent(),
        [{"words": 100, "level": 4}, {"words": 99, "level": 4}, {"words": 300, "level": 3}, {**CHOSEN, "words": 500}],
        [0, 3],
    ),
    (LargeBlockSameLevelToContent(), [{"words": 100}, {"words": 100, "content": True}], [1]),
    (
        ListAtEnd(),
        [
            {**ITEM, "level": 5},
            CHOSEN,
            {**ITEM, "level": 5},
            {**ITEM, "level": 6},
            {**ITEM, "level": 5, "linked": 1},
            {**ITEM, "level": 5},
        ],
        [1, 2, 3],
    ),
    (ListAtEnd(), [CHOSEN, {**ITEM, "level": 4}], [0]),
    (ListAtEnd(), [CHOSEN, {**MIGHT, "level": 5}], [0]),
    (ListAtEnd(), [CHOSEN, {"labels": LIST_ITEM, "level": 5}], [0]),
    (IgnoreBlocksAfterContent(), [{"words": 60, **YES}, {"words": 5, "labels": END_OF_TEXT, **YES}, YES], [0]),
    (IgnoreBlocksAfterContent(), [{"words": 59, "density": 12, **YES}, END, YES], [0, 2]),  # too few words
    (IgnoreBlocksAfterContent(), [{"words": 60, "density": 8, **YES}, END, YES], [0, 2]),  # no running text
    (IgnoreBlocksAfterContent(), [{"words": 60, "density": 12, **YES}, END, YES], [0]),
    (IgnoreBlocksAfterContent(), [YES, YES], [0, 1]),
]


@pytest.mark.parametrize(("step", "blocks", "runs"), KEEPS)
def test_a_step_keeps_these_runs(
    block: Any, document: Any, kept: Any, step: Any, blocks: list[dict[str, Any]], runs: list[int]
) -> None:
    page = document(*(block(**features) for features in blocks))
    step.process(page)
    assert kept(page) == runs


LEAVES: list[tuple[Any, list[dict[str, Any]], list[list[int]]]] = [
    (SimpleBlockFusion(), [{"words": 20, "density": density} for density in (5, 10, 10, 5)], [[0], [1, 2], [3]]),
    (BlockProximityFusion(), [NOT, YES, YES, NOT], [[0, 1, 2], [3]]),
    (
        BlockProximityFusion(content_only=True, same_level=True),
        [{"level": 4}, {"level": 4, **YES}, {"level": 4, **YES}, {"level": 5, **YES}],
        [[0], [1, 2], [3]],
    ),
    (RemoveBoilerplate(keep=TITLE), [NOT, {"labels": TITLE}, YES, {"labels": HEADING}], [[1], [2]]),
    (RemoveBoilerplate(), [NOT, {"labels": TITLE}, YES, {"labels": HEADING}], [[2]]),
]


@pytest.mark.parametrize(("step", "blocks", "runs"), LEAVES)
def test_a_step_leaves_these_blocks(
    block: Any, document: Any, step: Any, blocks: list[dict[str, Any]], runs: list[list[int]]
) -> None:
    page = document(*(block(**features) for features in blocks))
    step.process(page)
    assert [one.runs for one in page.blocks] == runs
    assert not step.process(page)


@pytest.mark.parametrize(("missing", "expected"), [(1, [[0, 2]]), (2, [[0], [3]])])
def test_blocks_with_more_than_one_removed_between_them_stay_apart(
    block: Any, document: Any, missing: int, expected: list[list[int]]
) -> None:
    page = document(*(block(40, content=True) for _ in range(missing + 2)))
    del page.blocks[1:-1]
    BlockProximityFusion().process(page)
    assert [one.runs for one in page.blocks] == expected


def test_a_fused_block_has_the_features_of_both_and_is_split_into_its_runs(block: Any, document: Any) -> None:
    one, other = (
        block(8, linked=2, level=5, labels=HEADING, text="one", content=True),
        block(2, linked=2, level=4, labels=TITLE, text="two"),
    )
    page = document(one, other)
    one.fuse(page.blocks.pop())
    assert (one.words, one.linked_words, one.link_density) == (10, 4, 0.4)
    assert (one.level, one.labels, one.content) == (4, HEADING | TITLE, True)
    assert (one.start, one.end, one.runs, one.text) == (0, 1, [0, 1], "one\ntwo")
    assert SplitParagraphs().process(page)
    assert [(b.text, b.runs, b.content, b.labels) for b in page.blocks] == [
        ("one", [0], True, HEADING | TITLE),
        ("two", [1], True, HEADING | TITLE),
    ]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("It rained all day here.", True),
        ("It rained all day here", False),
        ("It rained all day.", False),
        ("No. It rained all day, she said", False),
        ("No. It rained all the day, she said", True),
        ("In 2008, rain fell on 3.5 fields; then it stopped", True),
        ("Photo: A. B. Smith", False),
        ("It rained all day here ...", False),
        ("It rained all day here?!", True),
        ("...", False),
        ("", False),
    ],
)
def test_content_needs_a_clause_of_five_words_that_ends_in_punctuation(
    block: Any, document: Any, text: str, content: bool
) -> None:
    page = document(block(text=text, content=True), block(text="", content=False))
    assert MinClauseWords().process(page) is not content
    assert page.blocks[0].content is content


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        ("Rain ends the long drought", "Rain ends the long drought"),
        ("Rain ends the long drought", "RAIN ENDS THE LONG DROUGHT!"),
        ("Rain ends the long drought | Example News", "Rain ends the long drought"),
        ("Example » Weather » Rain ends the long drought", "Rain ends the long drought"),
        ("Weather: Rain ends the long drought", "Rain ends the long drought"),
        ("Rain ends the long drought (Example News)", "Rain ends the long drought"),
        ("Rain ends the long drought, Example", "Rain ends the long drought"),
        ("Farmers' joy\u00a0as rain falls", "Farmers joy as rain 'falls'"),
        ("Farmers joy as rain falls", "Farmers joy... as rain falls?"),
        ("Rain - the long-awaited end - Example", "Rain - the long-awaited end"),
        ("Example - the long-awaited end of drought", "The long-awaited end of drought"),
        ("First part of four | second part of four", "Second part of four"),
    ],
)
def test_the_headline_may_be_part_of_the_title(block: Any, document: Any, title: str, headline: str) -> None:
    page = document(block(text="Weather"), block(text=headline), block(text=headline), title=title)
    assert DocumentTitleMatchClassifier().process(page)
    assert [b.labels for b in page.blocks] == [0, TITLE, 0]


@pytest.mark.parametrize("title", [None, "", " ' ", "-", "||", "Rain ends the long drought"])
def test_a_page_that_does_not_show_its_title_has_no_headline(block: Any, document: Any, title: str | None) -> None:
    page = document(block(text="Rain comes"), block(text=""), block(text="- rain ends"), title=title)
    assert not DocumentTitleMatchClassifier().process(page)


def test_a_part_that_names_a_site_is_no_headline() -> None:
    titles = potential_titles("Rain falls | The very best news of example.com today")
    assert "rain falls" in titles
    assert "the very best news of example.com today" not in titles


def test_a_title_that_ends_in_a_separator_has_one_part_only() -> None:
    assert potential_titles("Rain falls:") == {"rain falls:"}
