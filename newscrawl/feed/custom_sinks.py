"""Opens sinks of users and checks each result against the Protocol, so that a mistake in a sink loses no change."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from newscrawl import extensions
from newscrawl.errors import FeedError, NewscrawlError
from newscrawl.extensions import Extension
from newscrawl.feed.sink import Delivery, Entry, Sink, SinkPosition

logger = logging.getLogger(__name__)

_METHODS: Final = ("position", "send", "close")


def open_custom_sink(extension: Extension, place: str) -> Sink:
    """Returns a user's sink, opened at a place and wrapped in `CheckedSink`.

    Raises ExtensionError if it cannot be loaded or is no sink, and FeedError if it cannot be opened.
    """
    factory = extension.load_callable("place")
    with _in_one_line(extension.name, "could not be opened"):
        sink = factory(place)
    missing = [method for method in _METHODS if not callable(getattr(sink, method, None))]
    if missing:
        raise extension.error(f"what it opens is no sink: it has no {', '.join(missing)}")
    return CheckedSink(extension.name, sink)


@dataclass(frozen=True, slots=True)
class CheckedSink:
    """A user's sink. Its errors become FeedError, and a delivery that does not name every entry is an error."""

    name: str
    sink: Sink

    def position(self) -> SinkPosition:
        with _in_one_line(self.name, "cannot return its position"):
            position: object = self.sink.position()
        if not isinstance(position, SinkPosition):
            raise self._error(f"position() returned a {type(position).__name__}: return a SinkPosition")
        return position

    def send(self, entries: Sequence[Entry]) -> Delivery:
        with _in_one_line(self.name, "did not take changes"):
            delivery: object = self.sink.send(entries)
        if not isinstance(delivery, Delivery):
            raise self._error(f"send() returned a {type(delivery).__name__}: return a Delivery")
        lost = {entry.article_id for entry in entries} - delivery.accepted - delivery.refused.keys()
        if lost:
            raise self._error(f"send() neither accepted nor refused {_listed(lost)}")
        return delivery

    def close(self) -> None:
        """Closes the sink. What it accepted is safe already, so a failure is logged and no error."""
        try:
            self.sink.close()
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a user's code raises
            logger.warning("sink %r could not be closed: %s", self.name, extensions.described(error))

    def _error(self, problem: str) -> FeedError:
        return FeedError(f"sink {self.name!r}: {problem}; the next run sends the changes again")


@contextmanager
def _in_one_line(name: str, problem: str) -> Iterator[None]:
    """Turns an exception of a user's code into a FeedError. Errors of newscrawl pass unchanged."""
    try:
        yield
    except NewscrawlError:
        raise
    except (Exception, SystemExit) as error:
        raise FeedError(f"sink {name!r} {problem}: {extensions.described(error)}") from error


def _listed(articles: Collection[int]) -> str:
    first = ", ".join(str(number) for number in sorted(articles)[:5])
    return f"article {first}" if len(articles) == 1 else f"{len(articles)} articles ({first} ...)"
