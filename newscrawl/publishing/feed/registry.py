"""Opens the sink that an argument of `newscrawl feed` names, such as `jsonl:FILE`.

To add a sink to newscrawl, write a module with a `SinkType` and name it in `BUILT_IN`. Sinks of users are found by
`newscrawl.config.extensions`, in NEWSCRAWL_SINKS first and then in installed packages; they cannot have a built-in
name. Each result of a user's sink is checked against the Protocol, so that a mistake in it loses no change.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from newscrawl.config import extensions
from newscrawl.config.extensions import SINKS, Extension
from newscrawl.errors import FeedError, NewscrawlError, UsageError
from newscrawl.model.identity.masking import masked, without_users
from newscrawl.publishing.feed import jsonl, opensearch, webhook
from newscrawl.publishing.feed.sink import Delivery, Entry, Sink, SinkOptions, SinkPosition, SinkType

logger = logging.getLogger(__name__)

_METHODS: Final = ("position", "send", "close")
"""Of a sink."""
BUILT_IN: Final[Mapping[str, SinkType]] = MappingProxyType(
    {
        "jsonl": jsonl.SINK,
        "webhook": webhook.SINK,
        "opensearch": opensearch.SINK,
        "elasticsearch": opensearch.SINK,
    }
)
"""The kinds of sink that newscrawl has itself, by the name before the colon."""


def open_sink(argument: str, own: Mapping[str, Any], options: SinkOptions) -> Sink:
    """Opens the sink that the argument (NAME:PLACE) names.

    `own` are the sinks of NEWSCRAWL_SINKS: name -> import path. Raises UsageError for an unknown name, ExtensionError
    for a user's sink that cannot be loaded, and FeedError for a sink that cannot be opened.
    """
    name, _, place = argument.partition(":")
    kind = BUILT_IN.get(name)
    if kind is not None:
        return kind.open(place, options)
    extension = extension_of(name, own)
    if extension is not None:
        return open_custom_sink(extension, place)
    usages = dict.fromkeys(kind.usage for kind in BUILT_IN.values())
    users = [f"{name}:PLACE" for name in sorted({*own, *installed_sinks()})]
    raise UsageError(f"no sink {argument!r}: there are {', '.join((*usages, *users))}")


def default_consumer(argument: str) -> str:
    """Returns the name of the consumer whose position in the feed is stored, unless the user gives another. It contains
    no user name and no password."""
    kind = _kind_of(argument)
    return without_users(argument) if kind is None else kind.consumer(argument)


def shown(argument: str) -> str:
    """Returns the argument without secrets, for messages."""
    kind = _kind_of(argument)
    return masked(argument) if kind is None else kind.shown(argument)


def has_index(argument: str) -> bool:
    """Returns whether the argument names a sink that keeps an index of whole stories."""
    kind = _kind_of(argument)
    return kind is not None and kind.has_index


def extension_of(name: str, own: Mapping[str, Any]) -> Extension | None:
    """Returns a user's sink before it is loaded; None if there is none of this name.

    Raises ExtensionError for a name that is built in or is declared twice.
    """
    if name in own:
        return extensions.from_setting(SINKS, name, own[name], BUILT_IN)
    return installed_sinks().get(name)


def installed_sinks() -> dict[str, Extension]:
    """Returns the sinks of installed packages by name. Raises ExtensionError as `extension_of` does."""
    return extensions.installed(SINKS, BUILT_IN)


def _kind_of(argument: str) -> SinkType | None:
    return BUILT_IN.get(argument.partition(":")[0])


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
