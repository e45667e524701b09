"""Chooses the sink that an argument of `newscrawl feed` names, such as `jsonl:FILE`.

To add a sink to newscrawl, write a module with a `SinkType` and name it in `BUILT_IN`. Sinks of users are found by
`newscrawl.extensions`, in NEWSCRAWL_SINKS first and then in installed packages; they cannot have a built-in name.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from newscrawl import extensions
from newscrawl.errors import UsageError
from newscrawl.extensions import SINKS, Extension
from newscrawl.feed import jsonl, opensearch, webhook
from newscrawl.feed.custom_sinks import open_custom_sink
from newscrawl.feed.sink import Sink, SinkOptions, SinkType
from newscrawl.identity.masking import masked, without_users

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
