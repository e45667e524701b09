"""The dispatcher gives the searches that match, and asks few of them."""

from __future__ import annotations

import pytest
from search_questions import ARTICLES, QUESTIONS

from newscrawl.publishing.search.matching import ArticleWords
from newscrawl.publishing.search.query import Query, parse_query
from newscrawl.publishing.standing_searches.evaluating import Dispatcher, SearchedArticle


@pytest.mark.parametrize("name", ARTICLES)
def test_every_question_that_an_article_answers_is_found(name: str) -> None:
    dispatcher = Dispatcher((typed, parse_query(typed)) for typed, _ in QUESTIONS)
    language, title, text = ARTICLES[name]
    found = dispatcher.matching(SearchedArticle((title,), text, language, ("paper",)))
    assert found == {typed for typed, expected in QUESTIONS if name in expected.split()}


def test_few_searches_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Query] = []
    usual = ArticleWords.match

    def match(self: ArticleWords, query: Query) -> bool:
        asked.append(query)
        return usual(self, query)

    monkeypatch.setattr(ArticleWords, "match", match)
    queries = [(str(number), parse_query(f"the village{number}")) for number in range(1_000)]
    found = Dispatcher(queries).matching(SearchedArticle((), "the fire in village7 of the hills", "en", ()))
    assert found == {"7"}
    assert len(asked) == 1
