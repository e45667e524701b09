"""Finds the standing searches that match an article, without asking each of them.

Each search is kept under the words of one of its clauses, of which an article must contain one. Only the searches that
are kept under a word or stem of the article are asked: of 1,000 searches a few.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from newscrawl.search.filters import Filters
from newscrawl.search.matching import ArticleWords
from newscrawl.search.query import Clause, Query


@dataclass(frozen=True, slots=True)
class SearchedArticle:
    """An article as searches see it: all titles and sites of the pages that show it."""

    titles: Sequence[str]
    text: str
    language: str | None
    sites: Collection[str]


class Dispatcher:
    """The searches by the words that an article must have."""

    def __init__(self, queries: Iterable[tuple[str, Query]]) -> None:
        self._queries: dict[str, Query] = {}
        self._of_word: dict[str, list[str]] = defaultdict(list)
        self._of_beginning: dict[str, list[str]] = defaultdict(list)
        for name, query in queries:
            self._queries[name] = query
            for term in min(query.wanted, key=_cost).terms:
                if term.prefix and len(term.words) == 1:
                    self._of_beginning[term.words[0]].append(name)
                else:
                    for word in (term.words[0], *term.stems):
                        self._of_word[word].append(name)
        self._words = frozenset(self._of_word)
        self._beginnings = frozenset(self._of_beginning)
        self._lengths = sorted({len(beginning) for beginning in self._of_beginning})

    def matching(self, article: SearchedArticle) -> set[str]:
        """Returns the names of the searches that match."""
        words = ArticleWords.of(article.titles, article.text, article.language)
        asked: set[str] = set()
        present = words.titles.present | words.text.present
        for word in present & self._words:
            asked.update(self._of_word[word])
        for length in self._lengths:
            for beginning in {word[:length] for word in present} & self._beginnings:
                asked.update(self._of_beginning[beginning])
        return {
            name for name in asked if _allows(self._queries[name].filters, article) and words.match(self._queries[name])
        }


def _cost(clause: Clause) -> tuple[int, int]:
    """Returns a low value for a clause that few articles contain: few alternatives, long words."""
    return len(clause.terms), -min(sum(map(len, term.words)) - 2 * term.prefix for term in clause.terms)


def _allows(filters: Filters, article: SearchedArticle) -> bool:
    if filters.site is not None and filters.site not in article.sites:
        return False
    if filters.language is None:
        return True
    tag = (article.language or "").replace("_", "-").casefold()
    return tag == filters.language or tag.startswith(f"{filters.language}-")
