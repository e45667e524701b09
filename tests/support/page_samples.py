"""Samples of pages for the watchdog, made by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec.structs import replace

from newscrawl.monitoring.samples import PageSample


def sample(**changes: Any) -> PageSample:
    """Returns the sample of a good article, with changes."""
    return PageSample(**{"characters": 3000, **changes})


def at(when: datetime, one: PageSample) -> PageSample:
    """The sample of a page that was fetched then."""
    return replace(one, fetched_at=when)
