"""Words are counted as each script writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.page.words import BLANKLESS, count_words, count_words_until, has_blankless, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one", 1),
        ("well-known words can't be split", 5),
        ("a – b — c | d • e", 5),
        ("prices rose 3.5 % in May", 5),
        ("新闻报道的主要内容", 5),
        ("東京で新しい駅が開業した。", 6),
        ("他说 hello world 了", 4),
        ("ไทยรัฐ", 3),
        ("Новости — это важно", 3),
        ("서울의 새 도서관", 3),
    ],
)
def test_words_by_script(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(max_size=80))
def test_counting_never_fails(text: str) -> None:
    assert count_words(text) >= 0
    assert all(split_words(text))


@given(st.lists(st.sampled_from(["one", "–", "unbelievably-long", "新闻报道", "2"]), max_size=30), st.integers(1, 9))
def test_the_beginning_of_a_text_tells_that_it_has_enough_words(pieces: list[str], enough: int) -> None:
    text = " ".join(pieces)
    assert (count_words_until(text, enough) > enough) == (count_words(text) > enough)


def test_scripts_without_blanks_are_told_from_all_others() -> None:
    """Character by character the quick look and the expression agree."""
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    assert [c for c in characters if has_blankless(c)] == BLANKLESS.findall("".join(characters))
    assert has_blankless("It’s “新” here")
    assert not has_blankless("It’s “new” – ﬁne, नया, 새 것, 😀")
