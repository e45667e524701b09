"""Answers a query for one text without an index: whether the text contains what is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from newscrawl.publishing.search.query import Clause, Query, Term
from newscrawl.publishing.search.words import BETWEEN, text_stems, words


@dataclass(frozen=True, slots=True)
class Words:
    """The words and stems of texts. `row` has the words in order, with a blank before and after each; no term spans two
    texts. `present` has each word and stem."""

    row: str
    present: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str | None], language: str | None) -> Words:
        """Returns the words of the texts, and their stems in the language."""
        row: list[str] = []
        stems: set[str] = set()
        for text in filter(None, texts):
            row += [*words(text), BETWEEN]
            stems.update(text_stems(text, language))
        return cls(f" {' '.join(row)} ", frozenset(stems.union(row)))

    def has(self, term: Term) -> bool:
        """Returns whether the term occurs."""
        if not self.present.isdisjoint(term.stems):
            return True
        if len(term.words) == 1 and not term.prefix:
            return term.words[0] in self.present
        return f" {' '.join(term.words)}{'' if term.prefix else ' '}" in self.row


@dataclass(frozen=True, slots=True)
class ArticleWords:
    """The words of an article: those of its titles, and those of its text."""

    titles: Words
    text: Words

    @classmethod
    def of(cls, titles: Iterable[str | None], text: str | None, language: str | None) -> ArticleWords:
        """Returns the words of an article in the language, a code such as "de" or None."""
        return cls(Words.of(titles, language), Words.of((text,), language))

    def has(self, clause: Clause) -> bool:
        """Returns whether one of the clause's terms occurs, whether or not the clause excludes it."""
        return any(self.titles.has(term) or (not term.in_title and self.text.has(term)) for term in clause.terms)

    def match(self, query: Query) -> bool:
        """Returns whether the article has all wanted clauses and none that is excluded; False without a wanted one."""
        is_wanted = False
        for clause in query.clauses:
            if self.has(clause) == clause.excluded:
                return False
            is_wanted = is_wanted or not clause.excluded
        return is_wanted


def matches(query: Query, titles: Iterable[str | None], text: str | None, language: str | None = None) -> bool:
    """Returns whether an article contains all wanted clauses of the query and none that is excluded; False for a query
    without a wanted clause. The words of one term must be in one title or in the text. The filters of the query are not
    looked at. Never raises."""
    return ArticleWords.of(titles, text, language).match(query)
