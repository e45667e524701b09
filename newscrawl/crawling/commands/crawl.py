"""`scrapy crawl SITE`, checked before it starts: a mistake costs one line and exit code 2, not a traceback."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime

from scrapy.commands.crawl import Command as ScrapyCrawl

from newscrawl.crawling.arguments import read_arguments
from newscrawl.crawling.services import options_of, store_of
from newscrawl.errors import NewscrawlError, UnknownSiteError, UsageError

ARGUMENTS = ("max_articles", "since", "url")


class Command(ScrapyCrawl):
    """Scrapy's own command, with project, site, arguments, chain and database checked first."""

    def short_desc(self) -> str:
        return "Crawl one news site (newscrawl: -a max_articles=20 -a since=3d -a url=https://...)"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            self._check(args, opts)
        except NewscrawlError as error:
            print(f"newscrawl: {error}", file=sys.stderr)
            self.exitcode = error.exit_code
            return
        super().run(args, opts)

    def _check(self, args: list[str], opts: argparse.Namespace) -> None:
        if self.crawler_process is None or len(args) != 1:
            return  # Scrapy's own message says how the command is used
        known = self.crawler_process.spider_loader.list()
        if args[0] not in known:
            raise UnknownSiteError(args[0], known)
        unknown = sorted(set(opts.spargs) - set(ARGUMENTS))
        if unknown:
            raise UsageError(f"unknown argument {unknown[0]!r}: give any of {', '.join(ARGUMENTS)} (-a NAME=VALUE)")
        read_arguments(**opts.spargs, now=datetime.now(UTC))
        settings = self.crawler_process.settings
        options_of(settings)
        store_of(settings).close()
