"""Which texts are one article."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.model.identity import content_hash, identity_key
from newscrawl.model.identity.content import MIN_WORDS_OF_OWN, caseless_nfkc
from newscrawl.model.identity.letters import MAX_MARKS, without_long_marks

SAME = [
    ("case", "The Council Met", "the council MET"),
    ("white space", "one two\n\nthree", " one  two three\n"),
    ("quotation marks", "“It’s done,” she said", '"It\'s done", she said'),
    ("dashes", "ten—twenty", "ten - twenty"),
    ("compatibility forms", "ﬁnal ①", "final 1"),
    ("full-width letters", "ＡＢＣ", "abc"),
    ("composed and decomposed accents", "é", "e\u0301"),
    ("sharp s", "Straße", "STRASSE"),
    ("soft hyphens and zero-width spaces", "Par\u00adla\u200bment", "Parlament"),
    ("blanks between scripts", "中文 English", "中文English"),
    ("bullets and emoji", "• done ✓", "done"),
    ("NUL", "a\x00b", "ab"),
    ("a variation selector", "the ❤\ufe0f of the town", "the ❤ of the town"),
    ("a grapheme joiner", "har\u034fbour", "harbour"),
    ("a Mongolian selector", "ᠠ\u180bᠨ", "ᠠᠨ"),
    ("Hangul fillers", "항구\u3164위원회\uffa0가", "항구위원회가"),
    ("Khmer vowels that show nothing", "ក\u17b4ក\u17b5", "កក"),
    ("tags and supplementary selectors", "ferry\U000e0041\U000e0100", "ferry"),
    ("a joiner before an accent", "cafe\u034f\u0301", "café"),
    ("Cyrillic letters in a Latin word", "the h\u0430rb\u043eur b\u043e\u0430rd", "the harbour board"),
    ("Cyrillic capitals in a Latin word", "\u0422he pier of the \u0421ompany", "The pier of the Company"),
    ("Latin letters in a Cyrillic word", "c\u043e\u0432\u0435\u0442 \u043f\u043eрта", "совет порта"),
    ("Greek letters in a Latin word", "the c\u03bfmpany", "the company"),
    ("a word that could be of either script", "in the \u0441o\u0440e of the matter", "in the cope of the matter"),
    ("the same in a Cyrillic text", "это \u0441o\u0440 из избы", "это сор из избы"),
    ("lone surrogates", "a\ud800b", "ab"),
]

DIFFERENT = [
    ("words", "one two", "one three"),
    ("order", "one two", "two one"),
    ("separated numbers", "1 23", "12 3"),
    ("currencies", "€5 million", "$5 million"),
    ("vowel signs", "कि", "का"),
    ("accents", "papa", "papá"),
    ("a whole word of another script", "the \u0441\u043e\u0440 of it", "the cop of it"),
    ("letters without a look-alike", "the Ж5d plan", "the X5d plan"),
]


@pytest.mark.parametrize(("one", "other"), [c[1:] for c in SAME], ids=[c[0] for c in SAME])
def test_what_other_mark_up_changes_does_not_count(one: str, other: str) -> None:
    assert content_hash(one) == content_hash(other)


@pytest.mark.parametrize(("one", "other"), [c[1:] for c in DIFFERENT], ids=[c[0] for c in DIFFERENT])
def test_what_an_editor_changes_counts(one: str, other: str) -> None:
    assert content_hash(one) != content_hash(other)


def test_a_hash_is_32_hexadecimal_digits_that_never_change() -> None:
    assert content_hash("The council met on Monday.") == "034550f8729dff84fff30bd8a383f1a0"


@settings(deadline=None)
@given(st.text(st.characters()), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_unicode_form_never_matters(text: str, form: str) -> None:
    assert content_hash(unicodedata.normalize(form, text)) == content_hash(text)  # type: ignore[arg-type]


def test_a_long_text_is_one_article_wherever_it_stands() -> None:
    text = "word " * MIN_WORDS_OF_OWN
    assert identity_key(text, "https://a.com/", MIN_WORDS_OF_OWN) == content_hash(text)
    assert identity_key(text, "https://a.com/", 99) == identity_key(text, "https://b.com/", 99)


def test_a_short_text_is_an_article_of_its_own_at_each_address() -> None:
    keys = {identity_key("subscribers only", url, 2) for url in ("https://a.com/", "https://b.com/")}
    assert len(keys | {content_hash("subscribers only")}) == 3
    assert keys == {identity_key("Subscribers only!", url, 2) for url in ("https://a.com/", "https://b.com/")}


def test_time_is_linear_in_combining_marks(doubling: Callable[..., None]) -> None:
    """Unicode normalisation alone is quadratic in them: doubling would take four times as long."""
    doubling(content_hash, lambda marks: "a" + "\u0301\u0327" * marks, 100_000)


def test_time_is_linear_in_mixed_and_hidden_letters(doubling: Callable[..., None]) -> None:
    doubling(content_hash, lambda words: "h\u0430rb\u043eur\u034f " * words, 20_000)
    doubling(content_hash, lambda letters: "\u0430\u034f" + "b\u0436" * letters, 100_000)


def test_a_row_of_marks_is_cut_whatever_marks_it_has() -> None:
    """Of the text's other marks, and of signs that mean something in an expression, nothing is lost."""
    row = "\u0301\u0327\U0001e8d0" * MAX_MARKS
    text = f"e\u0301]^-\\{'a' * 100}{row}b\u0e38"
    assert without_long_marks(text) == text.replace(row, row[:MAX_MARKS])
    assert without_long_marks(f"{'年' * 200}]") == f"{'年' * 200}]"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Don’t — “STOP” 3 · 4…", "dontstop3\n4"),
        ("Straße ½ ﬁn №7", "strasse1\n2finno7"),
        ("cafe\u0301 ﬃ", "caféffi"),
        ("١ ٢ 3", "١\n٢\n3"),
        ("각", "각"),
    ],
)
def test_folding_is_the_same_character_by_character_and_in_context(text: str, folded: str) -> None:
    """Text without combining marks is folded kind by kind; a mark anywhere makes it take the long way."""
    assert caseless_nfkc(text) == folded
    assert caseless_nfkc(text + " e\u0323\u0302") == folded + "ệ"
