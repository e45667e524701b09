"""Settings from the environment, and the check that the project's packages are the project's."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from newscrawl.errors import ConfigurationError, NewscrawlError, ProjectError
from newscrawl.identity.masking import masked
from newscrawl.terminal import escaped

T = TypeVar("T", bool, int, float, str, list[str], dict[str, Any])

PACKAGES: Final = ("settings", "spiders", "pipelines")
"""The operator's packages beside scrapy.cfg: names common enough that another package may carry them as well."""

_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})


def setting(name: str, default: T, environment: Mapping[str, str] | None = None) -> T:
    """The value of a setting: the environment variable of its name, read as the type of `default`, else `default`.

    A list is given as JSON or separated by commas, a dict as JSON. Raises ConfigurationError for a value that does not
    read as that type.
    """
    text = (os.environ if environment is None else environment).get(name)
    if text is None:
        return default
    try:
        return cast("T", _read(text.strip(), default))
    except ValueError as error:
        raise ConfigurationError(
            name, f"the environment variable says {text!r}, which is no {_kind(default)}"
        ) from error


def check_project(root: Path) -> None:
    """See that `settings`, `spiders` and `pipelines` are those beside scrapy.cfg; raises ProjectError.

    Scrapy puts the project's folder at the end of the search path, so an installed package of such a name would win.
    """
    for name in PACKAGES:
        found = _location(name)
        if found is None:
            raise ProjectError(f"no package {name!r} in {root}: the project is incomplete")
        if found != (root / name).resolve():
            raise ProjectError(
                f"the package {name!r} comes from {found}, not from this project ({root}): uninstall or rename it, "
                f"or put the project first in PYTHONPATH"
            )


def database_beside(root: Path, name: str) -> str:
    """The address of a SQLite file in the project's folder."""
    return f"sqlite:///{(root / name).resolve()}"


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """End the process with the error's one line and its exit code: for code that Scrapy runs on import."""
    try:
        yield
    except NewscrawlError as error:
        tell(error)
        raise SystemExit(error.exit_code) from None


def tell(error: NewscrawlError) -> None:
    """Print an error as the commands do: one line on standard error."""
    print(escaped(f"newscrawl: {masked(' '.join(str(error).split()))}"), file=sys.stderr)


def _location(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    if spec is None:
        return None
    if spec.origin:
        return Path(spec.origin).resolve().parent
    places = list(spec.submodule_search_locations or ())
    return Path(places[0]).resolve() if places else None


def _read(text: str, default: Any) -> Any:
    if isinstance(default, bool):
        return _truth(text)
    if isinstance(default, int):
        return int(text)
    if isinstance(default, float):
        return _number(text)
    if isinstance(default, list):
        values = json.loads(text) if text.startswith("[") else [part.strip() for part in text.split(",")]
        return [str(value) for value in values if str(value)]
    if isinstance(default, dict):
        value = json.loads(text)
        if not isinstance(value, dict):
            raise ValueError(text)  # noqa: TRY004  a value that does not read, like the others
        return value
    return text


def _truth(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(text)


def _number(text: str) -> float:
    value = float(text)
    if not abs(value) < float("inf"):
        raise ValueError(text)
    return value


def _kind(default: object) -> str:
    names = {bool: "yes or no", int: "whole number", float: "number", list: "list", dict: "JSON object"}
    return names.get(type(default), "text")
