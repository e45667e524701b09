"""scrapy.cfg and the settings module that it names, found as Scrapy finds them, without loading Scrapy.

Loading Scrapy takes 0.3 s of CPU time, and commands that only read the database do not need it. The functions do the
same as `scrapy.utils.conf`; tests/config/test_scrapy_cfg.py compares the two.
"""

from __future__ import annotations

import os
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Final

FILE: Final = "scrapy.cfg"
SECTION: Final = "settings"
"""The section that names the settings modules."""
PROJECT: Final = "SCRAPY_PROJECT"
"""The environment variable that chooses a name of that section."""
MODULE: Final = "SCRAPY_SETTINGS_MODULE"
"""The environment variable with the settings module. It overrides scrapy.cfg."""
DEFAULT_PROJECT: Final = "default"


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
