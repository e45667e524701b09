"""What a sink is: where the changes of articles go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from newscrawl.storage.feed.changes import Op
from newscrawl.storage.reports import ExportedArticle


@dataclass(frozen=True, slots=True)
class Entry:
    """A change and the article as it is now; None for one that no page shows, whatever the change was.

    `seq` may serve as the document's version: what comes later has a higher one, and a repeated entry the same.
    """

    seq: int
    op: Op
    article_id: int
    at: datetime
    document: ExportedArticle | None


@dataclass(frozen=True, slots=True)
class SinkPosition:
    """How far a sink says it has got: `index_id` names what it writes into, `seq` is None where it keeps no count."""

    index_id: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of entries, by article: `accepted` ones are safe; `refused` ones will never be taken as they are, and
    the reason says why."""

    accepted: frozenset[int]
    refused: Mapping[int, str] = field(default_factory=dict)


class Sink(Protocol):
    """Takes entries in order. Raises FeedError when it could not take them; they are then given again.

    The consumer's cursor moves after `send` has returned, so whatever `send` accepts must be where it survives a kill
    and a power failure. Entries may come twice: an entry that is not newer than what the sink has of the article
    (`Entry.seq`) is to be accepted without effect.
    """

    def position(self) -> SinkPosition:
        """What the sink itself remembers; an index that was made anew has another `index_id` or a lower `seq`."""

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Takes the entries; once it returns, those accepted are safe. Each entry is accepted or refused."""

    def close(self) -> None:
        """Lets go of files and connections."""


class SinkFactory(Protocol):
    """Opens a sink: a class or function that a package or NEWSCRAWL_SINKS names."""

    def __call__(self, place: str, /) -> Sink:
        """The sink of `newscrawl feed NAME:PLACE`; `place` is what stands behind the colon, "" where nothing does.

        Raises FeedError where the sink cannot be opened, with what to do.
        """
