"""Every text of a story resembles its representative, in whatever order texts are added, moved and removed."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_text_store import START, MemoryTextStore, one_pass, places_of

from newscrawl.identity.resemblance import MIN_JOIN_SHARE, MIN_MEMBER_SHARE, compare
from newscrawl.identity.signature import shingles
from newscrawl.identity.stories import ContainmentLink, StoryCandidate, StoryPlace, decide


def words(name, size=120):
    chance = random.Random(name)
    return [f"{chance.choice('bcdfgh')}{chance.randrange(10**6)}" for _ in range(size)]


def text(*parts):
    return " ".join(word for part in parts for word in part)


A, B, C, D = (words(name) for name in "ABCD")
ARTICLES = [words(f"article {number}") for number in range(5)]
BOX = words("box", 20)


def places_in(texts):
    return places_of(list(range(len(texts))))


def decided(number, candidates, of_text):
    return decide(number, candidates, of_text, lambda one: len(of_text(one)))


def stories_of(*texts):
    named = dict(enumerate(texts))
    return one_pass(named, places_in(texts))


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


def test_a_round_up_that_was_seen_first_joins_no_articles():
    found = stories_of(text(A, B, C), text(A), text(B), text(C))
    assert found.stories() == set()
    assert {(link.part, link.whole) for one in (1, 2, 3) for link in found.decisions[one].links} == {
        (1, 0),
        (2, 0),
        (3, 0),
    }


def test_a_chain_of_texts_joins_only_what_is_tied_to_its_first():
    found = stories_of(text(A), text(A[:66], B[:54]), text(A[66:], B[54:]), text(B))
    assert all(0 not in story or 3 not in story for story in found.stories())


def test_a_page_of_half_of_two_articles_with_one_box_joins_them_not_to_each_other():
    found = stories_of(text(A[:60], BOX, B[:60]), text(A[:60], BOX), text(B[:60], BOX))
    assert found.stories() == {frozenset({0, 1})}
    assert found.decisions[2].rejected == (0,)


def test_of_several_representatives_the_nearest_is_joined_and_of_equals_the_earlier():
    text_store = {0: text(A, B[:90]), 1: text(A, C[:90]), 2: text(A[:100], C[:60]), 3: text(A)}
    of_text = {number: shingles(one) for number, one in text_store.items()}.__getitem__
    assert decided(2, [StoryCandidate(0), StoryCandidate(1)], of_text).representative == 1
    assert decided(3, [StoryCandidate(0), StoryCandidate(1)], of_text).representative == 0
    assert decided(3, [StoryCandidate(1), StoryCandidate(0)], of_text).representative == 1


def test_a_part_that_shares_too_little_to_join_is_a_link_whichever_came_first():
    of_text = {1: shingles(text(A)), 2: shingles(text(A[:50]))}.__getitem__
    assert (
        decided(1, [StoryCandidate(2)], of_text).links
        == decided(2, [StoryCandidate(1)], of_text).links
        == (ContainmentLink(2, 1, 1.0),)
    )


def test_a_text_between_two_stories_is_linked_with_the_one_it_does_not_join():
    of_text = {1: shingles(text(A)), 2: shingles(text(A, B, C)), 3: shingles(text(A, ["more"]))}.__getitem__
    found = decided(3, [StoryCandidate(1), StoryCandidate(2)], of_text)
    assert (found.representative, [(link.part, link.whole) for link in found.links]) == (1, [(3, 2)])


def piece(articles):
    """A part of an article, or a box that all share."""
    starts = st.integers(0, 2).map(lambda third: third * 40)
    part = st.tuples(st.integers(0, len(articles) - 1), starts, st.sampled_from([40, 60, 80, 120]))
    return st.one_of(part.map(lambda chosen: articles[chosen[0]][chosen[1] : chosen[1] + chosen[2]]), st.just(BOX))


worlds = st.lists(st.lists(piece(ARTICLES), min_size=1, max_size=4), min_size=2, max_size=12, unique_by=str).map(
    lambda made: [text(*parts) for parts in made]
)


def check_representatives(text_store, texts):
    for number, representative in text_store.representatives.items():
        assert text_store.representatives[representative] == representative
        if number != representative:
            similarity = compare(shingles(texts[number]), shingles(texts[representative]))
            assert similarity.share_of_larger > MIN_JOIN_SHARE
            for other in [
                one
                for one in text_store.first_others(representative)
                if text_store.stored[one] < text_store.stored[number]
            ]:
                assert compare(shingles(texts[number]), shingles(texts[other])).share_of_larger >= MIN_MEMBER_SHARE


@settings(max_examples=examples(150), deadline=None)
@given(worlds, st.randoms(use_true_random=False), st.integers(0, 3))
def test_no_pages_put_texts_into_a_story_that_are_not_tied_to_its_representative(texts, chance, inline):
    """Texts come in any order and batches, are found to be older, and go; what is left is decided in small steps."""
    places = {
        number: StoryPlace(START + timedelta(minutes=chance.randrange(5)), str(number), number)
        for number in range(len(texts))
    }
    named = dict(enumerate(texts))
    text_store, left = MemoryTextStore(named), set()
    order = list(named)
    chance.shuffle(order)
    while order:
        batch = [order.pop() for _ in range(min(len(order), chance.randint(1, 3)))]
        left |= text_store.add(batch, places, inline)
        event = chance.random()
        number = chance.choice(sorted(text_store.stored)) if text_store.stored else None
        if event < 0.2 and number is not None:
            left |= text_store.dependent_on(number)
            places[number] = text_store.stored[number] = StoryPlace(
                START - timedelta(minutes=chance.randrange(9)), str(number), number
            )
            left |= text_store.dependent_on(number)
        elif event < 0.3 and number is not None:
            left |= text_store.remove(number)
            del named[number]
        left &= text_store.stored.keys()
        if chance.random() < 0.3:
            left = text_store.decide_all((), left, 2)
    steps = 0
    while left:
        left, steps = text_store.decide_all((), left, 2), steps + 1
        assert steps < 500
    check_representatives(text_store, texts)
    expected = one_pass(named, places)
    assert text_store.representatives == expected.representatives
    assert text_store.decisions == expected.decisions


def test_a_value_that_too_many_texts_hold_leads_to_the_first_of_them():
    texts = [text(A, [f"word{number}"]) for number in range(8)]
    assert one_pass(dict(enumerate(texts)), places_in(texts), limit=3).stories() == {frozenset(range(8))}


@pytest.mark.parametrize("gone", [0, 1])
def test_when_a_text_goes_those_left_are_as_if_it_had_never_been(gone):
    texts = dict(enumerate([text(A[:80], B[:60]), text(A, B[:60]), text(A), text(B)]))
    text_store = one_pass(texts, places_in(texts))
    text_store.decide_all((), text_store.remove(gone))
    del texts[gone]
    assert text_store.representatives == one_pass(texts, places_of(range(4))).representatives


Z = words("Z")
FIRST = text(A[:60], BOX, B[:60])
GUARD = text(A[:60], BOX, Z[:40])
NEARER = text(A[:30], BOX, Z[:40])
KEPT_OUT = text(BOX, B[:60])


def test_a_text_joins_when_the_member_that_kept_it_out_goes_to_another_story():
    texts = dict(enumerate([FIRST, NEARER, GUARD, KEPT_OUT]))
    places = places_in(texts)
    text_store = MemoryTextStore(texts)
    for number in (0, 2, 3):
        text_store.add([number], places)
    assert text_store.decisions[3].rejected == (0,)
    assert 3 not in text_store.neighbours(2)
    text_store.add([1], places)
    assert text_store.stories() == {frozenset({0, 3}), frozenset({1, 2})}
    assert text_store.decisions == one_pass(texts, places).decisions


def test_a_member_leaves_when_an_earlier_one_with_which_it_has_nothing_in_common_comes_back():
    texts = dict(enumerate([FIRST, NEARER, GUARD, KEPT_OUT]))
    places = places_in(texts)
    text_store = one_pass(texts, places)
    assert text_store.representatives[3] == 0
    text_store.decide_all((), text_store.remove(1))
    assert text_store.representatives == {0: 0, 2: 0, 3: 3}


def test_a_member_that_becomes_one_of_the_first_keeps_out_what_was_in():
    fillers = [text(FIRST.split()[:136], [f"more{number}"]) for number in range(2)]
    texts = dict(enumerate([*fillers, FIRST, GUARD, KEPT_OUT]))
    places = places_of([2, 0, 1, 3, 4])
    text_store = one_pass(texts, places)
    assert text_store.representatives == dict.fromkeys(range(5), 2)
    text_store.decide_all((), text_store.remove(0) | text_store.remove(1))
    assert text_store.representatives == {2: 2, 3: 2, 4: 4}
