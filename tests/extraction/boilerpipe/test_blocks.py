"""Blocks made of runs, and the features the classifiers read."""

from __future__ import annotations

import pytest

from newscrawl.extraction.boilerpipe.blocks import (
    HEADING,
    LIST_ITEM,
    SPACER,
    TITLE,
    boilerpipe_words,
    document_of,
    label_names,
    wrap,
)
from newscrawl.page import parse
from newscrawl.page.words import count_words

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


def test_a_page_becomes_one_block_a_run_with_its_features() -> None:
    page = parse(
        "<title>Rain ahead</title><body><h2>Rain</h2><div>All <b>day</b> <a href=x>long here</a>"
        "<noscript>no</noscript><ul><li>one</ul></div>"
    )
    document = document_of(page)
    assert document.title == "Rain ahead"
    assert [b.text for b in document.blocks] == ["Rain", "All day long here", "one"]
    assert [page.runs[b.runs[0]].text for b in document.blocks] == [b.text for b in document.blocks]
    assert [b.start for b in document.blocks] == [b.end for b in document.blocks] == [0, 1, 2]
    assert [b.labels for b in document.blocks] == [HEADING, 0, LIST_ITEM]
    assert [b.link_density for b in document.blocks] == [0.0, 0.5, 0.0]
    assert document.blocks[2].level == document.blocks[1].level + 2


def test_a_gap_of_no_break_spaces_is_a_block_without_words() -> None:
    document = document_of(parse("<p>one</p><p>&nbsp;</p><p>two</p>"))
    assert [(b.words, b.runs, b.start) for b in document.blocks] == [(1, [0], 0), (0, [SPACER], 1), (1, [1], 2)]


def test_a_word_apart_from_its_link_is_not_linked_twice() -> None:
    block = document_of(parse("<p><a href=x>Rain</a>fall</p>")).blocks[0]
    assert (block.words, block.linked_words) == (1, 1)


def test_text_density_is_worked_out_the_same_before_and_after_fusion() -> None:
    html = f"<p>{'rain and wind ' * 30}</p><p>short</p><p>&nbsp;</p><p>{'cloud ' * 50}</p>"
    densities = []
    for ask_first in (False, True):
        first, *others = document_of(parse(html)).blocks
        if ask_first:
            assert all(b.text_density >= 0 for b in (first, *others))
        for other in others:
            first.fuse(other)
        densities.append(first.text_density)
    assert densities[0] == densities[1] > 0


def test_labels_have_names_for_people() -> None:
    assert label_names(TITLE | HEADING) == ("title", "heading")
    assert label_names(0) == ()
