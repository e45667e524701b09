"""Gives all of newscrawl a present time that a test decides: one class in place of `datetime`, one word in SQL.

Some outputs state how long ago something was, or count the last day. Commands take the present time from
`datetime.now`, and there is no option for another one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final, cast

import msgspec
from sqlalchemy import Engine, event

from newscrawl.model import Metadata

DATABASE_CLOCK: Final = "clock_timestamp()"
"""How statements ask PostgreSQL for its time."""


class FrozenClock:
    """A clock that stands still at `now`."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def frozen(clock: FrozenClock, packages: Sequence[str]) -> Iterator[None]:
    """While the block runs, modules of newscrawl read `clock`, also those that commands load in time: all modules of
    `packages` are loaded before."""
    for package in packages:
        loaded = import_module(package)
        for found in walk_packages(loaded.__path__, f"{package}."):
            if not found.name.endswith(".__main__") and ".migrations." not in found.name:
                import_module(found.name)
    stopped = _stopped(clock)
    msgspec.convert({}, Metadata)  # msgspec keeps the types that it reads of a class when it first converts to it

    def asked(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> Any:
        return statement.replace(DATABASE_CLOCK, f"CAST('{clock.now.isoformat()}' AS timestamptz)"), parameters

    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "newscrawl"]
    patched = [module for module in modules if vars(module).get("datetime") is datetime]
    for module in patched:
        setattr(module, "datetime", stopped)  # noqa: B010  a module has no such attribute for mypy
    event.listen(Engine, "before_cursor_execute", asked, retval=True)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", asked)
        for module in patched:
            setattr(module, "datetime", datetime)  # noqa: B010


def _stopped(clock: FrozenClock) -> type[datetime]:
    """Returns a class whose `now` is that of the clock. What it makes are common datetimes, and all of them are its
    instances."""

    class Kind(type(datetime)):  # type: ignore[misc]
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, datetime)

    class Stopped(datetime, metaclass=Kind):
        def __new__(cls, *values: Any, **named: Any) -> datetime:  # type: ignore[misc]
            return datetime(*values, **named)  # noqa: DTZ001

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return clock.now.astimezone(tz)

    return cast("type[datetime]", Stopped)
