"""The Protocol of sinks, which receive the changes of articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from newscrawl.storage.feed.changes import Op
from newscrawl.storage.reports import ExportedArticle


@dataclass(frozen=True, slots=True)
class Entry:
    """A change, and the article as it is now; None if no page shows it, whatever the change was.

    `seq` can serve as the document's version: a later change has a higher one, a repeated entry the same.
    """

    seq: int
    op: Op
    article_id: int
    at: datetime
    document: ExportedArticle | None


@dataclass(frozen=True, slots=True)
class SinkPosition:
    """What a sink has received: `index_id` identifies its target, `seq` is the last change, None if it does not store
    it."""

    index_id: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """The results of entries by article id: `accepted` ones are safely stored; `refused` ones will never be accepted as
    they are, with the reason."""

    accepted: frozenset[int]
    refused: Mapping[int, str] = field(default_factory=dict)


class Sink(Protocol):
    """Receives entries in order. Raises FeedError if it could not; the entries are then sent again.

    The consumer's cursor advances after `send` has returned, so all accepted entries must be stored so that they
    survive a kill and a power failure. Entries may be sent twice: an entry that is not newer than the sink's state of
    the article (`Entry.seq`) must be accepted without effect.
    """

    def position(self) -> SinkPosition:
        """Returns what the sink itself stores. An index that was created again has another `index_id` or a lower
        `seq`."""

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Sends the entries. When it returns, the accepted ones are safely stored. Each is accepted or refused."""

    def close(self) -> None:
        """Closes files and connections."""


class SinkFactory(Protocol):
    """Opens a sink: a class or function that a package or NEWSCRAWL_SINKS names."""

    def __call__(self, place: str, /) -> Sink:
        """Returns the sink of `newscrawl feed NAME:PLACE`; `place` is the text after the colon, "" without one.

        Raises FeedError if the sink cannot be opened, with what to do.
        """
