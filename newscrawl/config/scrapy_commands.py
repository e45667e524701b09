"""The settings module that SCRAPY_PROJECT names, looked for before Scrapy goes on without any.

Scrapy takes a name that scrapy.cfg does not have for no project at all: `scrapy crawl` then ends with a traceback, and
`scrapy list` lists nothing. Its commands below (entry points in pyproject.toml, loaded before any project's code) say
so in one line; in every other case they are Scrapy's own. This module stays light: Scrapy imports it for each command.
"""

from __future__ import annotations

import argparse
import difflib
import os
from importlib.util import find_spec
from typing import Final

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.commands.list import Command as ScrapyList
from scrapy.utils.conf import closest_scrapy_cfg, get_config, init_env

from newscrawl.config.environment import told_in_one_line
from newscrawl.errors import ProjectError
from newscrawl.terminal import guard_terminals

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


class _Checked:
    """Runs the command only where SCRAPY_PROJECT names something."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        guard_terminals()
        with told_in_one_line():
            if not closest_scrapy_cfg():
                raise ProjectError("no scrapy.cfg here or in any folder above: change into a Scrapy project")
            check_named_project()
        super().process_options(args, opts)  # type: ignore[misc]


class Crawl(_Checked, ScrapyCrawl):
    """`scrapy crawl`, in whatever project."""


class List(_Checked, ScrapyList):
    """`scrapy list`, in whatever project."""
