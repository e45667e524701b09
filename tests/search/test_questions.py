"""Sixty questions in six languages: each finds the same written articles on both databases and without an index."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from search_questions import ARTICLES, QUESTIONS

from newscrawl.publishing.search import SearchHit, parse_query
from newscrawl.publishing.search.matching import matches

Search = Callable[..., list[SearchHit]]
Save = Callable[..., int]


def test_there_are_sixty_questions_ten_a_language() -> None:
    assert len(QUESTIONS) == len({typed for typed, _ in QUESTIONS}) == 60
    assert len({language.partition("-")[0] for language, _, _ in ARTICLES.values()}) == 6


def test_an_index_gives_the_expected_articles(search: Search, save: Save) -> None:
    names = {
        save(f"https://paper.example/{name}", text, title=title, language=language): name
        for name, (language, title, text) in ARTICLES.items()
    }
    found = {typed: " ".join(sorted(names[hit.article_id] for hit in search(typed, 40))) for typed, _ in QUESTIONS}
    assert found == dict(QUESTIONS)


@pytest.mark.parametrize(("typed", "expected"), QUESTIONS)
def test_matching_without_an_index_gives_the_expected_articles(typed: str, expected: str) -> None:
    query = parse_query(typed)
    found = [
        name
        for name, (language, title, text) in sorted(ARTICLES.items())
        if matches(query, (title,), text, language)
        and (query.filters.language is None or language.startswith(query.filters.language))
    ]
    assert " ".join(found) == expected
