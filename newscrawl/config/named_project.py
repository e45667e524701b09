"""Checks the settings module that SCRAPY_PROJECT names, and tells which line of the project names what is missing. It
loads no Scrapy and reads no settings."""

from __future__ import annotations

import difflib
import os
import re
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from newscrawl.config.scrapy_cfg import DEFAULT_PROJECT, MODULE, PROJECT, SECTION, closest_cfg, name_module, read_cfg
from newscrawl.errors import ProjectError

PACKAGES: Final = ("settings", "spiders", "pipelines")
"""The operator's packages beside scrapy.cfg. Their names are so common that another installed package may have one of
them."""


def check_named_project() -> None:
    """Raises ProjectError when SCRAPY_PROJECT is no name in scrapy.cfg, or the settings module does not exist.

    The environment then names the module that Scrapy takes, and the search path has the folder in which it is.
    """
    config, name = read_cfg(), os.environ.get(PROJECT)
    if name is not None and not config.has_option(SECTION, name):
        known = sorted(config.options(SECTION)) if config.has_section(SECTION) else []
        near = difflib.get_close_matches(name, known, n=1)
        meant = f"is {near[0]} meant? " if near else ""
        raise ProjectError(f"{PROJECT} is {name!r}: {meant}scrapy.cfg has {', '.join(known) or 'no settings'}")
    name_module(name or DEFAULT_PROJECT)
    module = os.environ.get(MODULE)
    if module and not _exists(module):
        raise ProjectError(f"there is no settings module {module!r}: correct scrapy.cfg or {MODULE}")


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # a parent package that is not there
        return False


def missing_name(error: ImportError | NameError) -> ProjectError | None:
    """Returns the error of a project that imports a name, or names a class in a setting, that does not exist: it says
    which line of which file. None if no line of the project does so.

    Scrapy raises NameError for a class that is not in its module.
    """
    config = closest_cfg()
    place = None if config is None else _place_of(error, config.parent)
    if place is None:
        return None
    return ProjectError(
        f"{place}: {error}; correct the line, or compare it with the files that `newscrawl new DIR` writes"
    )


def _place_of(error: ImportError | NameError, root: Path) -> str | None:
    """Returns file and line of the last import in the project, else of the first line of its settings with the missing
    name."""
    folders = [root / name for name in PACKAGES]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if any(Path(frame.filename).is_relative_to(folder) for folder in folders):
            return f"{os.path.relpath(frame.filename)}, line {frame.lineno}"
    names = re.findall(r"'([\w.]+)'", str(error))
    for file in sorted((root / PACKAGES[0]).glob("*.py")) if names else ():
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if ".".join(names) in line or (isinstance(error, ImportError) and names[0] in line):
                return f"{os.path.relpath(file)}, line {number}"
    return None
