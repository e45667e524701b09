"""Which entries of a live report are new: the entries of two readings compared. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final

from newscrawl.model import LiveEntry
from newscrawl.storage.records import EntryName

MAX_NAMED: Final = 20
"""New entries that a version and a change name: the first on the page, which are the latest on nearly all pages."""
NAME_CHARACTERS: Final = 100
"""Characters that stand for an entry without a title."""


def names_of(entries: Iterable[LiveEntry]) -> tuple[EntryName, ...]:
    """Returns the names of the entries of a reading."""
    return tuple(
        EntryName(e.at.isoformat() if e.at else None, e.title or e.text[:NAME_CHARACTERS], e.id) for e in entries
    )


def stored_names(entries: Iterable[Mapping[str, Any]] | None) -> tuple[EntryName, ...]:
    """Returns the names of stored entries (`versions.live_entries`)."""
    return tuple(
        EntryName(e.get("at"), e.get("title") or (e.get("text") or "")[:NAME_CHARACTERS], e.get("id"))
        for e in entries or ()
    )


def new_entries(old: Sequence[EntryName], new: Sequence[EntryName]) -> tuple[EntryName, ...]:
    """Returns the entries of `new` that `old` does not have, in the order of the page.

    An edited entry keeps its time, or the page's own name for it, and is not new. Times alone are compared last, since
    two entries may be of the same minute, and names by themselves only where no time is stated, since some pages number
    their entries from the top.
    """
    rest_old, rest_new = list(old), list(new)
    for key in (_whole, _moment, _own_name):
        rest_old, rest_new = _unmatched(rest_old, rest_new, key)
    return tuple(rest_new)


def _whole(entry: EntryName) -> Hashable:
    return entry.at, entry.title


def _moment(entry: EntryName) -> Hashable:
    return entry.at


def _own_name(entry: EntryName) -> Hashable:
    return entry.id if entry.at is None else None


def _unmatched(
    old: Sequence[EntryName], new: Sequence[EntryName], key: Callable[[EntryName], Hashable]
) -> tuple[list[EntryName], list[EntryName]]:
    """Returns the entries of both that have no partner with the same key. None is the key of no entry."""
    left = Counter(map(key, old))
    left[None] = 0
    alone: list[EntryName] = []
    for entry in new:
        if left[key(entry)] > 0:
            left[key(entry)] -= 1
        else:
            alone.append(entry)
    remaining: list[EntryName] = []
    for entry in old:
        if key(entry) is None or left[key(entry)] > 0:
            left[key(entry)] -= key(entry) is not None
            remaining.append(entry)
    return remaining, alone
