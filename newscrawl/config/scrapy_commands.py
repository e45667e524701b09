"""The settings module that SCRAPY_PROJECT names, looked for before Scrapy continues without any.

Scrapy takes a name that scrapy.cfg does not have for no project at all: `scrapy crawl` then ends with a traceback, and
`scrapy list` lists nothing. Its commands below (entry points in pyproject.toml, loaded before any project's code) say
so in one line; in every other case they are Scrapy's own. This module stays light: Scrapy imports it for each command.
"""

from __future__ import annotations

import argparse
import asyncio

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.commands.list import Command as ScrapyList
from scrapy.crawler import CrawlerRunnerBase
from scrapy.settings import BaseSettings
from scrapy.utils.conf import build_component_list, closest_scrapy_cfg
from scrapy.utils.misc import load_object

from newscrawl.config.environment import errors_in_one_line
from newscrawl.config.logs.terminal import guard_terminals
from newscrawl.config.scrapy_cfg import check_named_project
from newscrawl.errors import ProjectError, UnknownSiteError


class _Checked:
    """Runs the command only if SCRAPY_PROJECT names existing settings."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        guard_terminals()
        with errors_in_one_line():
            if not closest_scrapy_cfg():
                raise ProjectError("no scrapy.cfg here or in any folder above: change into a Scrapy project")
            check_named_project()
        super().process_options(args, opts)  # type: ignore[misc]


class Crawl(_Checked, ScrapyCrawl):
    """`scrapy crawl` in any project. A refusal by newscrawl's add-on is a one-line error."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if self.crawler_process is not None and len(args) == 1:
            with errors_in_one_line():
                _check_with_addons(self.crawler_process, args[0])
        super().run(args, opts)


def set_event_loop(settings: BaseSettings) -> None:
    """Makes a loop of the class that ASYNCIO_EVENT_LOOP names the current one, before a process is built. Otherwise
    Scrapy makes a loop of asyncio first and drops it unclosed, and Python may print a traceback about its sockets."""
    if path := settings["ASYNCIO_EVENT_LOOP"]:
        asyncio.set_event_loop(load_object(path)())


def _check_with_addons(process: CrawlerRunnerBase, name: str) -> None:
    """Calls `check_crawl` of the add-ons that have it. Scrapy would log its error with a traceback."""
    for path in build_component_list(process.settings["ADDONS"]):
        check = getattr(load_object(path), "check_crawl", None)
        if check is not None:
            known = process.spider_loader.list()
            if name not in known:
                raise UnknownSiteError(name, known)
            check(process.create_crawler(name))


class List(_Checked, ScrapyList):
    """`scrapy list` in any project."""
