"""Reads the feed for one consumer: at least once, in the order of commits, from its own cursor on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.errors import FeedError
from newscrawl.publishing.feed.entries import ChangedArticles, changed_articles, entries
from newscrawl.publishing.feed.filters import ALL, FeedFilter
from newscrawl.publishing.feed.sink import Delivery, Sink, SinkPosition
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.feed.consumers import ConsumerStep, Cursor
from newscrawl.storage.reader import Connection, Database
from newscrawl.workers.processes.failpoints import FEED_SENT, hit

BATCH: Final = 200
"""Changes that a sink gets at a time: about a megabyte of text."""


@dataclass(frozen=True, slots=True)
class FeedReader:
    """The feed of one consumer. Its cursor moves only after the sink has accepted the changes."""

    store: Database
    sink: Sink
    consumer: str
    now: Callable[[], datetime]
    batch: int = BATCH
    wanted: FeedFilter = ALL

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
            given = self._given(connection, found)
        if not read:
            return 0, 0
        matching = {number for number, article in found.documents.items() if self.wanted.has(article)}
        if given is not None and matching - given:
            self.store.run(consumers.give, self.consumer, matching - given).result()
        sent = {entry.article_id: entry for entry in entries(read, found, matching, given)}
        delivery = self.sink.send(list(sent.values())) if sent else Delivery(frozenset())
        hit(FEED_SENT)
        refused = {
            number: (sent[number].seq if number in sent else read[-1].seq, reason)
            for number, reason in delivery.refused.items()
        }
        removed = frozenset(number for number, entry in sent.items() if entry.op == "remove" and given is not None)
        done = ConsumerStep(
            *(self.consumer, read[-1].seq, position.index_id, delivery.accepted, refused, self.wanted.text, removed)
        )
        self.store.run(consumers.confirm, done, self.now()).result()
        return len(read), len(sent)

    def _given(self, connection: Connection, found: ChangedArticles) -> set[int] | None:
        """Returns those of the articles that the consumer may have; None if it has no filter."""
        if self.wanted.text is None:
            return None
        return consumers.given(connection, self.consumer, found.rows)

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
