"""The order of hits in SQLite."""

from __future__ import annotations

from itertools import pairwise

from newscrawl.search.bm25 import Candidate, forms_of, length, occurrences, ranked, rarity
from newscrawl.search.query import parse_query
from newscrawl.search.stems import query_stems


def order(candidates: list[Candidate], *rarities: float) -> list[int]:
    return [candidate.article_id for _, candidate in ranked(candidates, rarities)]


def test_more_occurrences_count_less_and_less() -> None:
    scores = [score for score, _ in ranked([Candidate(n, n, (n,), 1_000) for n in (1, 2, 3, 50)], [1.0])]
    steps = [more - less for more, less in pairwise(scores)]
    assert scores == sorted(scores, reverse=True)
    assert steps[1] < steps[2]  # from 2 to 3 occurrences, and from 1 to 2


def test_a_shorter_text_of_equal_occurrences_comes_first_and_then_the_older() -> None:
    candidates = [Candidate(1, 1, (2,), 9_000), Candidate(2, 2, (2,), 1_000), Candidate(3, 3, (2,), 9_000)]
    assert order(candidates, 1.0) == [2, 1, 3]
    assert order([], 1.0) == []
    assert order([Candidate(1, 1, (1,), length("", "ferry"))], 1.0) == [1]
    assert (length("", ""), length("two words", "and three more")) == (2, 5)


def test_a_rare_word_outweighs_a_common_one() -> None:
    candidates = [Candidate(1, 1, (1, 4), 1_000), Candidate(2, 2, (4, 1), 1_000)]
    assert order(candidates, rarity(9_000, 10_000), rarity(12, 10_000)) == [1, 2]
    assert order(candidates, rarity(12, 10_000), rarity(9_000, 10_000)) == [2, 1]
    assert 0 < rarity(10_000, 10_000) < rarity(9_000, 10_000) < rarity(0, 10_000)
    assert rarity(0, 0) > 0


def counted(typed: str, titles: str, text: str, language: str | None = "en") -> tuple[int, ...]:
    return occurrences(forms_of(parse_query(typed).wanted, language), titles, text)


def test_words_phrases_beginnings_and_stems_are_counted() -> None:
    stem = query_stems("ferries", "en")[0]
    text = f"the ferry and the ferry man saw two ferries \u241e {stem}"
    assert counted('"ferry"', "", text) == (2,)
    assert counted('"ferry man"', "", text) == (1,)
    assert counted("fer*", "", text) == (3,)
    assert counted("ferries", "", text) == (2,)  # the word and its stem
    assert counted("ferries", "", text, "de") == (1,)
    assert counted("ferries", "", text, None) == (1,)
    assert counted('"ferry" "two"', "", text) == (2, 1)
    assert counted('"man" OR "two"', "", text) == (2,)


def test_a_title_counts_five_times_and_alone_where_it_is_asked_for() -> None:
    assert counted('"ferry"', "ferry", "a ferry") == (6,)
    assert counted("title:ferry", "a ferry man", "a ferry", None) == (5,)
    assert counted('"ferry"', "ferryman", "ferrying") == (0,)
