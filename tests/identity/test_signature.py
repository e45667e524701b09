"""Signatures: stored ones keep their meaning, and copies in any script share them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.model.identity.segmentation import tokens
from newscrawl.model.identity.signature import MAX_SKETCH, SKETCH, shingles, signature
from newscrawl.model.identity.stories import Similarity, compare

BASE = 0x9E3779B97F4A7C15
NUMBERS = " ".join(f"word{number}" for number in range(40))
FERRY = (
    "Der Stadtrat der Hafenstadt beriet am Dienstag über die neue Fähre; Straße und Brücke müssten warten, sagte der "
    "Bürgermeister. Die Werft hofft auf 1.200 Stellen, während die Fischer um ihre Liegeplätze fürchten."
)
HARBOUR = (
    "港口城市的议会星期二晚上开会讨论新的渡轮，会议持续了四个小时，"
    "最后决定把桥梁工程推迟到明年春天再进行，渔民们对此表示担心。"
)

GOLDEN = {
    "numbers": ("bottom-k/1", 37, (637624615722338618, 714372379776723509, 1471719269936690644)),
    "ferry": ("bottom-k/1", 30, (68063121583298433, 707449383455534108, 905676120859906975)),
    "harbour": ("bottom-k/1", 52, (261277529674431180, 274884669141793094, 298638277791575556)),
}


def made(size, seed=0):
    chance = random.Random(seed)
    return " ".join(f"w{chance.randrange(10**9)}" for _ in range(size))


@pytest.mark.parametrize("text", [FERRY, HARBOUR])
@pytest.mark.parametrize("hidden", ["\ufe0f", "\u034f", "\u180b", "\u3164", "\u00ad", "\u1160", "\U000e0100"])
def test_what_shows_nothing_changes_no_signature(text: str, hidden: str) -> None:
    assert signature(hidden.join(text)) == signature(text)


def test_letters_that_look_alike_change_no_signature() -> None:
    assert signature(FERRY.replace("a", "\u0430").replace("e", "\u0435")) == signature(FERRY)


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_the_values_of_a_signature_never_change(name):
    text = {"numbers": NUMBERS, "ferry": FERRY, "harbour": HARBOUR}[name]
    found = signature(text)
    assert (found.algorithm, found.shingles, found.sketch[:3]) == GOLDEN[name]


def spread(value):
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    value = (value ^ value >> 27) * 0x94D049BB133111EB % 2**64
    return value ^ value >> 31


def test_values_are_what_the_definition_says():
    """The same in plain numbers: no array library is asked what a sum of 64 bits is."""
    words = [spread(sum(ord(c) * pow(BASE, i, 2**64) for i, c in enumerate(word)) % 2**64) for word in NUMBERS.split()]
    expected = set()
    for place in range(len(words) - 3):
        value = int.from_bytes(b"ttom-k/1", "big")
        for word in words[place : place + 4]:
            value = (value * 0xD1342543DE82EF95 + word) % 2**64
        expected.add(spread(value) >> 1)
    assert set(shingles(NUMBERS).tolist()) == expected


def test_a_teaser_has_no_signature():
    assert signature("One two three four five six seven eight nine ten") is None
    assert signature("") is None


@pytest.mark.parametrize(("words", "values"), [(40, SKETCH), (1_000, 19), (20_000, MAX_SKETCH)])
def test_a_long_text_has_more_values_up_to_a_limit(words, values):
    assert len(signature(made(words)).sketch) == values


def test_half_of_a_text_shares_about_half_of_its_values():
    words = made(600).split()
    whole, part = signature(" ".join(words)), signature(" ".join(words[150:450]))
    assert 2 <= len(set(whole.sketch) & set(part.sketch)) <= 10


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Ferry, at last!", "the ferry at last"),
        ("“quoted” – words", '"quoted" - words'),
        ("caf\u00e9", "cafe\u0301"),
        ("Ｆｕｌｌ width", "full WIDTH"),
        ("Straße der Stadt", "STRASSE DER STADT"),
        ("hy\u00adphen zero\u200bwidth", "hyphen zerowidth"),
        ("ﬁnal", "final"),
        ("한국 소식", "\u1112\u1161\u11ab\u1100\u116e\u11a8 \u1109\u1169\u1109\u1175\u11a8"),
    ],
)
def test_spellings_of_one_text_have_the_same_tokens(one, other):
    assert tokens(one).hashes.tolist() == tokens(other).hashes.tolist()


@given(st.text())
def test_no_text_is_too_strange(text):
    assert len(shingles(text)) <= len(text)
    signature(text)


def test_compared_texts_share_what_both_have():
    words = made(200).split()
    whole, half = shingles(" ".join(words)), shingles(" ".join(words[:100]))
    assert compare(half, whole).containment == 1
    assert compare(half, whole).resemblance == compare(half, whole).share_of_larger == pytest.approx(97 / 197)
    assert compare(whole, whole) == Similarity(1, 1, 1)
    assert compare(whole, shingles("")) == Similarity(0, 0, 0)
