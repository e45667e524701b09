"""The common parts of two texts decide whether they are the same, an edit, a copy, an excerpt or unrelated."""

from __future__ import annotations

import random

import pytest

from newscrawl.model.identity.signature import shingles
from newscrawl.model.identity.stories import related

WORDS = [f"w{random.Random(7).randrange(10**6)}-{number}" for number in range(400)]
OTHER = [f"other{number}" for number in range(400)]


def kind(one, other):
    found = related(shingles(" ".join(one)), shingles(" ".join(other)))
    assert found == related(shingles(" ".join(other)), shingles(" ".join(one)))
    return found and found.kind


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ([*WORDS, "Advertisement"], "same"),
        ([word if place % 20 else "changed" for place, word in enumerate(WORDS)], "edit"),
        (WORDS + OTHER[:150], "copy"),
        (WORDS[:200], "excerpt"),
        (WORDS[:100], "excerpt"),
        (WORDS[:100] + OTHER[:150], None),
        (WORDS[:100] + OTHER[:300], None),
        (OTHER, None),
    ],
)
def test_texts_are_told_apart_by_what_they_share(other, expected):
    assert kind(WORDS, other) == expected


def test_more_than_half_of_the_larger_text_joins_whatever_the_kind():
    half = related(shingles(" ".join(WORDS)), shingles(" ".join(WORDS[:200])))
    more = related(shingles(" ".join(WORDS)), shingles(" ".join(WORDS[:203])))
    assert (half.joins, half.contains, half.kind) == (False, True, "excerpt")
    assert (more.joins, more.contains, more.kind) == (True, True, "copy")


def test_nothing_resembles_no_text():
    assert kind(WORDS, []) is None
    assert kind([], []) is None


def test_the_same_words_in_another_order_are_another_text():
    shuffled = WORDS.copy()
    random.Random(1).shuffle(shuffled)
    assert kind(WORDS, shuffled) is None


def test_a_chinese_text_without_its_last_sentence_is_a_copy():
    chance = random.Random(3)
    text = "".join(chr(0x4E00 + chance.randrange(3_000)) for _ in range(300))
    assert kind([text], [text[:240]]) == "copy"
    assert kind([text], [text[:150]]) == "excerpt"
    assert kind([text], [text[::-1]]) is None
