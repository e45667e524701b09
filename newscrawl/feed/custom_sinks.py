"""Sinks of the user: opened by name, and held to the Protocol, so that a mistake of theirs loses no change."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from newscrawl import extensions
from newscrawl.errors import FeedError, NewscrawlError
from newscrawl.extensions import SINKS, Extension
from newscrawl.feed.sink import Delivery, Entry, Sink, SinkPosition

logger = logging.getLogger(__name__)

BUILT_IN: Final = ("jsonl", "webhook", "opensearch", "elasticsearch")
"""Kinds of sink that newscrawl has itself; no extension can have such a name."""
_METHODS: Final = ("position", "send", "close")


def open_sink(name: str, place: str, own: Mapping[str, Any]) -> Sink | None:
    """The sink of that name at that place, None where there is none. `own` are the project's by import path.

    Raises ExtensionError for one that cannot be loaded, FeedError for one that cannot be opened.
    """
    extension = extension_of(name, own)
    if extension is None:
        return None
    factory = extension.load_callable("place")
    with _in_one_line(name, "could not be opened"):
        sink = factory(place)
    missing = [method for method in _METHODS if not callable(getattr(sink, method, None))]
    if missing:
        raise extension.error(f"what it opens is no sink: it has no {', '.join(missing)}")
    return CheckedSink(name, sink)


def extension_of(name: str, own: Mapping[str, Any]) -> Extension | None:
    """The sink of that name before it is loaded. Raises ExtensionError for a name that cannot be used."""
    if name in own:
        return extensions.of_setting(SINKS, name, own[name], BUILT_IN)
    return installed_sinks().get(name)


def installed_sinks() -> dict[str, Extension]:
    """The sinks of installed packages by name. Raises ExtensionError for names that cannot be used."""
    return extensions.installed(SINKS, BUILT_IN)


@dataclass(frozen=True, slots=True)
class CheckedSink:
    """A sink of the user's: its errors become FeedError, and a delivery must name every entry."""

    name: str
    sink: Sink

    def position(self) -> SinkPosition:
        with _in_one_line(self.name, "does not tell its position"):
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
        return FeedError(f"sink {self.name!r}: {problem}; the changes are sent again next time")


@contextmanager
def _in_one_line(name: str, problem: str) -> Iterator[None]:
    """Makes FeedError of what a user's code raises; newscrawl's own errors have their line already."""
    try:
        yield
    except NewscrawlError:
        raise
    except (Exception, SystemExit) as error:
        raise FeedError(f"sink {name!r} {problem}: {extensions.described(error)}") from error


def _listed(articles: Collection[int]) -> str:
    first = ", ".join(str(number) for number in sorted(articles)[:5])
    return f"article {first}" if len(articles) == 1 else f"{len(articles)} articles ({first} ...)"
