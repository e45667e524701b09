"""The dispatcher gives the searches that match, and asks few of them."""

from __future__ import annotations

import pytest
from search_questions import ARTICLES, QUESTIONS

from newscrawl.search.matching import ArticleWords
from newscrawl.search.query import Query, parse_query
from newscrawl.standing_searches.evaluating import Dispatcher, SearchedArticle


@pytest.mark.parametrize("name", ARTICLES)
def test_every_question_that_an_article_answers_is_found(name: str) -> None:
    dispatcher = Dispatcher((typed, parse_query(typed)) for typed, _ in QUESTIONS)
    language, title, text = ARTICLES[name]
    found = dispatcher.matching(SearchedArticle((title,), text, language, ("paper",)))
    assert found == {typed for typed, expected in QUESTIONS if name in expected.split()}


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("ferry site:paper", True),
        ("ferry site:other", False),
        ("ferry lang:en", True),
        ("ferry lang:en-us", False),
        ("sail* -whale", True),
        ("sail* OR whale", True),
        ('"new ferries"', False),
        ("title:ferry", True),
        ("title:harbour", False),
    ],
)
def test_filters_beginnings_and_titles(query: str, matches: bool) -> None:
    article = SearchedArticle(("Ferries return",), "They are sailing from the harbour.", "en-GB", {"paper", "copy"})
    assert bool(Dispatcher([("one", parse_query(query))]).matching(article)) is matches


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
