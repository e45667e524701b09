"""Reads the feed for one consumer: at least once, in the order of commits, from its own cursor on.

A filter says which articles the consumer gets. Of the changes that are read together it gets one entry for each article
and each ended story.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from newscrawl import reports
from newscrawl.errors import FeedError
from newscrawl.publishing.feed.sink import Delivery, Entry, Sink, SinkPosition
from newscrawl.reports import ExportedArticle
from newscrawl.reports.shown_articles import is_of
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.feed.changes import Change, ChangedPage, combined_for
from newscrawl.storage.feed.consumers import Cursor
from newscrawl.storage.reader import Connection, Database
from newscrawl.workers.processes.failpoints import FEED_SENT, hit

BATCH: Final = 200
"""Changes that a sink gets at a time: about a megabyte of text."""


@dataclass(frozen=True, slots=True)
class FeedFilter:
    """Articles that some page of one of the `sites` shows, in one of the `languages`, with one of the `verdicts`, with
    at least `min_confidence`, and of which `says` is true. An empty collection allows all.

    `query` is the text from which `says` was made. A language is given as "de", which includes "de-AT". An article
    stored without a confidence is left out if `min_confidence` is given.
    """

    sites: Collection[str] = ()
    languages: Collection[str] = ()
    verdicts: Collection[str] = ()
    query: str | None = None
    says: Callable[[ExportedArticle], bool] | None = None
    min_confidence: float | None = None

    @property
    def text(self) -> str | None:
        """The filter as options of `newscrawl feed`, None if it allows all articles. Equal filters have equal texts."""
        options = [
            *(f"--site {shlex.quote(site)}" for site in sorted({*self.sites})),
            *(f"--lang {shlex.quote(language)}" for language in sorted({*self.languages})),
            *(f"--verdict {verdict}" for verdict in sorted({*self.verdicts})),
            *([f"--query {shlex.quote(self.query)}"] if self.query is not None else ()),
            *([f"--min-confidence {self.min_confidence:g}"] if self.min_confidence is not None else ()),
        ]
        return " ".join(options) or None

    def has(self, article: ExportedArticle) -> bool:
        """Returns whether the consumer gets the article."""
        return (
            (not self.sites or not set(self.sites).isdisjoint(article.sites))
            and (not self.languages or any(is_of(article.language, code) for code in self.languages))
            and (not self.verdicts or article.verdict in self.verdicts)
            and (self.min_confidence is None or _is_sure(article.confidence, self.min_confidence))
            and (self.says is None or self.says(article))
        )


ALL: Final = FeedFilter()
"""The filter of a consumer that gets all articles."""


@dataclass(frozen=True, slots=True)
class FeedReader:
    """The feed of one consumer. Its cursor moves only after the sink has accepted the changes."""

    store: Database
    sink: Sink
    consumer: str
    now: Callable[[], datetime]
    batch: int = BATCH
    wanted: FeedFilter = ALL
    with_structure: bool = False
    """Whether the sink is to write the structure of the texts."""

    def restart(self) -> None:
        """Resets the cursor, so that every article is sent again. The consumer may have another filter than before."""
        index_id = self.sink.position().index_id
        self.store.run(consumers.restart, self.consumer, index_id, self.now(), self.wanted.text).result()

    def send_again(self) -> int:
        """Appends the refused changes to the feed again, with the articles as they are now. Returns how many."""
        return self.store.run(consumers.send_again, self.consumer, self.now()).result()

    def step(self) -> int:
        """Sends the next changes to the sink. Returns how many were sent, 0 when it has all. Several changes of one
        article are sent as one. Raises what the sink raises, and FeedError if the consumer had another filter.

        Changes that the sink refused for good count as sent; `consumers.refused` returns them.
        """
        while True:
            read, sent = self._step()
            if sent or not read:
                return sent

    def _step(self) -> tuple[int, int]:
        """Returns how many changes were read, and how many were sent."""
        with self.store.reading() as connection:
            position = self.sink.position()
            cursor = consumers.load(connection, self.consumer)
            self._check(cursor)
            seq = start_of(cursor, position, changes.newest(connection))
            read = changes.read(connection, seq, self.batch)
            found = changed_articles(connection, read)
            # The articles that the consumer may have; None without a filter.
            given = None if self.wanted.text is None else consumers.given(connection, self.consumer, found.rows)
        if not read:
            return 0, 0
        matching = {number for number, article in found.documents.items() if self.wanted.has(article)}
        if given is not None and matching - given:
            self.store.run(consumers.give, self.consumer, matching - given).result()
        made = entries(read, found, matching, given)
        sent = {entry.article_id: replace(entry, with_structure=self.with_structure) for entry in made}
        delivery = self.sink.send(list(sent.values())) if sent else Delivery(frozenset())
        hit(FEED_SENT)
        refused = {
            number: (sent[number].seq if number in sent else read[-1].seq, reason)
            for number, reason in delivery.refused.items()
        }
        removed = frozenset(number for number, entry in sent.items() if entry.op == "remove" and given is not None)
        reached = Cursor(self.consumer, read[-1].seq, position.index_id, self.now(), self.wanted.text)
        self.store.run(consumers.confirm, reached, delivery.accepted, refused, removed).result()
        return len(read), len(sent)

    def _check(self, cursor: Cursor | None) -> None:
        if cursor is not None and cursor.filters != self.wanted.text:
            raise FeedError(
                f"consumer {self.consumer!r} was fed with {cursor.filters or 'no filter'}, not with "
                f"{self.wanted.text or 'none'}: give the same options, another --name, or --from-start"
            )


def start_of(cursor: Cursor | None, position: SinkPosition, newest: int) -> int:
    """Returns the number of the change after which to continue.

    It is 0 if the index is not the cursor's, or if the database was restored and has fewer changes than the cursor. It
    is the index's own number if that is lower than the cursor.
    """
    if cursor is None or cursor.index_id != position.index_id or cursor.seq > newest:
        return 0
    return cursor.seq if position.seq is None else min(cursor.seq, position.seq)


@dataclass(frozen=True, slots=True)
class ChangedArticles:
    """The stored data of the articles of the changes that were read together."""

    rows: Mapping[int, Sequence[Change]]
    """The changes of each article in order. If an article has changed since the last change that was read, its later
    changes are included."""
    documents: Mapping[int, ExportedArticle]
    pages: Mapping[int, Sequence[ChangedPage]]


def changed_articles(connection: Connection, read: Sequence[Change]) -> ChangedArticles:
    """Returns the state of the articles that the changes name."""
    rows: dict[int, list[Change]] = defaultdict(list)
    for change in read:
        if change.op != "merge":
            rows[change.article_id].append(change)
    documents = reports.documents(connection, rows)
    ahead = [number for number, own in rows.items() if (own[-1].op == "remove") == (number in documents)]
    for number, every in changes.by_article(connection, ahead).items():
        rows[number] += [change for change in every if change.seq > rows[number][-1].seq]
    return ChangedArticles(rows, documents, changes.pages_of(connection, rows))


def entries(
    read: Sequence[Change], found: ChangedArticles, matching: Collection[int], given: Collection[int] | None
) -> list[Entry]:
    """Returns the entries in the order of the last change of each article or story.

    `matching` are the shown articles that the consumer wants. One that it does not want is removed if it is among
    `given`, the articles that it may have; None stands for all articles.
    """
    last: dict[int, Change] = {change.article_id: change for change in read}
    made = (
        _of_story(change) if change.op == "merge" else _of_article(change, found, number in matching)
        for number, change in last.items()
        if change.op == "merge" or given is None or number in matching or number in given
    )
    return sorted(made, key=lambda entry: entry.seq)


def _of_story(change: Change) -> Entry:
    return Entry(
        *(change.seq, "merge", change.article_id, change.at, None),
        story_id=change.story_id or -change.article_id,
        into=change.into_story_id,
        reason=change.reason,
    )


def _of_article(change: Change, found: ChangedArticles, is_wanted: bool) -> Entry:
    number = change.article_id
    document = found.documents.get(number)
    rows = found.rows[number]
    cause = combined_for([(row.op, row.cause) for row in rows], "remove" if document is None else "upsert")
    stories = [row.story_id for row in rows if row.story_id is not None]
    return Entry(
        *(change.seq, "upsert" if is_wanted else "remove", number, change.at, document if is_wanted else None),
        story_id=document.cluster if document is not None else stories[-1] if stories else number,
        reason=cause.reason,
        change_class=cause.change_class,
        pages=found.pages.get(number, ()),
        replaces=cause.replaces,
        replaced_by=cause.replaced_by,
        new_entries=cause.entries if is_wanted else (),
    )


def _is_sure(confidence: float | None, least: float) -> bool:
    return confidence is not None and confidence >= least
