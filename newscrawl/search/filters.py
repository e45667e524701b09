"""Which articles may match a query, besides its words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newscrawl.errors import UsageError


@dataclass(frozen=True, slots=True)
class Filters:
    """Which articles may match, by any page that shows them. `since` and `until`: published at this time or later, and
    before that one, or first seen if no date is stated. With `by_local_day` a publication is compared by the time that
    readers saw (newscrawl.times.local_time). `language`: a code such as "de", which also matches "de-AT"."""

    site: str | None = None
    since: datetime | None = None
    language: str | None = None
    by_local_day: bool = False
    until: datetime | None = None


def combined(options: Filters, typed: Filters) -> Filters:
    """Returns the filters that allow what both allow: those of the options and those typed in the query. Raises
    UsageError if nothing can match both."""
    return Filters(
        site=_either("site", options.site, typed.site),
        since=max(filter(None, (options.since, typed.since)), default=None),
        language=_language(options.language, typed.language),
        by_local_day=options.by_local_day,
        until=min(filter(None, (options.until, typed.until)), default=None),
    )


def _either(name: str, option: str | None, typed: str | None) -> str | None:
    if option is not None and typed is not None and option != typed:
        raise UsageError(f"{name} {option!r} is asked for, and {typed!r} in the query: nothing matches both, give one")
    return option if typed is None else typed


def _language(option: str | None, typed: str | None) -> str | None:
    """Returns the narrower of two codes, such as "de-AT" of "de" and "de-AT"."""
    if option is not None and typed is not None:
        narrow, wide = sorted((option.casefold(), typed.casefold()), key=len, reverse=True)
        if narrow.startswith(f"{wide}-"):
            return narrow
        return _either("lang", option.casefold(), typed.casefold())
    return _either("lang", option, typed)
