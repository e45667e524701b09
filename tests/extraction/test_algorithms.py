"""Algorithms: linear time, agreement with the packages they are from, and steps that no golden page shows."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.blocks import (
    END_OF_TEXT,
    HEADING,
    LIST_ITEM,
    MIGHT_BE_CONTENT,
    TITLE,
    VERY_LIKELY_CONTENT,
    TextDocument,
    boilerpipe_words,
    document_of,
    wrap,
)
from newscrawl.extraction.boilerpipe.columns import content_of
from newscrawl.extraction.boilerpipe.filters import (
    BlockProximityFusion,
    DocumentTitleMatchClassifier,
    ExpandTitleToContent,
    IgnoreBlocksAfterContent,
    KeepLargestBlock,
    LargeBlockSameLevelToContent,
    ListAtEnd,
    MinClauseWords,
    NumWordsRulesClassifier,
    RemoveBoilerplate,
    SimpleBlockFusion,
    SplitParagraphs,
    TerminatingBlocksFinder,
    TrailingHeadlineToBoilerplate,
    potential_titles,
)
from newscrawl.extraction.boilerpipe.recipes import ARTICLE, ARTICLE_SENTENCES, WIDE, Recipe, select
from newscrawl.extraction.chain import resolve
from newscrawl.extraction.literature import MAX_BARE_LINES, TextLine, normalised_source, outside_origin, tag_ratios
from newscrawl.page import Page, parse
from newscrawl.page.words import count_words

NAMES = ["danag", "cetr", "ccb", "accb", "tccb", "dsc", "lqf"]
STORY = (
    "<p>The council of the old town met on Tuesday and said that it will build a library in the mill by the river, "
    "which has stood empty since the last miller left it to the town eleven years ago.</p>"
    "<p>Readers had asked for one for as long as anybody can remember, and the money had always gone elsewhere: to the "
    "road in the valley, to the roof of the school, and in the year of the flood to the bridge that everybody uses.</p>"
)
MENU = "".join(f'<li class="menu-item"><a href="/section/number-{n}">Section {n}</a></li>' for n in range(25))
SHAPES = {
    "short lines": "x<br>",
    "links and text": f"<ul>{MENU[:400]}</ul>{STORY}",
    "nested lists": "<ul><li><a href=/>x</a>",
    "elements without text": "<a href=/><div></div></a>",
}


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        *((name, shape) for name in NAMES for shape in ("short lines", "links and text")),
        *((name, shape) for name in ("accb", "lqf") for shape in ("nested lists", "elements without text")),
    ],
)
def test_time_is_linear(doubling: Callable[..., None], page_of: Callable[..., Page], name: str, shape: str) -> None:
    doubling(resolve(name).steps[0].select, lambda n: page_of(SHAPES[shape] * n + STORY), 100)


def test_the_time_of_all_steps_over_lines_is_linear(doubling: Callable[..., None]) -> None:
    def lines(n: int) -> list[TextLine]:
        return [TextLine((0,), length, length // 5, 0, 2, 0) for length in (3, 5, 12, 40, 300, 800, 500, 20)] * (n // 8)

    doubling(lambda lines: normalised_source(lines) and outside_origin(*tag_ratios(lines)), lines, 5000)


def test_a_million_empty_elements_are_no_million_lines() -> None:
    source = normalised_source([TextLine((0,), 100, 20, 0, 2_000_000, 9_000_000)])
    assert len(source) == MAX_BARE_LINES + 1
    assert source[-1].line == 0


def test_numpy_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, newscrawl.extraction.chain; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


SENTENCE = "The river rose by almost two metres within one night, and the old bridge has been closed since then. "
"""18 words, more than one line."""


def _tiny(n: int) -> Page:
    return parse("<p>a</p>" * n)


def _alternating(n: int) -> Page:
    return parse(f"<p>{SENTENCE}</p><p><a href=x>link</a></p><p>5 comments</p>" * (n // 3))


def _gaps(n: int) -> Page:
    return parse(f"<p>{SENTENCE}</p><p>&nbsp;</p>" * (n // 2))


def _one_long_text(n: int) -> Page:
    return parse("<p>" + "a. 12 comments, what you think - " * n + "x" * n)


def _long_title(n: int) -> Page:
    return parse(f"<title>{'a - b | c: ' * n}</title><p>{'a' * n}</p>" + "<p>a - b</p>" * n)


@pytest.mark.parametrize("make_page", [_tiny, _alternating, _gaps, _one_long_text, _long_title])
@pytest.mark.parametrize("recipe", ["boilerpipe-article-sentences", "boilerpipe-default", "boilerpipe-largest"])
def test_time_grows_in_proportion_to_the_page(doubling: Any, make_page: Callable[[int], Page], recipe: str) -> None:
    doubling(lambda page: select(page, recipe), make_page, 1_000)


FORTY = "x" * 40
LONG = "x" * 100


@pytest.mark.parametrize(
    ("text", "words_and_lines"),
    [
        ("", (0, 1)),
        ("one two three", (3, 1)),
        (f"{'a' * 39} {FORTY}", (2, 1)),  # exactly 80 columns
        (f"{FORTY} {FORTY}", (1, 1)),  # 81: the second word is alone on the last line, which is left out
        (f"{FORTY} {FORTY} {FORTY}", (2, 2)),
        (f"{FORTY} – {'a' * 39}", (2, 1)),  # a lone sign takes no room
        ("word " * 33, (32, 2)),  # sixteen words of four letters fill a line
        ("word " * 16, (16, 1)),
        ("word " * 17, (16, 1)),
        (LONG, (1, 1)),
        (f"{LONG} {LONG}", (1, 2)),  # before a first word that is too long stands an empty line
        (f"one {LONG} two", (2, 2)),
        ("雨" * 110, (54, 2)),  # 55 words of two characters, 27 a line
    ],
)
def test_text_is_wrapped_at_80_columns_and_the_last_line_left_out(text: str, words_and_lines: tuple[int, int]) -> None:
    assert wrap(text) == words_and_lines


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Smith's e-mail, 3.5 a.m.", 4),
        ("Smith’s don’t", 4),
        ("rain–or–shine…yes", 4),
        ("R&D 50%+ #rain", 4),
        ("- – | •", 0),
        ("http://example.org/a?b=1&c=2", 4),
        ("雨雨雨雨雨", 3),
    ],
)
def test_words_end_at_most_signs(text: str, words: int) -> None:
    assert boilerpipe_words(text, count_words(text)) == words


WORDS = "the river rose by half a metre — over night, readers’ letters said: 3.5% more © 2020 & <b>so</b> on".split()
PIECES = (
    "<p>{text}</p>",
    "<p>{text}</p><p>&nbsp;</p>",
    "<div><p>{text} <a href=/x>{link}</a></p></div>",
    "<ul><li>{link}<li><a href=/y>{text}</a></ul>",
    "<h2>{link}</h2>",
    "<h1>River floods the valley</h1>",
    "<h3>Comments</h3>",
    "<p>12 comments so far</p>",
    "<a href=#c>Comment</a>",
    "<noscript>{text}</noscript>",
    "<section><blockquote>{text}</blockquote></section>",
)


@pytest.fixture(params=range(60))
def page(request: pytest.FixtureRequest) -> Page:
    """A made page of random pieces in which every step has something to do."""
    chosen = random.Random(request.param)

    def text(most: int) -> str:
        return " ".join(chosen.choices(WORDS, k=chosen.randint(1, most)))

    pieces = chosen.choices(PIECES, k=chosen.randint(1, 40))
    body = "".join(piece.format(text=text(60), link=text(6)) for piece in pieces)
    return parse(f"<title>River floods the valley - The Daily Example</title>{body}")


def _stepwise(page: Page, recipe: Recipe, steps: int | None = None) -> TextDocument:
    document = document_of(page)
    for step in recipe.steps[:steps]:
        step.process(document)
    return document


def test_columns_leave_the_blocks_that_seven_steps_leave(page: Page) -> None:
    def seen(document: TextDocument) -> list[tuple[object, ...]]:
        return [
            (b.runs, b.texts, b.words, b.linked_words, b.link_density, b.start, b.end, b.level, b.content)
            for b in document.blocks
        ]

    fast, slow = content_of(page), _stepwise(page, WIDE, -1)
    assert seen(fast) == seen(slow)
    assert [b.labels for b in fast.blocks] == [b.labels & ~END_OF_TEXT for b in slow.blocks]


@pytest.mark.parametrize("recipe", [WIDE, ARTICLE, ARTICLE_SENTENCES], ids=lambda recipe: recipe.name)
def test_recipes_select_the_same_watched_or_not(page: Page, recipe: Recipe) -> None:
    found = select(page, recipe.name)
    assert found == select(page, recipe.name, lambda *_: None)
    assert all(one < other for one, other in pairwise(found))


def test_a_page_of_nothing_has_no_blocks() -> None:
    assert content_of(parse("")).blocks == []
    assert content_of(parse("<noscript>only this</noscript>")).blocks == []


# Words and linked words of the block before, the block and the block after: what Algorithm 2 says of the middle one
# below a list of links. Golden pages have blocks on both sides of all other thresholds of the classifiers.
BELOW_LINKS = [
    ((9, 5), (16, 0), (16, 0), True),  # five ninths linked: still no list of links
    ((50, 28), (40, 0), (17, 0), False),  # more than five ninths linked
    ((50, 28), (41, 0), (17, 0), True),
    ((50, 28), (1, 0), (18, 0), True),
]


@pytest.mark.parametrize(("before", "middle", "after", "content"), BELOW_LINKS)
def test_algorithm_2_decides_by_words_below_a_list_of_links(
    block: Any, document: Any, before: tuple[int, int], middle: tuple[int, int], after: tuple[int, int], content: bool
) -> None:
    blocks = [block(words, linked=linked) for words, linked in (before, middle, after)]
    NumWordsRulesClassifier().process(document(*blocks))
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
    TerminatingBlocksFinder().process(page)
    assert [b.labels for b in page.blocks] == [END_OF_TEXT, 0]


@pytest.mark.parametrize(
    "text",
    ["No comments", "comment", "x12 comments", "12 Comment", "users responded in", "Thanks for your comments", ""],
)
def test_what_only_resembles_a_cue_ends_nothing(block: Any, document: Any, text: str) -> None:
    page = document(block(3, text=text), block(3, text="12 comments"))
    TerminatingBlocksFinder().process(page)
    assert [b.labels for b in page.blocks] == [0, END_OF_TEXT]


def test_the_word_comment_alone_is_a_cue_only_as_a_link(block: Any, document: Any) -> None:
    page = document(block(1, text="Comment", linked=1), block(1, text="Comment"), block(1, text="comment", linked=1))
    TerminatingBlocksFinder().process(page)
    assert [b.labels for b in page.blocks] == [END_OF_TEXT, 0, 0]


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
    step.process(page)
    assert [one.runs for one in page.blocks] == runs


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
    SplitParagraphs().process(page)
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
    MinClauseWords().process(page)
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
    DocumentTitleMatchClassifier().process(page)
    assert [b.labels for b in page.blocks] == [0, TITLE, 0]


@pytest.mark.parametrize("title", [None, "", " ' ", "-", "||", "Rain ends the long drought"])
def test_a_page_that_does_not_show_its_title_has_no_headline(block: Any, document: Any, title: str | None) -> None:
    page = document(block(text="Rain comes"), block(text=""), block(text="- rain ends"), title=title)
    DocumentTitleMatchClassifier().process(page)
    assert not any(b.labels & TITLE for b in page.blocks)


def test_a_part_that_names_a_site_is_no_headline() -> None:
    titles = potential_titles("Rain falls | The very best news of example.com today")
    assert "rain falls" in titles
    assert "the very best news of example.com today" not in titles


def test_a_title_that_ends_in_a_separator_has_one_part_only() -> None:
    assert potential_titles("Rain falls:") == {"rain falls:"}
