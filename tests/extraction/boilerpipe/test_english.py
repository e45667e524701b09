"""The two classifiers of the WSDM 2010 paper, and where an English article ends."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.blocks import END_OF_TEXT
from newscrawl.extraction.boilerpipe.filters.english import (
    DensityRulesClassifier,
    IgnoreBlocksAfterContent,
    NumWordsRulesClassifier,
    TerminatingBlocksFinder,
)

# Words and linked words of the block before, the block and the block after: what Algorithm 2 says of the middle one.
NUM_WORDS = [
    ((50, 0), (50, 17), (50, 0), False),  # more than a third linked
    ((50, 0), (3, 1), (50, 0), False),  # a third is more than .333333
    ((50, 0), (50, 16), (50, 0), True),
    ((0, 0), (17, 0), (0, 0), True),
    ((4, 0), (16, 0), (15, 0), False),
    ((5, 0), (16, 0), (15, 0), True),
    ((4, 0), (16, 0), (16, 0), True),
    ((9, 5), (16, 0), (16, 0), True),  # five ninths linked: still no list of links
    ((50, 28), (40, 0), (17, 0), False),  # more than five ninths linked
    ((50, 28), (41, 0), (17, 0), True),
    ((50, 28), (1, 0), (18, 0), True),
]


@pytest.mark.parametrize(("before", "middle", "after", "content"), NUM_WORDS)
def test_algorithm_2_decides_by_words_and_links(
    block: Any, document: Any, before: tuple[int, int], middle: tuple[int, int], after: tuple[int, int], content: bool
) -> None:
    blocks = [block(words, linked=linked) for words, linked in (before, middle, after)]
    NumWordsRulesClassifier().process(document(*blocks))
    assert blocks[1].content is content


# Text densities of the block before, the block and the block after, and words linked before and in the block, of 100.
DENSITIES = [
    ((12, 12, 12), (0, 34), False),
    ((12, 12, 12), (0, 33), True),
    ((0, 10, 1), (0, 0), True),
    ((4, 9, 10), (0, 0), False),
    ((5, 9, 10), (0, 0), True),
    ((4, 9, 11), (0, 0), True),
    ((4, 12, 11), (56, 0), False),
    ((4, 12, 12), (56, 0), True),
]


@pytest.mark.parametrize(("densities", "linked", "content"), DENSITIES)
def test_algorithm_1_decides_by_text_density_and_links(
    block: Any, document: Any, densities: tuple[int, int, int], linked: tuple[int, int], content: bool
) -> None:
    links = (*linked, 0)
    blocks = [block(100, density=density, linked=link) for density, link in zip(densities, links, strict=True)]
    DensityRulesClassifier().process(document(*blocks))
    assert blocks[1].content is content


def test_algorithm_1_drops_a_dense_last_block_since_nothing_follows_it(block: Any, document: Any) -> None:
    blocks = [block(100, density=12), block(100, density=12)]
    DensityRulesClassifier().process(document(*blocks))
    assert [b.content for b in blocks] == [True, False]


@pytest.mark.parametrize("classifier", [NumWordsRulesClassifier(), DensityRulesClassifier()])
def test_a_classifier_reports_whether_any_block_changed_class(classifier: Any, block: Any, document: Any) -> None:
    page = document(*(block(60, density=12) for _ in range(3)))
    assert classifier.process(page)
    assert not classifier.process(page)
    assert not classifier.process(document())


CUES = [
    "Comments (12)",
    "12 comments",
    "7 users responded in this forum",
    "© Reuters 2008",
    "Please rate this article",
    "Post a comment below",
    "Tell us what you think...",
    "Add your comment",
    "Click to add comment now",
    "All reader views",
    "Have your say on this",
    "Thanks for your comments - this feedback is now closed",
    "See all reader comments",
    "Hjälp oss rätta artikeln",
]


@pytest.mark.parametrize("text", CUES)
def test_a_short_block_with_an_english_cue_ends_the_text(block: Any, document: Any, text: str) -> None:
    page = document(block(14, text=text), block(15, text=text))
    assert TerminatingBlocksFinder().process(page)
    assert [b.labels for b in page.blocks] == [END_OF_TEXT, 0]


@pytest.mark.parametrize(
    "text",
    ["No comments", "comment", "x12 comments", "12 Comment", "users responded in", "Thanks for your comments", ""],
)
def test_what_only_resembles_a_cue_ends_nothing(block: Any, document: Any, text: str) -> None:
    page = document(block(3, text=text), block(3, text="12 comments"))
    assert TerminatingBlocksFinder().process(page)
    assert [b.labels for b in page.blocks] == [0, END_OF_TEXT]


def test_the_word_comment_alone_is_a_cue_only_as_a_link(block: Any, document: Any) -> None:
    page = document(block(1, text="Comment", linked=1), block(1, text="Comment"), block(1, text="comment", linked=1))
    assert TerminatingBlocksFinder().process(page)
    assert [b.labels for b in page.blocks] == [END_OF_TEXT, 0, 0]


def test_a_page_without_cue_stays_as_it_is(block: Any, document: Any) -> None:
    page = document(block(5, text="It rained all day here"))
    assert not TerminatingBlocksFinder().process(page)
    assert page.blocks[0].labels == 0


def test_nothing_after_the_end_of_the_text_is_content(block: Any, document: Any, kept: Any) -> None:
    page = document(
        block(60, content=True),
        block(5, labels=END_OF_TEXT, content=True),
        block(90, content=True),
    )
    assert IgnoreBlocksAfterContent().process(page)
    assert kept(page) == [0]


@pytest.mark.parametrize(
    ("words", "density", "content"),
    [(59, 12, True), (60, 8, True), (60, 12, False)],
    ids=["too few words before it", "no running text before it", "full text before it"],
)
def test_an_end_is_believed_only_below_running_text_of_some_length(
    block: Any, document: Any, kept: Any, words: int, density: int, content: bool
) -> None:
    page = document(
        block(words, density=density), block(words, density=density, content=True), block(4, labels=END_OF_TEXT)
    )
    page.blocks.append(block(30, content=True))
    assert IgnoreBlocksAfterContent().process(page) is not content
    assert page.blocks[-1].content is content


def test_a_page_without_labelled_end_goes_on_to_its_end(block: Any, document: Any) -> None:
    page = document(block(100, content=True), block(100, content=True))
    assert not IgnoreBlocksAfterContent().process(page)
    assert all(b.content for b in page.blocks)
