"""The classifiers by words and links: the two of the WSDM 2010 paper and that for pages of all kinds, and the cues at
the end of an English article."""

from __future__ import annotations

from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.blocks import END_OF_TEXT
from newscrawl.extraction.boilerpipe.filters.english import (
    CanolaClassifier,
    DensityRulesClassifier,
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
