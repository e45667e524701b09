"""Every text of a story resembles its first text, in whatever order texts arrive, and none changes an earlier one."""

from __future__ import annotations

import random
from itertools import combinations

from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_stories import MemoryStories, one_pass

from newscrawl.model.identity.signature import shingles
from newscrawl.model.identity.stories import (
    COMPARED,
    MIN_JOIN_SHARE,
    MIN_MEMBER_SHARE,
    OTHERS,
    ContainmentLink,
    StoryCandidate,
    compare,
    decide,
    nearest,
)


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
    texts = {0: text(A, B[:90]), 1: text(A, C[:90]), 2: text(A[:100], C[:60]), 3: text(A)}
    of_text = {number: shingles(one) for number, one in texts.items()}.__getitem__
    assert decide(2, [StoryCandidate(0), StoryCandidate(1)], of_text).representative == 1
    assert decide(3, [StoryCandidate(0), StoryCandidate(1)], of_text).representative == 0
    assert decide(3, [StoryCandidate(1), StoryCandidate(0)], of_text).representative == 1


def test_a_part_that_shares_too_little_to_join_is_a_link_whichever_came_first():
    of_text = {1: shingles(text(A)), 2: shingles(text(A[:50]))}.__getitem__
    found = decide(1, [StoryCandidate(2)], of_text).links
    assert found == decide(2, [StoryCandidate(1)], of_text).links == (ContainmentLink(2, 1, 1.0),)


def test_a_text_between_two_stories_is_linked_with_the_one_it_does_not_join():
    of_text = {1: shingles(text(A)), 2: shingles(text(A, B, C)), 3: shingles(text(A, ["more"]))}.__getitem__
    found = decide(3, [StoryCandidate(1), StoryCandidate(2)], of_text)
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
