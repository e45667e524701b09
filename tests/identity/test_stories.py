"""Texts: their keys and sketches, how much two of them share, and the story that an article joins."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from itertools import combinations

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_stories import MemoryStories, one_pass

from newscrawl.model.identity import content_hash, identity_key
from newscrawl.model.identity.content import MIN_WORDS_OF_OWN, caseless_nfkc
from newscrawl.model.identity.letters import MAX_MARKS, without_long_marks
from newscrawl.model.identity.segmentation import tokens
from newscrawl.model.identity.signature import MAX_SKETCH, SKETCH, shingles, signature
from newscrawl.model.identity.stories import (
    COMPARED,
    MIN_JOIN_SHARE,
    MIN_MEMBER_SHARE,
    OTHERS,
    ContainmentLink,
    Similarity,
    compare,
    decide,
    nearest,
    related,
)

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
    assert tokens(one)[0].tolist() == tokens(other)[0].tolist()


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


def words(name, size=120):
    chance = random.Random(name)
    return [f"{chance.choice('bcdfgh')}{chance.randrange(10**6)}" for _ in range(size)]


def text(*parts):
    return " ".join(word for part in parts for word in part)


A, B, C = (words(name) for name in "ABC")
ARTICLES = [words(f"article {number}") for number in range(5)]
BOX = words("box", 20)


def stories_of(*texts):
    return one_pass(dict(enumerate(texts)))


def test_a_copy_joins_the_text_it_copies():
    assert stories_of(text(A), text(A, B[:40]), text(B)).stories() == {frozenset({0, 1})}


def test_pages_with_the_texts_of_two_articles_each_join_no_articles():
    articles = [words(f"site {number}") for number in range(6)]
    pairs = [text(articles[one], articles[one + 1]) for one in range(5)]
    found = stories_of(*map(text, articles), *pairs)
    assert found.stories() == set()
    links = found.decisions[6].links
    assert {(link.part, link.whole) for link in links} == {(0, 6), (1, 6)}
    assert all(link.containment == 1 for link in links)


def test_a_round_up_that_came_first_joins_no_articles():
    found = stories_of(text(A, B, C), text(A), text(B), text(C))
    assert found.stories() == set()
    links = {(link.part, link.whole) for one in (1, 2, 3) for link in found.decisions[one].links}
    assert links == {(1, 0), (2, 0), (3, 0)}


def test_a_chain_of_texts_joins_only_what_is_tied_to_its_first():
    found = stories_of(text(A), text(A[:66], B[:54]), text(A[66:], B[54:]), text(B))
    assert all(0 not in story or 3 not in story for story in found.stories())


def test_a_page_of_half_of_two_articles_with_one_box_joins_them_not_to_each_other():
    found = stories_of(text(A[:60], BOX, B[:60]), text(A[:60], BOX), text(B[:60], BOX))
    assert found.stories() == {frozenset({0, 1})}


def test_a_text_that_is_kept_out_of_a_story_tries_the_next():
    found = stories_of(text(A[:60], BOX, B[:60]), text(A[:60], BOX), text(B[:50], BOX, C[:50]), text(B[:60], BOX))
    assert found.representatives == {0: 0, 1: 0, 2: 2, 3: 2}


def test_of_several_representatives_the_nearest_is_joined_and_of_equals_the_first():
    texts = {0: text(A, B[:40]), 1: text(A, C[:40]), 2: text(A[:110], C[:40]), 3: text(A)}
    of_text = {number: shingles(one) for number, one in texts.items()}.__getitem__
    assert [decide(2, stories, of_text).representative for stories in ({0: (), 1: ()}, {1: (), 0: ()})] == [1, 1]
    assert decide(3, {0: (), 1: ()}, of_text).representative == 0
    assert decide(3, {1: (), 0: ()}, of_text).representative == 1


def test_a_part_that_shares_too_little_to_join_is_a_link_whichever_came_first():
    of_text = {1: shingles(text(A)), 2: shingles(text(A[:50]))}.__getitem__
    found = decide(1, {2: ()}, of_text).links
    assert found == decide(2, {1: ()}, of_text).links == (ContainmentLink(2, 1, 1.0),)


def test_a_text_between_two_stories_is_linked_with_the_one_it_does_not_join():
    of_text = {1: shingles(text(A)), 2: shingles(text(A, B, C)), 3: shingles(text(A, ["more"]))}.__getitem__
    found = decide(3, {1: (), 2: ()}, of_text)
    assert (found.representative, [(link.part, link.whole) for link in found.links]) == (1, [(3, 2)])


def test_of_many_stories_those_with_most_shared_values_are_compared():
    shared = {number: 2 + number % 5 for number in range(60)}
    chosen = nearest(shared, {number: number // 2 for number in shared})
    assert len(chosen) == COMPARED
    assert chosen == sorted(chosen)
    left_out = set(range(30)) - set(chosen)
    most = {story: max(shared[2 * story], shared[2 * story + 1]) for story in range(30)}
    assert min(most[story] for story in chosen) >= max(most[story] for story in left_out)


def piece(articles):
    """A part of an article, or a box that all share."""
    starts = st.integers(0, 2).map(lambda third: third * 40)
    part = st.tuples(st.integers(0, len(articles) - 1), starts, st.sampled_from([40, 60, 80, 120]))
    return st.one_of(part.map(lambda chosen: articles[chosen[0]][chosen[1] : chosen[1] + chosen[2]]), st.just(BOX))


worlds = st.lists(st.lists(piece(ARTICLES), min_size=1, max_size=4), min_size=2, max_size=12, unique_by=str).map(
    lambda made: [text(*parts) for parts in made]
)


@settings(max_examples=examples(150), deadline=None)
@given(worlds, st.randoms(use_true_random=False))
def test_every_text_of_a_story_is_tied_to_its_first_texts(texts, chance):
    """Nothing glues unrelated texts together, in any order of arrival."""
    order = list(range(len(texts)))
    chance.shuffle(order)
    found = one_pass(dict(enumerate(texts)), order)
    for story, members in found.members.items():
        assert members[0] == story
        for place, number in enumerate(members[1:], 1):
            assert compare(found.shingles(number), found.shingles(story)).share_of_larger > MIN_JOIN_SHARE
            for other in members[1 : min(place, 1 + OTHERS)]:
                assert compare(found.shingles(number), found.shingles(other)).share_of_larger >= MIN_MEMBER_SHARE


@settings(max_examples=examples(80), deadline=None)
@given(worlds, worlds, st.randoms(use_true_random=False))
def test_texts_that_come_later_change_no_story_of_earlier_texts(texts, later, chance):
    """Nothing steals a text from its story, whatever pages of other texts arrive, and however many."""
    order = list(range(len(texts)))
    chance.shuffle(order)
    every = dict(enumerate([*texts, *later]))
    found = one_pass(every, order)
    before, decisions = dict(found.representatives), dict(found.decisions)
    for number in range(len(texts), len(every)):
        found.add(number)
    assert {number: found.representatives[number] for number in before} == before
    assert {number: found.decisions[number] for number in decisions} == decisions


def test_articles_that_share_nothing_are_apart_whatever_mixtures_of_them_come_before_and_between():
    chance = random.Random(0)
    for _ in range(20):
        mixtures = [
            text(*(chance.choice(ARTICLES)[start : start + 60] for start in (0, 60, 30)[: chance.randint(2, 3)]))
            for _ in range(30)
        ]
        texts = dict(enumerate([*map(text, ARTICLES), *mixtures]))
        order = sorted(texts)
        chance.shuffle(order)
        found = one_pass(texts, order)
        own = [found.representatives[number] for number in range(len(ARTICLES))]
        apart = [(one, other) for one, other in combinations(own, 2) if one == other]
        assert apart == []


def test_a_text_with_more_copies_than_a_value_leads_to_is_not_buried():
    texts = [text(A, [f"word{number}"]) for number in range(8)]
    assert one_pass(dict(enumerate(texts)), limit=3).stories() == {frozenset(range(8))}
    copies = {number: text(A[:100], [f"copier{number}"] * 9) for number in range(1, 150)}
    found = one_pass({0: text(A), **copies, 200: text(A, B[:20])})
    assert found.representatives[200] == 0


def test_a_text_too_short_for_a_signature_is_in_no_story():
    found = MemoryStories({0: text(A[:20]), 1: text(A)})
    found.add(0)
    found.add(1)
    assert found.representatives == {1: 1}
