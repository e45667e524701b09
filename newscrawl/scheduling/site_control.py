"""The decisions of an operator about a site, by commands, which override its declaration. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

PRIORITIES: Final[Mapping[str, float]] = {"high": 4.0, "normal": 1.0, "low": 0.25}
"""Names of priorities. A site with priority 4 is chosen as if it had waited four times as long."""


@dataclass(frozen=True, slots=True)
class SiteControl:
    """The decisions about a site. None is the declaration's value.

    `paused_until` is when the pause ends by itself. `daily_requests` is a number of requests a day (UTC), as text, or
    "unlimited".
    """

    site: str
    paused: bool = False
    paused_until: datetime | None = None
    priority: float | None = None
    daily_requests: str | None = None

    def is_paused(self, now: datetime) -> bool:
        """Returns whether the site is paused at this time."""
        return self.paused and (self.paused_until is None or now < self.paused_until)

    def is_empty(self, now: datetime) -> bool:
        """Returns whether only the declaration holds at this time."""
        return not self.is_paused(now) and self.priority is None and self.daily_requests is None
