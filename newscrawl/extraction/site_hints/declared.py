"""The hints of a site as its declaration states them, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import Any, Final

from newscrawl.errors import UsageError, meant

KINDS: Final = ("drop", "keep", "title", "authors", "published")
"""The meanings of hints: parts of the page that are not or that are the article's text, and where three fields are."""
MAX_HINTS: Final = 50
"""Selectors of one set."""
MAX_SETS: Final = 20
SHOWN: Final = 80
"""Characters of a declaration that an error quotes."""


@dataclass(frozen=True, slots=True)
class HintSet:
    """The hints for pages fetched at `since` (aware) or later; None: at any time. Each is a tuple of selectors.

    `drop` names elements without any text of the article, `keep` elements with nothing else. `title`, `authors` and
    `published` name the elements with these fields; the first selector that finds a value counts.
    """

    since: datetime | None = None
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    published: tuple[str, ...] = ()

    @classmethod
    def of(cls, declared: object) -> HintSet:
        """Returns a set from a mapping with the names of the fields. Raises UsageError."""
        if not isinstance(declared, Mapping):
            raise UsageError(
                f"{str(declared)[:SHOWN]!r} is no set of hints, write a dict such as {{'drop': '.advert'}}"
            )
        known = [field.name for field in fields(cls)]
        for name in declared:
            if name not in known:
                near = meant(str(name), known)
                raise UsageError(f"there is no hint {str(name)[:SHOWN]!r}: {near}the names are {', '.join(known)}")
        selectors = {kind: _texts(kind, declared[kind]) for kind in KINDS if kind in declared}
        number = sum(map(len, selectors.values()))
        if number > MAX_HINTS:
            raise UsageError(f"a set of {number} hints is too large: write {MAX_HINTS} or fewer")
        from newscrawl.extraction.site_hints.selectors import check  # loads the parser, which few declarations need

        for kind, written in selectors.items():
            for selector in written:
                check(kind, selector)
        return cls(_moment(declared.get("since")), **selectors)

    def selectors(self) -> list[tuple[str, str]]:
        """Returns kind and selector of every hint, in the order of `KINDS`."""
        return [(kind, written) for kind in KINDS for written in getattr(self, kind)]


@dataclass(frozen=True, slots=True)
class SiteHints:
    """The sets of a site, the earliest first. False without any."""

    sets: tuple[HintSet, ...] = field(default=())

    @classmethod
    def of(cls, declared: object) -> SiteHints:
        """Returns the hints that a declaration states: a dict, a sequence of dicts of which each but one has `since`,
        or None. Raises UsageError."""
        if declared is None or isinstance(declared, SiteHints):
            return declared or NO_HINTS
        if isinstance(declared, Mapping):
            declared = (declared,)
        if isinstance(declared, str) or not isinstance(declared, Sequence):
            raise UsageError(f"{str(declared)[:SHOWN]!r} is no set of hints, write a dict or a tuple of dicts")
        if len(declared) > MAX_SETS:
            raise UsageError(f"{len(declared)} sets are too many: write {MAX_SETS} or fewer")
        sets = sorted(map(HintSet.of, declared), key=_since)
        for one, other in pairwise(sets):
            if one.since == other.since:
                raise UsageError("two sets have the same `since`: give each redesign its own")
        return cls(tuple(sets))

    def __bool__(self) -> bool:
        return bool(self.sets)

    def at(self, moment: datetime) -> HintSet | None:
        """Returns the set for pages fetched at an aware time: the one with the latest `since` before it."""
        found = None
        for hints in self.sets:
            if _since(hints) <= moment:
                found = hints
        return found


NO_HINTS: Final = SiteHints()
_EVER: Final = datetime.min.replace(tzinfo=UTC)


def _texts(kind: str, value: Any) -> tuple[str, ...]:
    texts = (value,) if isinstance(value, str) else value
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise UsageError(f"{kind} is {str(value)[:SHOWN]!r}, write a selector or a tuple of selectors")
    return tuple(texts)


def _moment(value: Any) -> datetime | None:
    """Returns the beginning of a day (UTC), or an aware time."""
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value) if "T" in value or " " in value else date.fromisoformat(value)
        if isinstance(value, datetime):
            return value.astimezone(UTC) if value.tzinfo is not None else value.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:  # an overflow is a time outside the years 1 to 9999 in UTC
        raise UsageError(f"since is {str(value)!r}, write a day such as '2026-10-01'") from error
    if value is None:
        return None
    if isinstance(value, date):
        return datetime.combine(value, time.min, UTC)
    raise UsageError(f"since is {str(value)[:SHOWN]!r}, write a day such as '2026-10-01'")


def _since(hints: HintSet) -> datetime:
    return hints.since or _EVER
