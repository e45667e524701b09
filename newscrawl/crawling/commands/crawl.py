"""`scrapy crawl SITE`, checked before it starts: a mistake costs one line and exit code 2, not a traceback."""

from __future__ import annotations

import argparse

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import AsyncCrawlerProcess

from newscrawl.crawling.check_settings import check_settings, tell_unknown
from newscrawl.crawling.configuration import tell
from newscrawl.crawling.guard import policy_of
from newscrawl.crawling.interrupt import exit_code
from newscrawl.crawling.process import quiet_start, run_spider
from newscrawl.crawling.services import options_of
from newscrawl.crawling.summary import STORAGE_REFUSED
from newscrawl.errors import NewscrawlError, StorageError, UnknownSiteError


class Command(ScrapyCrawl):
    """Scrapy's own command, with site, arguments, settings and chain checked first; the database when it opens."""

    def short_desc(self) -> str:
        return "Crawl one news site (newscrawl: -a max_articles=20 -a since=3d -a url=https://...)"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        if self.settings is not None:
            quiet_start(self.settings)  # before Scrapy's first line

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            self._check(args, opts)
            if isinstance(self.crawler_process, AsyncCrawlerProcess) and len(args) == 1:
                crawler = run_spider(self.crawler_process, args[0], **opts.spargs)
                if crawler.stats and crawler.stats.get_value(STORAGE_REFUSED):
                    raise StorageError("the crawl was ended because the database refused pages (see the log above)")
                self.exitcode = exit_code(crawler)
            else:
                super().run(args, opts)
        except NewscrawlError as error:
            tell(error)
            self.exitcode = error.exit_code

    def _check(self, args: list[str], opts: argparse.Namespace) -> None:
        if self.crawler_process is None or len(args) != 1:
            return  # Scrapy's own message says how the command is used
        known = self.crawler_process.spider_loader.list()
        if args[0] not in known:
            raise UnknownSiteError(args[0], known)
        # A spider that is made only to see that its declaration and arguments can work.
        self.crawler_process.spider_loader.load(args[0])(**opts.spargs)
        settings = self.crawler_process.settings
        check_settings(settings)
        tell_unknown(settings)
        policy_of(settings)
        options_of(settings)
