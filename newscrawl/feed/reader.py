"""Reads the feed for one consumer: at least once, in the order of commits, from its own cursor on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.failpoints import FEED_SENT, hit
from newscrawl.feed.sink import Entry, Sink, SinkPosition
from newscrawl.storage import Database, reports
from newscrawl.storage.feed import changes, cursors, refused_changes
from newscrawl.storage.feed.cursors import Cursor
from newscrawl.storage.feed.refused_changes import ConsumerStep

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

    def restart(self) -> None:
        """Resets the cursor, so that every article is sent again."""
        self.store.run(cursors.save, self.consumer, 0, self.sink.position().index_id, self.now()).result()

    def send_again(self) -> int:
        """Appends the refused changes to the feed again, with the articles as they are now. Returns how many."""
        return self.store.run(refused_changes.send_again, self.consumer, self.now()).result()

    def step(self) -> int:
        """Sends the next changes to the sink. Returns how many were sent, 0 when it has all. Of several changes of one
        article only the last is sent. Raises what the sink raises.

        Changes that the sink refused for good count as sent; `refused_changes.load` returns them.
        """
        with self.store.reading() as connection:
            position = self.sink.position()
            seq = start_of(cursors.load(connection, self.consumer), position, changes.newest(connection))
            read = changes.read(connection, seq, self.batch)
            last = {change.article_id: change for change in read}
            documents = reports.documents(connection, last)
        if not read:
            return 0
        delivery = self.sink.send(
            [
                Entry(change.seq, change.op, change.article_id, change.at, documents.get(change.article_id))
                for change in sorted(last.values(), key=lambda change: change.seq)
            ]
        )
        hit(FEED_SENT)
        refused = {
            number: (last[number].seq if number in last else read[-1].seq, reason)
            for number, reason in delivery.refused.items()
        }
        done = ConsumerStep(self.consumer, read[-1].seq, position.index_id, delivery.accepted, refused)
        self.store.run(refused_changes.confirm, done, self.now()).result()
        return len(last)


def start_of(cursor: Cursor | None, position: SinkPosition, newest: int) -> int:
    """Returns the number of the change after which to continue.

    It is 0 if the index is not the cursor's, or if the database was restored and has fewer changes than the cursor. It
    is the index's own number if that is lower than the cursor.
    """
    if cursor is None or cursor.index_id != position.index_id or cursor.seq > newest:
        return 0
    return cursor.seq if position.seq is None else min(cursor.seq, position.seq)
