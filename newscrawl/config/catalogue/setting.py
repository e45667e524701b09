"""One setting: its name, its allowed values, and its description for operators.

The functions `text`, `flag`, `whole`, `number`, `names` and `mapping` declare a field of a frozen dataclass and its
setting in one call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, TypedDict, Unpack

from newscrawl.config.catalogue.kinds import FLAG, LIST, MAPPING, NUMBER, TEXT, WHOLE, Kind

HOUR: Final = 3_600
DAY: Final = 24 * HOUR
METADATA: Final = "setting"
"""The key under which a dataclass field keeps its `Setting`."""


class Details(TypedDict, total=False):
    """The optional properties of a setting, besides name, kind, default and meaning: the fields of `Setting` with the
    same names."""

    unit: str
    minimum: float
    is_minimum_excluded: bool
    is_required: bool
    allowed_text: str
    default_text: str
    stored_as: str
    is_per_site: bool
    instead: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of one setting."""

    name: str
    kind: Kind
    default: Any
    doc: str
    """Its meaning, in sentences for the settings reference."""
    unit: str = ""
    minimum: float = 0
    maximum: float | None = None
    """With `minimum` the bounds of a number; None if it is no number."""
    is_minimum_excluded: bool = False
    is_required: bool = False
    """Whether a text may not be empty."""
    allowed_text: str = ""
    """The allowed values, if the kind does not define them."""
    default_text: str = ""
    """The default in words, if it depends on the project."""
    stored_as: str = ""
    """The Scrapy setting that holds the value; empty: the one of the same name."""
    is_per_site: bool = False
    """Whether a site may have its own value, in the `custom_settings` of its spider."""
    instead: str = ""
    """The attribute of a declaration that replaces the setting for its site."""
    choices: tuple[str, ...] = ()
    """The allowed texts; empty: any."""

    def read(self, value: object) -> Any:
        """Returns the value as the setting's type; a text, as `-s` and the environment give it, is read.

        Raises ValueError, whose text says what may stand in the setting.
        """
        try:
            found = self.kind.taken(value)
        except ValueError:
            found = None
        if found is None or self._is_out_of_range(found) or self._is_no_choice(found):
            raise ValueError(f"{value!r} cannot be used: give {self.allowed}")
        return found

    @property
    def plain_default(self) -> Any:
        """The default in the form of a settings module: lists and dicts."""
        if self.kind is LIST:
            return list(self.default)
        return dict(self.default) if self.kind is MAPPING else self.default

    @property
    def allowed(self) -> str:
        """The allowed values of the setting, in words."""
        return self.allowed_text or " or ".join(self.choices) or f"{self.kind.allowed} {self.range}".rstrip()

    @property
    def range(self) -> str:
        """The range of a number in words; "" for other kinds."""
        if self.maximum is None:
            return ""
        start = "above" if self.is_minimum_excluded else "from"
        return f"{start} {self.minimum:,g} to {self.maximum:,.0f}"

    def _is_no_choice(self, value: Any) -> bool:
        return (self.is_required and not value) or (bool(self.choices) and value not in self.choices)

    def _is_out_of_range(self, value: Any) -> bool:
        if self.maximum is None:
            return False
        is_low = value <= self.minimum if self.is_minimum_excluded else value < self.minimum
        return bool(is_low or value > self.maximum)


def text(name: str, default: str, doc: str, **details: Unpack[Details]) -> str:
    """Declares a setting that is a text."""
    return field(default=default, metadata={METADATA: Setting(name, TEXT, default, doc, **details)})


def flag(name: str, default: bool, doc: str, **details: Unpack[Details]) -> bool:
    """Declares a setting that is yes or no."""
    return field(default=default, metadata={METADATA: Setting(name, FLAG, default, doc, **details)})


def whole(name: str, default: int, doc: str, *, maximum: int, **details: Unpack[Details]) -> int:
    """Declares a setting that is a whole number."""
    return field(default=default, metadata={METADATA: Setting(name, WHOLE, default, doc, maximum=maximum, **details)})


def number(name: str, default: float, doc: str, *, maximum: float, **details: Unpack[Details]) -> float:
    """Declares a setting that is a finite number."""
    return field(default=default, metadata={METADATA: Setting(name, NUMBER, default, doc, maximum=maximum, **details)})


def names(name: str, default: tuple[str, ...], doc: str, **details: Unpack[Details]) -> tuple[str, ...]:
    """Declares a setting that is a list of texts."""
    return field(default=default, metadata={METADATA: Setting(name, LIST, default, doc, **details)})


def mapping(name: str, doc: str, **details: Unpack[Details]) -> Mapping[str, Any]:
    """Declares a setting that is a mapping, by default an empty one."""
    empty: Mapping[str, Any] = MappingProxyType({})
    return field(default_factory=lambda: empty, metadata={METADATA: Setting(name, MAPPING, empty, doc, **details)})
