"""Extension points: what a user adds without a fork, as entry points of an installed package or by import path.

A package declares extractors, chains, sinks and verdict rules in the entry-point groups below; a project names its own
in settings, as `MODULE:NAME`. The parts that use them (`extraction.registry`, `extraction.article.verdict_rules`,
`publishing.feed.registry`) look up built-in names first, then the settings, then installed packages. So installed
packages are searched only when a name is unknown or a listing is asked for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from operator import attrgetter
from typing import Any, Final

from newscrawl.errors import ExtensionError

NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
"""A name goes into codes, counters and columns; `+` starts a tree filter's name, `:` a sink's place."""
NAME_RULE: Final = "write small letters, digits, _ and -, at most 40, a letter first"
PATH: Final = re.compile(r"\A(?P<module>[\w.]++)\s*+:\s*+(?P<attribute>[\w.]++)(?:\s*+\[.*\])?")
"""An import path, and what else may follow it in an entry point (names of extras)."""


@dataclass(frozen=True, slots=True)
class ExtensionType:
    """A kind of extension: its noun in messages, the entry-point group, and the setting that names a project's own."""

    noun: str
    group: str
    setting: str


EXTRACTORS: Final = ExtensionType("extractor", "newscrawl.extractors", "NEWSCRAWL_EXTRACTORS")
CHAINS: Final = ExtensionType("chain", "newscrawl.chains", "NEWSCRAWL_CHAINS")
SINKS: Final = ExtensionType("sink", "newscrawl.sinks", "NEWSCRAWL_SINKS")
VERDICT_RULES: Final = ExtensionType("verdict rule", "newscrawl.verdict_rules", "NEWSCRAWL_VERDICT_RULES")
KINDS: Final = (EXTRACTORS, CHAINS, SINKS, VERDICT_RULES)


@dataclass(frozen=True, slots=True)
class Extension:
    """One extension before it is imported. `package` is the distribution that declares it, "" for a setting."""

    kind: ExtensionType
    name: str
    path: str
    package: str = ""

    @property
    def origin(self) -> str:
        """The place of its declaration: "setting NEWSCRAWL_SINKS" or "package house-rules"."""
        return f"package {self.package}" if self.package else f"setting {self.kind.setting}"

    def error(self, problem: str) -> ExtensionError:
        """Returns the error that says what is wrong with it, where it is declared, and what to do."""
        remedy = "update or uninstall the package" if self.package else "correct the setting or the module"
        return ExtensionError(f"{self.origin}: {self.kind.noun} {self.name!r} ({self.path}): {problem}; {remedy}")

    def load(self) -> Any:
        """Returns the object that the path names. Raises ExtensionError."""
        match = PATH.fullmatch(self.path)
        if match is None:
            raise self.error("this is no import path: write MODULE:NAME")
        module = match["module"]
        try:
            found: Any = import_module(module)
        # Whatever a user's module does when it is imported, the operator gets one line.
        except (Exception, SystemExit) as error:
            raise self.error(f"importing {module} failed: {described(error)}") from error
        try:
            return attrgetter(match["attribute"])(found)
        except AttributeError as error:
            raise self.error(f"{module} has no {match['attribute']!r}") from error
        except Exception as error:  # of a module that loads its names when they are first used
            raise self.error(f"loading {self.path} failed: {described(error)}") from error

    def load_callable(self, parameter: str) -> Callable[..., Any]:
        """Returns the object, which can be called with one argument. Raises ExtensionError."""
        from inspect import signature  # takes as long as all else of this module

        found = self.load()
        if not callable(found):
            raise self.error(f"this is a {type(found).__name__}: it must be callable with one argument ({parameter})")
        try:
            signature(found).bind(None)
        except TypeError as error:
            raise self.error(f"it must be callable with one argument ({parameter}): {error}") from error
        except ValueError:  # written in C, without a signature
            pass
        function: Callable[..., Any] = found
        return function


def described(error: BaseException) -> str:
    """Returns an error in one line: its class and its message."""
    message = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def from_setting(kind: ExtensionType, name: object, path: object, built_in: Collection[str] = ()) -> Extension:
    """Returns the extension that a project's setting names. Raises ExtensionError for a name or path that cannot be
    used."""
    extension = Extension(kind, str(name), str(path))
    if not isinstance(path, str):
        raise extension.error("give an import path: write MODULE:NAME")
    _check_name(extension, built_in)
    return extension


def installed(kind: ExtensionType, built_in: Collection[str] = ()) -> dict[str, Extension]:
    """Returns the extensions that installed packages declare, by name. `built_in` are names that newscrawl has itself.

    Raises ExtensionError for the first whose name cannot be used or is taken. The search is done once a process, as
    long as the module search path stays the same.
    """
    found: dict[str, Extension] = {}
    for extension in declared(kind):
        _check_name(extension, built_in)
        if other := found.get(extension.name):
            raise extension.error(f"{other.origin} declares the same name")
        found[extension.name] = extension
    return found


def declared(kind: ExtensionType) -> tuple[Extension, ...]:
    """Returns what installed packages declare, in the order of names, with names that cannot be used."""
    return _search(tuple(sys.path)).get(kind.group, ())


def _check_name(extension: Extension, built_in: Collection[str]) -> None:
    if NAME.fullmatch(extension.name) is None:
        raise extension.error(f"its name cannot be used: {NAME_RULE}")
    if extension.name in built_in:
        raise extension.error(f"{extension.name!r} is built in: give it another name")


@lru_cache(maxsize=1)
def _search(_path: tuple[str, ...]) -> Mapping[str, tuple[Extension, ...]]:
    """The extensions of all packages on the search path, by group."""
    from importlib.metadata import entry_points  # most commands need no search

    try:
        points = entry_points()
        return {kind.group: tuple(sorted(_declarations(kind, points), key=_by_name)) for kind in KINDS}
    except Exception as error:  # metadata that some tool has written by itself; importlib.metadata checks nothing
        raise ExtensionError(
            f"the entry points of an installed package cannot be read: {described(error)}; install it again"
        ) from error


def _declarations(kind: ExtensionType, points: Any) -> Iterator[Extension]:
    for point in points.select(group=kind.group):
        name = point.dist.name if point.dist is not None else None
        yield Extension(kind, point.name, point.value, name or "without a name")


def _by_name(extension: Extension) -> tuple[str, str]:
    return extension.name, extension.package
