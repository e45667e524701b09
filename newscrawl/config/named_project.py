"""The settings module that SCRAPY_PROJECT names. Imports no command of Scrapy's."""

from __future__ import annotations

import difflib
import os
from importlib.util import find_spec
from typing import Final

from scrapy.utils.conf import get_config, init_env

from newscrawl.errors import ProjectError

PROJECT: Final = "SCRAPY_PROJECT"
MODULE: Final = "SCRAPY_SETTINGS_MODULE"


def check_named_project() -> None:
    """Raise ProjectError when SCRAPY_PROJECT is no name in scrapy.cfg, or the settings module does not exist."""
    config, name = get_config(), os.environ.get(PROJECT)
    if name is not None and not config.has_option("settings", name):
        known = sorted(config.options("settings")) if config.has_section("settings") else []
        near = difflib.get_close_matches(name, known, n=1)
        meant = f"is {near[0]} meant? " if near else ""
        raise ProjectError(f"{PROJECT} is {name!r}: {meant}scrapy.cfg has {', '.join(known) or 'no settings'}")
    init_env(name or "default")  # as Scrapy does next: the module that it takes, and where it looks for it
    module = os.environ.get(MODULE)
    if module and not _exists(module):
        raise ProjectError(f"there is no settings module {module!r}: correct scrapy.cfg or {MODULE}")


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # a parent package that is not there
        return False
