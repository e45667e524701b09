"""Why an article has changed: the reasons of the change feed, their strength, and how several causes become one. Pure.

A consumer receives several changes of one article as one, with the strongest reason among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Op = Literal["upsert", "remove", "merge"]
"""`upsert`: some page shows the article; it is to be stored as it is now. `remove`: no page shows it any longer.
`merge`: no shown article belongs to a story any longer, and another story takes its place."""

Reason = Literal[
    "forgotten",
    "expired",
    "gone",
    "superseded",
    "new",
    "corrected",
    "headline",
    "re-extracted",
    "parted",
    "joined",
    "metadata",
]

STRENGTH: Final[Sequence[Reason]] = (
    *("forgotten", "expired", "gone", "superseded"),
    *("new", "corrected", "headline", "re-extracted", "parted", "joined", "metadata"),
)
"""All reasons, the strongest first: what obliges a consumer to delete, then what the publisher did, then what newscrawl
did itself."""
OF_REMOVALS: Final[frozenset[Reason]] = frozenset({"forgotten", "expired", "gone", "superseded", "re-extracted"})
"""The reasons of `remove`. All others, and `re-extracted`, are reasons of `upsert`; `merge` has `parted`,
`corrected` or `re-extracted`."""

MAX_IDS: Final = 100
"""Ids that a change names in `replaces` and in `replaced_by`: those named last."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why an article changed.

    `reason` is None if it is not known, or is that of the other operation (`combined_for`). `change_class` is the class
    of the new version of a page (`newscrawl.storage.articles.deciding.differences`). `replaces` are the articles that
    its pages showed before, `replaced_by` those that its former pages show instead of it. `entries` are the new entries
    of a live report, as JSON objects with `at` and `title`.
    """

    reason: Reason | None
    change_class: str | None = None
    replaces: Sequence[int] = ()
    replaced_by: Sequence[int] = ()
    entries: Sequence[Mapping[str, Any]] = ()


NO_CAUSE: Final = Cause(None)
"""The cause of a change of which the reason is not known."""


def stronger(one: Reason | None, other: Reason | None) -> Reason | None:
    """Returns the stronger of two reasons; any reason is stronger than None."""
    if one is None or other is None:
        return one or other
    return one if STRENGTH.index(one) <= STRENGTH.index(other) else other


def combined(causes: Iterable[Cause]) -> Cause:
    """Returns the causes, given in the order of their changes, as one: the strongest reason with the class of its last
    change, and all replaced articles and new entries. What a later cause says of another article contradicts an earlier
    one."""
    reason: Reason | None = None
    change_class: str | None = None
    replaces: Sequence[int] = ()
    replaced_by: Sequence[int] = ()
    entries: list[Mapping[str, Any]] = []
    for cause in causes:
        if cause.reason is not None and stronger(reason, cause.reason) == cause.reason:
            change_class = cause.change_class or (change_class if reason == cause.reason else None)
            reason = cause.reason
        replaces = _ids(replaces, cause.replaces, without=cause.replaced_by)
        replaced_by = _ids(replaced_by, cause.replaced_by, without=cause.replaces)
        entries = [*(entry for entry in cause.entries if entry not in entries), *entries][:MAX_IDS]
    return Cause(reason, change_class, replaces, replaced_by, tuple(entries))


def combined_for(causes: Sequence[tuple[Op, Cause]], op: Op) -> Cause:
    """Returns the causes of an article's changes as one, for an entry with `op`.

    Reasons and new entries of the other operation do not count; the replaced articles of all changes do."""
    fitting = (
        cause if own == op else replace(cause, reason=None, change_class=None, entries=()) for own, cause in causes
    )
    return combined(fitting)


def _ids(before: Sequence[int], now: Sequence[int], *, without: Sequence[int]) -> Sequence[int]:
    kept = [number for number in before if number not in now and number not in without]
    return (*kept, *dict.fromkeys(now))[-MAX_IDS:]
