"""The consumer of the change feed that evaluates all standing searches, and finds those that match an article.

A step reads a batch of changes, decides, and stores hits, events and the cursor in one transaction. A process that is
killed loses the step, and the next one does it again from the same cursor. If two processes evaluate the same batch,
the second one stores nothing.

Not every search is tried on every article. A search is filed under the words of one of its clauses: an article that
matches contains at least one of these words. So only the searches that are filed under a word or stem of the article
are tried, a few of 1,000.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.publishing.deliver.feeds import problem_of
from newscrawl.publishing.search.filters import Filters
from newscrawl.publishing.search.matching import ArticleWords
from newscrawl.publishing.search.query import Clause, Query, parse_query
from newscrawl.publishing.standing_searches.deciding import ArticleChange, Found, SearchStart, decide
from newscrawl.reports import documents
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.feed import changes, consumers, standing_searches
from newscrawl.storage.feed.changes import Change
from newscrawl.storage.feed.standing_searches import CONSUMER, StandingSearch
from newscrawl.storage.reader import Connection, Database
from newscrawl.workers.processes.failpoints import SEARCHES_DECIDED, hit

logger = logging.getLogger(__name__)

BATCH: Final = 200
"""Changes of a step: about a megabyte of text."""


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


class Evaluator:
    """Evaluates the searches of a database. It keeps the parsed queries from one step to the next."""

    def __init__(self, store: Database, now: Callable[[], datetime], batch: int = BATCH) -> None:
        self._store = store
        self._now = now
        self._batch = batch
        self._known: Sequence[StandingSearch] = ()
        self._readable: Sequence[StandingSearch] = ()
        self._dispatcher = Dispatcher(())

    def step(self) -> int:
        """Evaluates the next changes. Returns how many; 0 when all are evaluated, or without a search. Raises
        StorageError."""
        with self._store.reading() as connection:
            cursor = consumers.load(connection, CONSUMER)
            searches = standing_searches.everything(connection)
            if not searches:
                return 0
            self._know(searches)
            position = cursor.seq if cursor is not None else 0
            after = min(position, changes.newest(connection))
            read = changes.read(connection, after, self._batch)
            if not read:
                return 0
            found = self._found(connection, read)
        starts = {search.name: SearchStart(search.from_seq, search.feed_id) for search in self._readable}
        evaluated = decide(found, starts, position, read[-1].seq, self._now())
        hit(SEARCHES_DECIDED)
        self._store.run(standing_searches.apply, evaluated, self._now()).result()
        return len(read)

    def _know(self, searches: Sequence[StandingSearch]) -> None:
        """Parses the queries. A search whose query cannot be read is left out: the others go on."""
        if searches == self._known:
            return
        readable = []
        for search in searches:
            problem = problem_of(search.query)
            if problem is None:
                readable.append(search)
            else:
                logger.warning("the standing search %r is not evaluated: %s", search.name, problem)
        self._dispatcher = Dispatcher((search.name, parse_query(search.query)) for search in readable)
        self._known, self._readable = searches, readable

    def _found(self, connection: Connection, read: Sequence[Change]) -> Found:
        touched = {change.article_id for change in read if change.article_id > 0}
        matching, stories = self._matching(connection, touched)
        merges = [(-change.article_id, change.into_story_id) for change in read if change.into_story_id is not None]
        articles = touched.union(*(change.replaces for change in read))
        numbers = {*stories.values(), *(story for merge in merges for story in merge)}
        hits = standing_searches.among(connection, articles, numbers)
        # A hit whose article is lost may be shown by another article of its story.
        lost = {known.story_id for known in hits if known.article_id in touched}
        shown = story_pages.pages_by_story(connection, lost | {into for _, into in merges})
        others = {page.article_id for story in shown.values() for page in story.pages} - stories.keys()
        more, more_stories = self._matching(connection, others) if others else ({}, {})
        return Found(_by_article(read, stories), merges, hits, matching | more, stories | more_stories)

    def _matching(
        self, connection: Connection, articles: Collection[int]
    ) -> tuple[dict[int, set[str]], dict[int, int]]:
        """Returns the searches that match each of the articles that is shown, and its story."""
        current = documents(connection, articles)
        stories = {number: article.cluster for number, article in current.items()}
        titles: dict[int, list[str]] = defaultdict(list)
        for story in story_pages.pages_by_story(connection, stories.values()).values():
            for page in story.pages:
                if page.title:
                    titles[page.article_id].append(page.title)
        matching = {
            number: self._dispatcher.matching(
                SearchedArticle(titles[number], article.text, article.language, article.sites)
            )
            for number, article in current.items()
        }
        return matching, stories


def _by_article(read: Sequence[Change], stories: dict[int, int]) -> list[ArticleChange]:
    """Returns the changes of each article as one, in the order of the last."""
    rows: dict[int, list[Change]] = defaultdict(list)
    for change in read:
        if change.article_id > 0:
            rows[change.article_id].append(change)
    merged = [
        ArticleChange(
            number,
            stories.get(number),
            own[-1].seq,
            tuple(change.reason for change in own if (change.op == "upsert") == (number in stories)),
            tuple(replaced for change in own for replaced in change.replaces),
            tuple(other for change in own for other in change.replaced_by),
        )
        for number, own in rows.items()
    ]
    return sorted(merged, key=lambda change: change.seq)


def evaluate_all(store: Database, now: Callable[[], datetime]) -> int:
    """Evaluates all changes that the searches lack. Returns how many. Raises StorageError."""
    evaluator, total = Evaluator(store, now), 0
    while read := evaluator.step():
        total += read
    return total
