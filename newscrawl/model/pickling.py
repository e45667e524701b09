"""Fast pickling of the values that pass between processes."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, timezone
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def fast_pickle(cls: type[T]) -> type[T]:
    """Class decorator: pickles a dataclass's values as a call of its constructor. These values pass between processes
    for each page, and the default pickling of frozen dataclasses with slots takes twice as long."""
    values = _getter(cls)

    def reduced(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
        own = type(self)
        return own, values(self) if own is cls else _getter(own)(self)

    cls.__reduce__ = reduced  # type: ignore[method-assign]
    return cls


def _utc() -> timezone:
    return UTC


def _reduced_zone(zone: timezone) -> tuple[Callable[..., timezone], tuple[Any, ...]]:
    """Reduces a zone to a call for pickle. The default for a zone takes as long as everything else of a page."""
    return (_utc, ()) if zone is UTC else (timezone, zone.__getinitargs__())  # type: ignore[attr-defined]


copyreg.pickle(timezone, _reduced_zone)


def _getter(cls: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the values of all fields in order. The class must have at least two."""
    return attrgetter(*(field.name for field in fields(cls)))
