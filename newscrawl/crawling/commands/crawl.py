"""`scrapy crawl SITE`, checked before it starts: a mistake gives one line and exit code 2 instead of a traceback."""

from __future__ import annotations

import argparse
import os

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import AsyncCrawlerProcess, Crawler

from newscrawl.config.derived.article_options import options_of
from newscrawl.config.environment import print_error
from newscrawl.config.logs.terminal import guard_terminals
from newscrawl.config.names import warn_of_unknown
from newscrawl.config.reading import config_of
from newscrawl.config.scrapy_cfg import missing_name
from newscrawl.config.scrapy_commands import set_event_loop
from newscrawl.crawling.downloader.address_guard import policy_of
from newscrawl.crawling.runtime.archive import folder_of
from newscrawl.crawling.runtime.interrupt import exit_code
from newscrawl.crawling.runtime.process import close_event_loop, quiet_start, run_spider
from newscrawl.crawling.runtime.setting_checks import check_contact, check_settings, check_site_settings
from newscrawl.crawling.runtime.site_session import session_of
from newscrawl.crawling.runtime.summary import ARCHIVE_REFUSED, STORAGE_REFUSED
from newscrawl.errors import (
    ArchiveError,
    DatabaseLocked,
    DatabaseUnavailable,
    NewscrawlError,
    StorageError,
    UnknownSiteError,
)


class Command(ScrapyCrawl):
    """Scrapy's own command, but site, arguments, settings and chain are checked first; the database when it opens."""

    def short_desc(self) -> str:
        return "Crawl one news site (newscrawl: -a max_articles=20 -a since=3d -a url=https://...)"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        guard_terminals()
        super().process_options(args, opts)
        if self.settings is not None:
            quiet_start(self.settings)  # before Scrapy's first line
            set_event_loop(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        try:
            self._check(args, opts)
            if isinstance(self.crawler_process, AsyncCrawlerProcess) and len(args) == 1:
                crawler = run_spider(self.crawler_process, args[0], **opts.spargs)
                _check_stored(crawler)
                self.exitcode = exit_code(crawler)
            else:
                super().run(args, opts)
        except (NewscrawlError, ImportError, NameError) as error:
            told = error if isinstance(error, NewscrawlError) else missing_name(error)
            if told is None:
                raise
            print_error(told)
            self.exitcode = told.exit_code
            close_event_loop()

    def _check(self, args: list[str], opts: argparse.Namespace) -> None:
        if self.crawler_process is None or len(args) != 1:
            return  # Scrapy's own message says how the command is used
        known = self.crawler_process.spider_loader.list()
        if args[0] not in known:
            raise UnknownSiteError(args[0], known)
        # The spider is created only to check its declaration and arguments.
        spider = self.crawler_process.spider_loader.load(args[0])
        made = spider(**opts.spargs)
        settings = self.crawler_process.settings
        check_settings(settings)
        warn_of_unknown(os.environ)
        config = config_of(settings)
        policy_of(config)
        options_of(config)
        check_site_settings(settings, spider)
        check_contact(settings, [made])


def _check_stored(crawler: Crawler) -> None:
    """Raises the error of a crawl that was ended because its pages could not be stored. The log has the reason."""
    stats = crawler.stats
    if stats and stats.get_value(ARCHIVE_REFUSED):
        folder = folder_of(config_of(crawler.settings))
        raise ArchiveError(
            f"the crawl was ended because the archive's disk refused pages ({folder}; see the log above)"
        )
    if stats and stats.get_value(STORAGE_REFUSED):
        session = session_of(crawler)
        refusal = session.refusal if session is not None else None
        kind = type(refusal) if isinstance(refusal, DatabaseLocked | DatabaseUnavailable) else StorageError
        raise kind("the crawl was ended because the database refused pages (see the log above)")
