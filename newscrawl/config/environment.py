"""Reads settings from the environment, and checks that Python finds the project's own packages."""

from __future__ import annotations

import importlib.util
import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, overload

from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.logs.lines import print_line
from newscrawl.config.logs.terminal import open_closed_streams
from newscrawl.config.names import DATABASE, meant
from newscrawl.config.scrapy_cfg import PACKAGES, closest_cfg, missing_name
from newscrawl.config.setting import KINDS, converted
from newscrawl.errors import ConfigurationError, NewscrawlError, ProjectError

T = TypeVar("T", bool, int, float, str, list[str], dict[str, Any])


@overload
def setting(name: str, *, environment: Mapping[str, str] | None = None) -> Any: ...
@overload
def setting(name: str, default: T, environment: Mapping[str, str] | None = None) -> T: ...
def setting(name: str, default: Any = None, environment: Mapping[str, str] | None = None) -> Any:
    """Returns the value of a setting: the environment variable of its name, read as the setting's type; else `default`;
    else the default of the catalogue.

    A list is given as JSON or separated by commas, a mapping as JSON. A name that is not in the catalogue is read as
    the type of `default`. Raises ConfigurationError for a value that is not of that type.
    """
    declared = CATALOGUE.get(name)
    if default is None:
        if declared is None:
            raise ConfigurationError(name, f"there is no setting of this name{meant(name)}")
        default = declared.plain_default
    text = (os.environ if environment is None else environment).get(name)
    if text is None:
        return default
    kind = declared.kind if declared is not None else type(default)
    kind = kind if kind in KINDS else str
    try:
        return converted(text, kind, kind)
    except ValueError as error:
        allowed = declared.allowed if declared is not None else KINDS[kind][1]
        problem = f"the environment variable says {text!r}, which is no usable value: give {allowed}"
        raise ConfigurationError(name, problem) from error


def catalogue_settings(environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Returns every setting of newscrawl that does not depend on the project: what the environment says, else its
    default.

    Left out are the database, which is the project's, and what is kept under a name of Scrapy's.
    """
    return {
        name: setting(name, environment=environment)
        for name, one in CATALOGUE.items()
        if not one.stored_as and not one.default_text
    }


def check_project(root: Path) -> None:
    """Checks that `root` is the project of the working directory, if that is in one, and that `settings`, `spiders` and
    `pipelines` are those of `root`; raises ProjectError.

    Scrapy puts the project's folder at the end of the search path, so an installed package of such a name would win.
    One is the clone of newscrawl itself, installed with `pip install -e`: its settings would check themselves.
    """
    nearest = closest_cfg()
    if nearest is not None and nearest.parent != root.resolve():
        here = nearest.parent
        raise ProjectError(
            f"the settings come from {root.resolve()}, not from the project of this folder ({here}): put the project "
            f"first with `export PYTHONPATH={shlex.quote(str(here))}`"
        )
    for name in PACKAGES:
        found = _location(name)
        if found is None:
            raise ProjectError(f"no package {name!r} in {root}: the project is incomplete")
        if found != (root / name).resolve():
            raise ProjectError(
                f"the package {name!r} comes from {found}, not from this project ({root}): uninstall or rename it, "
                f"or put the project first with `export PYTHONPATH={shlex.quote(str(root.resolve()))}`"
            )


def database_beside(root: Path, name: str) -> str:
    """Returns the address of a SQLite file in the project's folder."""
    return f"sqlite:///{(root / name).resolve()}"


def add_on_settings() -> dict[str, Any]:
    """Returns all NEWSCRAWL_ settings of a project that uses the add-on, before its settings module: the value of the
    environment, else the default. The database is beside scrapy.cfg."""
    found = closest_cfg()
    beside = database_beside(found.parent if found else Path.cwd(), "newscrawl.db")
    return {**catalogue_settings(), DATABASE: setting(DATABASE, beside)}


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Ends the process with one line and the exit code if the block raises an error of newscrawl, or imports a name
    that does not exist. For code that Scrapy runs when it imports a module. In the block there are all standard
    streams."""
    open_closed_streams()
    try:
        yield
    except (NewscrawlError, ImportError) as error:
        told = error if isinstance(error, NewscrawlError) else missing_name(error)
        if told is None:
            raise
        print_error(told)
        raise SystemExit(told.exit_code) from None


def print_error(error: NewscrawlError) -> None:
    """Prints an error on one line to standard error, as commands do."""
    print_line(f"newscrawl: {' '.join(str(error).split())}")


def _location(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    if spec is None:
        return None
    if spec.origin:
        return Path(spec.origin).resolve().parent
    places = list(spec.submodule_search_locations or ())
    return Path(places[0]).resolve() if places else None
