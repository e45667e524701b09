"""One setting, as a field of a group in `newscrawl.config.catalogue` describes it, and how its values are read.

The type of the field says what a value may be; msgspec's `Meta` in it has the range and, as `extra`, all else that is
said of the setting: `Annotated[float, Meta(gt=0, le=60, extra={"unit": "seconds"})]`. What the setting means is the
text below the field.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

_FLAGS: Final = {"yes": True, "on": True, "no": False, "off": False}
"""Words besides true, false, 1 and 0, which msgspec reads."""

KINDS: Final[Mapping[type, tuple[str, str]]] = {
    str: ("text", "a text"),
    bool: ("yes or no", "yes or no"),
    int: ("whole number", "a whole number"),
    float: ("number", "a number"),
    list: ("list", "a list, or a text with commas between"),
    dict: ("JSON object", "an object, or its JSON"),
}
"""The kinds of values: the name of each, and what a message asks for."""

_KIND_OF: Final[Mapping[Any, type]] = {tuple: list, Mapping: dict, Literal: str}
"""The kind of a type that is not its own kind."""

_UNBOUNDED: Final = Meta()


def named(prefix: str) -> Callable[[str], str]:
    """Returns what names the settings of a group after its attributes: `batch_size` is NEWSCRAWL_BATCH_SIZE."""
    return lambda attribute: f"{prefix}{attribute.upper()}"


class Group(msgspec.Struct, frozen=True, rename=named("NEWSCRAWL_")):
    """Settings of one subject; its docstring is their title in the reference."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of one setting."""

    name: str
    type: Any
    """Its type with its range."""
    default: Any
    unit: str = ""
    is_per_site: bool = False
    """Whether a site may have its own value, in the `custom_settings` of its spider."""
    instead: str = ""
    """The attribute of a declaration that replaces the setting for its site."""
    allowed_text: str = ""
    """The allowed values in words, if type and range do not say them."""
    default_text: str = ""
    """The default in words, if it depends on the project."""
    stored_as: str = ""
    """The Scrapy setting that holds the value; empty: the one of the same name."""

    def read(self, value: object) -> Any:
        """Returns the value as the setting's type; a text, as `-s` and the environment give it, is read.

        Raises ValueError, whose text says what may stand in the setting.
        """
        try:
            return converted(value, self.kind, self.type)
        except ValueError as error:
            raise ValueError(f"{value!r} cannot be used: give {self.allowed}") from error

    @property
    def kind(self) -> type:
        """One of `KINDS`."""
        origin = get_origin(self._plain_type) or self._plain_type
        return _KIND_OF.get(origin, origin)

    @property
    def plain_default(self) -> Any:
        """The default in the form of a settings module: a list for a tuple."""
        return list(self.default) if self.kind is list else self.default

    @property
    def allowed(self) -> str:
        """The allowed values of the setting, in words."""
        choices = get_args(self._plain_type) if get_origin(self._plain_type) is Literal else ()
        return self.allowed_text or " or ".join(choices) or f"{KINDS[self.kind][1]} {self.range}".rstrip()

    @property
    def range(self) -> str:
        """The range of a number in words; "" for other kinds."""
        bounds = _meta(self.type)
        if bounds.le is None:
            return ""
        start = f"from {bounds.ge:,g}" if bounds.ge is not None else f"above {bounds.gt:,g}"
        return f"{start} to {bounds.le:,.0f}"

    @property
    def _plain_type(self) -> Any:
        return get_args(self.type)[0] if hasattr(self.type, "__metadata__") else self.type


def described(group: type[Group]) -> dict[str, Setting]:
    """Returns the settings of a group by attribute, in their order."""
    found = {}
    for one in msgspec.structs.fields(group):
        default = one.default_factory() if one.default is msgspec.NODEFAULT else one.default
        found[one.name] = Setting(one.encode_name, one.type, default, **_meta(one.type).extra or {})
    return found


def converted(value: object, kind: type, wanted: Any) -> Any:
    """Returns a value of this kind as the type `wanted`; a text, as `-s` and the environment give it, is read.

    Raises ValueError for any value that is not of the kind, or out of the type's range.
    """
    try:
        plain = _plain(value.strip() if isinstance(value, str) else value, kind)
        return msgspec.convert(plain, wanted, strict=False)
    except (msgspec.MsgspecError, OverflowError, RecursionError, TypeError) as error:
        raise ValueError(repr(value)) from error


def _plain(value: Any, kind: type) -> Any:
    """Returns the value in a form that msgspec converts: no text for a number, a list or an object."""
    if kind in {int, float} and not isinstance(value, bool):
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(value)
        return number
    if isinstance(value, str):
        if kind is bool:
            return _FLAGS.get(value.lower(), value)
        if kind is dict:
            return msgspec.json.decode(value)
        if kind is list:
            items = msgspec.json.decode(value) if value.startswith("[") else [part.strip() for part in value.split(",")]
            return [str(item) for item in items if str(item)]
    is_object = isinstance(value, Mapping)
    if (kind is dict and not is_object) or (kind is list and is_object):
        raise TypeError(value)
    return [str(item) for item in value] if kind is list else value


def _meta(annotated: Any) -> Meta:
    return next(iter(getattr(annotated, "__metadata__", ())), _UNBOUNDED)
