"""Checks the settings module that SCRAPY_PROJECT names, without loading Scrapy."""

from __future__ import annotations

import difflib
import os
from importlib.util import find_spec

from newscrawl.config.scrapy_cfg import DEFAULT_PROJECT, MODULE, PROJECT, SECTION, name_module, read_cfg
from newscrawl.errors import ProjectError


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
