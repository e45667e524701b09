"""The orders in which sites are listed, and the place of a site in one of them, as a text for an address. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final, Literal

from newscrawl.errors import UsageError
from newscrawl.reports.site_facts import SiteFacts
from newscrawl.reports.site_states import STATES, is_paused, state_of

Sort = Literal["failed", "stored", "newest", "due"]
"""Most failures in 24 hours first, most articles stored, newest article, or what is due next."""
Place = tuple[int, str]
"""A number that grows from the first site to the last, and the site, which decides between equal numbers."""
Key = Callable[[SiteFacts], Place]

_LAST: Final = 1 << 62
"""The number of a site without the time by which it would be sorted."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,19}")


def order_of(sort: Sort | None, now: datetime) -> Key:
    """Returns what tells the place of a site; None sorts trouble first. A paused site is due last."""

    def number(facts: SiteFacts) -> int:
        if sort is None:
            return STATES.index(state_of(facts, now))
        if sort == "failed":
            return -facts.day.failed
        if sort == "stored":
            return -facts.day.stored
        if sort == "newest":
            at = facts.day.newest_article
            return _LAST if at is None else -_microseconds(at)
        due = facts.sources.next_due
        return _LAST if due is None or is_paused(facts, now) else _microseconds(due)

    return lambda facts: (number(facts), facts.site)


def place_text(place: Place, sort: Sort | None) -> str:
    """Returns a place as a parameter. Trouble first has the name of the state in place of its number."""
    number, site = place
    return f"{number if sort else STATES[number]}:{site}"


def read_place(text: str, sort: Sort | None) -> Place:
    """Returns the place that a parameter names. Raises UsageError."""
    first, between, site = text.partition(":")
    if between and sort is None and first in STATES:
        return [str(state) for state in STATES].index(first), site
    if between and sort is not None and _NUMBER.fullmatch(first):
        return int(first), site
    raise UsageError(f"after={text[:50]!r}: give the `next` of the part before, with the same sort")


def _microseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000)
