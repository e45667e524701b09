"""The form in which phrases are compared is the same for ASCII, which has a table, and for other texts."""

from __future__ import annotations

import string
from typing import Final

import pytest

from newscrawl.article.signals import bare_words

BEYOND: Final = " Ж"
"""A word that is not ASCII, so that a text with it takes the long way."""


@pytest.mark.parametrize("between", ["", "a", "Zz", "9 "])
def test_ascii_takes_the_same_form_either_way(between: str) -> None:
    for character in map(chr, range(128)):
        text = f"{between}{character}{between}{character}{character}b"
        assert bare_words(text) == bare_words(text + BEYOND).removesuffix(" ж")


@pytest.mark.parametrize("text", [None, "", " \t\n", string.punctuation])
def test_a_text_without_words_is_empty(text: str | None) -> None:
    assert bare_words(text) == ""


def test_words_are_lower_case_with_a_blank_between_them() -> None:
    assert bare_words("  It’s NOT_here -- 404! ") == "it s not here 404"
    assert bare_words("It's NOT_here -- 404!") == "it s not here 404"
