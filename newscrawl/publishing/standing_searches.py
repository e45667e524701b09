"""Standing searches: queries that are asked of every change, and the stories that they find.

In here: `save_search` checks and saves a search. `Evaluator` is the consumer of the change feed that evaluates all
searches, `Dispatcher` finds those that match an article. `decide` says which hits are new, corrected or withdrawn; it
is pure.
Not in here: the rows (`newscrawl.storage.feed.standing_searches`), what tells people of the stories
(`newscrawl.publishing.deliver`), and which process of a fleet does the work
(`newscrawl.crawling.monitoring.watchdog`). Start with `Evaluator.step`.

A step reads a batch of changes, decides, and stores hits, events and the cursor in one transaction. A process that is
killed loses the step, and the next one does it again from the same cursor. If two processes evaluate the same batch,
the second one stores nothing.

Not every search is tried on every article. A search is filed under the words of one of its clauses: an article that
matches contains at least one of these words. So only the searches that are filed under a word or stem of the article
are tried, a few of 1,000.

`newscrawl.crawling.runtime` and everything above it may import this module.
"""

from __future__ import annotations

import logging
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.publishing.deliver.feeds import problem_of
from newscrawl.publishing.deliver.places import check_place
from newscrawl.publishing.search.filters import Filters
from newscrawl.publishing.search.matching import ArticleWords
from newscrawl.publishing.search.query import Clause, Query, parse_query
from newscrawl.publishing.search.query_execution import query_of
from newscrawl.reports import documents
from newscrawl.reports.shown_articles import is_of
from newscrawl.storage.deliveries import Notice
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.feed import changes, consumers, standing_searches
from newscrawl.storage.feed.changes import Change
from newscrawl.storage.feed.standing_searches import CONSUMER, Evaluated, HitEvent, StandingSearch, StoryHit
from newscrawl.storage.reader import Connection, Database
from newscrawl.workers.processes import failpoints

logger = logging.getLogger(__name__)

BATCH: Final = 200
"""Changes of a step: about a megabyte of text."""
MAX_QUERY: Final = 1_000
"""Characters of a query that can be saved."""
MAX_NAME: Final = 100
CORRECTIONS: Final = frozenset({"corrected", "headline"})
"""Reasons of changes that a publisher made to an article; the others are of newscrawl or of retention."""
NO_LONGER: Final = "no longer matches"
_ORDER: Final = ("forgotten", "expired", "gone", "superseded", "corrected", "headline", "new")


def save_search(
    store: Database, name: str, query: str, places: Sequence[str], digest_hours: int, now: datetime
) -> None:
    """Saves a search, which finds what is stored from now on. Raises UsageError for a query or a place that cannot be
    used, and for a name that is in use, and StorageError."""
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise UsageError(f"--save: a name has 1 to {MAX_NAME} printable characters")
    if name.startswith("-"):
        raise UsageError(f"--save: {name!r} is no name but an option: write --save NAME QUERY")
    parsed = query_of(query, now)
    if len(query) > MAX_QUERY or parsed.cut:
        raise UsageError(f"--save: a saved query has at most {MAX_QUERY:,} characters and 32 words")
    if parsed.filters.since is not None:
        raise UsageError("--save: a saved query finds what is stored from now on: leave out since:")
    checked = [check_place(place) for place in places]
    if not store.run(standing_searches.save, name, query, checked, digest_hours, now).result():
        raise UsageError(f"--save: the name {name!r} is in use: `newscrawl search --remove` removes that search")


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

    def matching(
        self, titles: Iterable[str | None], text: str, language: str | None, sites: Collection[str]
    ) -> set[str]:
        """Returns the names of the searches that match an article. `titles` and `sites`: those of all pages that show
        it."""
        words = ArticleWords.of(titles, text, language)
        asked: set[str] = set()
        present = words.titles.present | words.text.present
        for word in present & self._words:
            asked.update(self._of_word[word])
        for length in self._lengths:
            for beginning in {word[:length] for word in present} & self._beginnings:
                asked.update(self._of_beginning[beginning])
        queries = ((name, self._queries[name]) for name in asked)
        return {name for name, query in queries if _allows(query.filters, sites, language) and words.match(query)}


def _cost(clause: Clause) -> tuple[int, int]:
    """Returns a low value for a clause that few articles contain: few alternatives, long words."""
    return len(clause.terms), -min(sum(map(len, term.words)) - 2 * term.prefix for term in clause.terms)


def _allows(filters: Filters, sites: Collection[str], language: str | None) -> bool:
    if filters.site is not None and filters.site not in sites:
        return False
    return filters.language is None or is_of(language, filters.language)


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
        readable = {search.name: search for search in self._readable}
        evaluated = decide(found, readable, position, read[-1].seq, self._now())
        failpoints.hit(failpoints.SEARCHES_DECIDED)
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
            number: self._dispatcher.matching(titles[number], article.text, article.language, article.sites)
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


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """All changes of one article in a batch. `story_id` is its story now, None if no page shows it any longer. `seq` is
    that of the last change."""

    article_id: int
    story_id: int | None
    seq: int
    reasons: Collection[str | None]
    replaces: Sequence[int]


@dataclass(frozen=True, slots=True)
class Found:
    """The data of a batch. `matching`: the searches that match each article that is shown, changed or not.
    `stories`: the story of each of these articles. `merges`: (story that ended, story in its place), in order."""

    changes: Sequence[ArticleChange]
    merges: Sequence[tuple[int, int]]
    hits: Sequence[StoryHit]
    matching: Mapping[int, Collection[str]]
    stories: Mapping[int, int]


def decide(found: Found, searches: Mapping[str, StandingSearch], after: int, upto: int, now: datetime) -> Evaluated:
    """Returns the hits that changed and the notices of the changes after `after` up to `upto`.

    A story is a hit of a search once, whichever of its articles matches. The hit follows its story when another number
    replaces it, and follows its article when a page shows a corrected text instead. Hits of other searches than
    `searches` only follow their stories.
    """
    work = _Work(searches, now, {(hit.search, hit.story_id): hit for hit in found.hits})
    before = dict(work.hits)
    for old, into in found.merges:
        work.merge(old, into)
    for change in found.changes:
        if change.story_id is not None:
            for search in sorted(found.matching.get(change.article_id, ())):
                if search in searches and change.seq > searches[search].from_seq:
                    work.matched(search, change, change.story_id)
    for change in found.changes:
        for hit in list(work.hits.values()):
            if hit.article_id == change.article_id and not hit.withdrawn and hit.search in searches:
                still = change.story_id is not None and hit.search in found.matching.get(change.article_id, ())
                if not still:
                    work.lost(hit, change, found)
    changed = [hit for key, hit in work.hits.items() if before.get(key) != hit]
    return Evaluated(after, upto, changed, set(before) - set(work.hits), work.notices)


@dataclass(slots=True)
class _Work:
    searches: Mapping[str, StandingSearch]
    now: datetime
    hits: dict[tuple[str, int], StoryHit]
    notices: list[Notice] = field(default_factory=list)

    def merge(self, old: int, into: int) -> None:
        for hit in [hit for hit in self.hits.values() if hit.story_id == old]:
            self._move(hit, into)

    def matched(self, search: str, change: ArticleChange, story: int) -> None:
        """Notes that an article of the story matches the search: the hit is new, or was withdrawn and returns, or has a
        correction."""
        hit = self.hits.get((search, story))
        if hit is None:
            former = {change.article_id, *change.replaces}
            known = [hit for hit in self.hits.values() if hit.search == search and hit.article_id in former]
            if not known:
                entry = str(uuid.uuid5(uuid.UUID(self.searches[search].feed_id), str(story)))
                hit = StoryHit(search, story, change.article_id, entry, self.now, self.now)
                self._tell(hit, "hit", _strongest(change.reasons))
                return
            hit = self._move(known[0], story)
        corrected = CORRECTIONS.intersection(filter(None, change.reasons))
        follows = hit.article_id in change.replaces
        if hit.withdrawn or follows or (hit.article_id == change.article_id and corrected):
            self._tell(
                replace(hit, article_id=change.article_id, withdrawn=False), "corrected", _strongest(change.reasons)
            )

    def lost(self, hit: StoryHit, change: ArticleChange, found: Found) -> None:
        """Notes that the article of a hit does not match any longer: the hit shows another article of its story that
        matches, or it is withdrawn."""
        others = sorted(
            number
            for number, searches in found.matching.items()
            if hit.search in searches and number != hit.article_id and found.stories.get(number) == hit.story_id
        )
        if others:
            self.hits[hit.search, hit.story_id] = replace(hit, article_id=others[0])
            return
        reason = _strongest(change.reasons) if change.story_id is None else NO_LONGER
        self._tell(replace(hit, withdrawn=True), "withdrawn", reason)

    def _move(self, hit: StoryHit, story: int) -> StoryHit:
        """Moves a hit to another story. If the search has a hit of that story already, that one stays, with the later
        time of both, because the time of the feed must not go back."""
        del self.hits[hit.search, hit.story_id]
        there = self.hits.get((hit.search, story))
        moved = replace(hit, story_id=story)
        if there is not None:
            moved = replace(there, updated_at=max(there.updated_at, hit.updated_at))
        self.hits[hit.search, story] = moved
        return moved

    def _tell(self, hit: StoryHit, event: HitEvent, reason: str | None) -> None:
        hit = replace(hit, updated_at=self.now)
        self.hits[hit.search, hit.story_id] = hit
        details = {"story_id": hit.story_id, "article_id": hit.article_id, "reason": reason}
        self.notices.append(Notice(hit.search, event, self.now, details))


def _strongest(reasons: Iterable[str | None]) -> str | None:
    """Returns the reason that a reader is told if several changes came together."""
    named = sorted(filter(None, reasons), key=lambda reason: _ORDER.index(reason) if reason in _ORDER else len(_ORDER))
    return named[0] if named else None
