"""Shifts this process's wall clock by CLOCK_AHEAD seconds. Its steady clocks are unchanged."""

from __future__ import annotations

import copyreg
import datetime as dt
import os
import time
from typing import Any

AHEAD = float(os.environ.get("CLOCK_AHEAD", "0"))


class _OneKind(type):
    """Objects of the original class count as objects of this one."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _original)


_original = dt.datetime
_time = time.time


class datetime(_original, metaclass=_OneKind):  # noqa: N801  it takes the place of the original
    """The class of times with the shifted present."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:  # type: ignore[override]
        """Returns the shifted present."""
        return _original.fromtimestamp(time.time(), tz)


def _made_again(*values: Any) -> dt.datetime:
    return _original(*values)


def _pickled(moment: dt.datetime) -> tuple[Any, ...]:
    """Pickles a time by this module: the name of its class belongs to another one now."""
    return _made_again, moment.__reduce__()[1]


if AHEAD:
    copyreg.pickle(_original, _pickled)
    time.time = lambda: _time() + AHEAD
    dt.datetime = datetime  # type: ignore[misc]
