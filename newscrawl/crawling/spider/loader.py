"""Loads the sites in spiders/. A file that cannot be read is reported in one line; the other sites are loaded."""

from __future__ import annotations

import os
import pkgutil
import traceback
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from newscrawl.config.logs.lines import print_line
from newscrawl.crawling.downloader.scrapy_internals import FileByFileLoader


class Sites(FileByFileLoader):
    """Scrapy's loader, file by file. `broken` has a line for each file that could not be read."""

    broken: dict[str, str]

    def load_modules(self, packages: Iterable[str]) -> None:
        """Loads all files of the packages, each by itself."""
        self.broken = {}
        for package in packages:
            for name in _modules(import_module(package)):
                self._load(name)

    def _load(self, name: str) -> None:
        try:
            self.load_module(name)
        # An operator's file may raise anything, or call sys.exit(). That must not affect the sites in the other
        # files.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            self.broken[name] = described(error, name)
            print_line(f"newscrawl: {self.broken[name]}; the other sites continue")


def described(error: BaseException, module: str) -> str:
    """Returns file, line and message of an error of a module's code, on one line."""
    if isinstance(error, SyntaxError) and error.filename:
        file, line, message = error.filename, error.lineno, error.msg
    else:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_of(f.filename, module)]
        file, line = (frames[-1].filename, frames[-1].lineno) if frames else (module, None)
        message = f"it calls sys.exit({error.code!r})" if isinstance(error, SystemExit) else str(error)
    where = f"{_relative(file)}, line {line}" if line else _relative(file)
    return " ".join(f"{where}: {type(error).__name__}: {message}".split())[:300]


def _is_of(filename: str, module: str) -> bool:
    return Path(filename).with_suffix("").parts[-len(module.split(".")) :] == tuple(module.split("."))


def _relative(file: str) -> str:
    return os.path.relpath(file) if Path(file).is_relative_to(Path.cwd()) else file


def _modules(package: ModuleType) -> Iterator[str]:
    """Yields the names of a package and of all modules below it. Only packages are imported to find them."""
    yield package.__name__
    for module in pkgutil.iter_modules(getattr(package, "__path__", ())):
        name = f"{package.__name__}.{module.name}"
        if module.ispkg:
            yield from _modules(import_module(name))
        else:
            yield name
