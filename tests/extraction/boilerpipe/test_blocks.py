"""Blocks made of runs, and the features the classifiers read."""

from __future__ import annotations

import pytest

from newscrawl.extraction.boilerpipe.blocks import (
    boilerpipe_words,
    wrap,
)
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
