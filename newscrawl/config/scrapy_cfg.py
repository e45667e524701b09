"""scrapy.cfg and the settings module that it names, found as Scrapy finds them, and what is wrong with either.

Loading Scrapy takes 0.3 s of CPU time, and commands that only read the database do not need it, so nothing here
loads Scrapy. The first functions do the same as `scrapy.utils.conf`; tests/config/test_scrapy_cfg.py compares the two.
Nothing here reads settings.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
import traceback
from configparser import ConfigParser
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from newscrawl.errors import ProjectError

FILE: Final = "scrapy.cfg"
SECTION: Final = "settings"
"""The section that names the settings modules."""
PROJECT: Final = "SCRAPY_PROJECT"
"""The environment variable that chooses a name of that section."""
MODULE: Final = "SCRAPY_SETTINGS_MODULE"
"""The environment variable with the settings module. It overrides scrapy.cfg."""
DEFAULT_PROJECT: Final = "default"
PACKAGES: Final = ("settings", "spiders", "pipelines")
"""The operator's packages beside scrapy.cfg. Their names are so common that another installed package may have one of
them."""


def closest_cfg() -> Path | None:
    """Returns the scrapy.cfg of the working directory, or of the nearest folder above that has one."""
    here = Path.cwd().resolve()
    return next((file for folder in (here, *here.parents) if (file := folder / FILE).exists()), None)


def read_cfg() -> ConfigParser:
    """Returns the contents of the scrapy.cfg of the machine, of the user and of the project. That of the project
    overrides the others."""
    home = Path("~").expanduser()
    of_user = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    files = [Path("/etc") / FILE, Path(r"c:\scrapy\scrapy.cfg"), of_user / FILE, home / f".{FILE}"]
    closest = closest_cfg()
    config = ConfigParser()
    config.read([*files, *([closest] if closest else [])])
    return config


def name_module(project: str) -> None:
    """Puts the settings module that scrapy.cfg names for `project` into the environment, unless one is there, and the
    project's folder at the end of the search path."""
    config = read_cfg()
    if MODULE not in os.environ and config.has_option(SECTION, project):
        os.environ[MODULE] = config.get(SECTION, project)
    closest = closest_cfg()
    if closest and str(closest.parent) not in sys.path:
        sys.path.append(str(closest.parent))


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
