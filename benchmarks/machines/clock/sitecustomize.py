"""Moves this process's wall clock by CLOCK_AHEAD seconds; its steady clocks stay. Python imports it at the start."""

from __future__ import annotations

import datetime as dt
import os
import time

AHEAD = float(os.environ.get("CLOCK_AHEAD", "0"))


class _OneKind(type):
    """Objects of the original class count as objects of this one."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _original)


_original = dt.datetime
_time = time.time


class datetime(_original, metaclass=_OneKind):  # noqa: N801  it takes the place of the original
    """The class of times, whose present is moved."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:  # type: ignore[override]
        """The moved present."""
        return _original.fromtimestamp(time.time(), tz)


if AHEAD:
    time.time = lambda: _time() + AHEAD
    dt.datetime = datetime  # type: ignore[misc]
