"""Reading the feed for one consumer: at least once, in the order of commits, from its own cursor on."""

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
"""Changes given to a sink at a time: about a megabyte of text."""


@dataclass(frozen=True, slots=True)
class FeedReader:
    """The feed of one consumer. Its cursor moves only after the sink has taken what was read."""

    store: Database
    sink: Sink
    consumer: str
    now: Callable[[], datetime]
    batch: int = BATCH

    def restart(self) -> None:
        """Begins from nothing: every article is given again."""
        self.store.run(cursors.save, self.consumer, 0, self.sink.position().index_id, self.now()).result()

    def send_again(self) -> int:
        """Puts the changes that were set aside into the feed once more, as the articles are now; returns how many."""
        return self.store.run(refused_changes.send_again, self.consumer, self.now()).result()

    def step(self) -> int:
        """Gives the sink the next changes and returns how many it was given, 0 when it has all. Of several changes of
        one article that are read together it is given the last. Raises what the sink raises.

        What the sink refused for good counts as given; `refusals.load` has it.
        """
        with self.store.reading() as connection:
            position = self.sink.position()
            seq = start_of(cursors.load(connection, self.consumer), position, changes.newest(connection))
            found = changes.read(connection, seq, self.batch)
            last = {change.article_id: change for change in found}
            documents = reports.documents(connection, last)
        if not found:
            return 0
        delivery = self.sink.send(
            [
                Entry(change.seq, change.op, change.article_id, change.at, documents.get(change.article_id))
                for change in sorted(last.values(), key=lambda change: change.seq)
            ]
        )
        hit(FEED_SENT)
        refused = {
            number: (last[number].seq if number in last else found[-1].seq, reason)
            for number, reason in delivery.refused.items()
        }
        done = ConsumerStep(self.consumer, found[-1].seq, position.index_id, delivery.accepted, refused)
        self.store.run(refused_changes.confirm, done, self.now()).result()
        return len(last)


def start_of(cursor: Cursor | None, position: SinkPosition, newest: int) -> int:
    """The change to go on after. From nothing when the index is another than the cursor's, or the feed another than the
    cursor's (a database that was put back); from the index's own count where that is lower than the cursor."""
    if cursor is None or cursor.index_id != position.index_id or cursor.seq > newest:
        return 0
    return cursor.seq if position.seq is None else min(cursor.seq, position.seq)
