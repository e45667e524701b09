"""Filters on earlier labels and on the form of sentences, and the classifier for pages of all kinds."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.blocks import HEADING, TITLE
from newscrawl.extraction.boilerpipe.filters.english import CanolaClassifier
from newscrawl.extraction.boilerpipe.filters.heuristics import MinClauseWords, RemoveBoilerplate, SplitParagraphs


def test_boilerplate_is_removed_except_the_headline(block: Any, document: Any) -> None:
    page = document(block(), block(labels=TITLE), block(content=True), block(labels=HEADING))
    assert RemoveBoilerplate(keep=TITLE).process(page)
    assert [b.start for b in page.blocks] == [1, 2]
    assert RemoveBoilerplate().process(page)
    assert not RemoveBoilerplate().process(page)
    assert [b.start for b in page.blocks] == [2]


def test_fused_blocks_are_split_into_their_runs_with_class_and_labels(block: Any, document: Any) -> None:
    page = document(block(text="one", content=True, labels=HEADING), block(text="two"), block(text="three"))
    page.blocks[0].fuse(page.blocks.pop(1))
    assert SplitParagraphs().process(page)
    assert [(b.text, b.runs, b.content, b.labels) for b in page.blocks] == [
        ("one", [0], True, HEADING),
        ("two", [1], True, HEADING),
        ("three", [2], False, 0),
    ]
    assert not SplitParagraphs().process(page)


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


# Words and linked words of the block before, the block and the block after.
CANOLA = [
    ((0, 0), (20, 20), (0, 0), True),
    ((0, 0), (19, 0), (6, 0), False),
    ((0, 0), (1, 1), (12, 0), True),
    ((0, 0), (1, 1), (11, 0), False),
    ((0, 0), (7, 0), (7, 0), True),
    ((0, 0), (6, 0), (7, 0), False),
    ((8, 0), (6, 0), (7, 0), True),
    ((0, 0), (6, 0), (20, 0), True),
    ((8, 1), (7, 0), (20, 0), False),
    ((8, 0), (7, 0), (20, 1), False),
]


@pytest.mark.parametrize(("before", "middle", "after", "content"), CANOLA)
def test_canola_decides_by_words_and_links(
    block: Any, document: Any, before: tuple[int, int], middle: tuple[int, int], after: tuple[int, int], content: bool
) -> None:
    blocks = [block(words, linked=linked) for words, linked in (before, middle, after)]
    CanolaClassifier().process(document(*blocks))
    assert blocks[1].content is content
