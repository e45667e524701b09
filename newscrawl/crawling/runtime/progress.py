"""Shows a crawl to its operator: a live line on a terminal, log lines elsewhere, a table at the end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from rich.table import Table
from rich.text import Text
from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.config.logs.console import SafeConsole
from newscrawl.config.logs.lines import is_json
from newscrawl.config.logs.terminal import write_codes
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader
from newscrawl.crawling.runtime.summary import Summary, summarise
from newscrawl.model import ProcessedPage
from newscrawl.model.identity.masking import masked
from newscrawl.model.wording import counted

logger = logging.getLogger(__name__)

TERMINAL_SECONDS: Final = 0.5
LOG_SECONDS: Final = 30.0
LONG_WAIT: Final = timedelta(seconds=5)
"""A shorter wait for a host is not shown."""
WIDEST: Final = 40
"""Columns of the table's second column. A headline is cut there, so that the table fits a terminal of 80 columns."""
_CLEAR_LINE: Final = "\r\x1b[2K"


class Progress:
    """Scrapy extension; NEWSCRAWL_PROGRESS=False turns it off."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._live = sys.stderr.isatty() and not is_json()
        self._started = time.monotonic()
        self._task: asyncio.Task[None] | None = None
        self._logging_to: list[logging.Handler] = []
        self._newest: tuple[datetime, str] | None = None
        """When the newest article of this crawl was published, and its title."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        progress = cls(crawler)
        if config_of(crawler.settings).process.progress:
            crawler.signals.connect(progress._open, signal=signals.spider_opened)
            crawler.signals.connect(progress._scraped, signal=signals.item_scraped)
            crawler.signals.connect(progress._close, signal=signals.engine_stopped)
        return progress

    async def _open(self, spider: Spider) -> None:
        self._started = time.monotonic()
        if self._live:
            self._logging_to = [handler for handler in logging.root.handlers if _writes_to_stderr(handler)]
            for handler in self._logging_to:
                handler.addFilter(_make_room)
        self._task = asyncio.get_running_loop().create_task(self._report(spider.name))

    def _scraped(self, item: object) -> None:
        article = item.article if isinstance(item, ProcessedPage) and not item.needs_review else None
        if article is None or not article.metadata.title:
            return
        at = published.when if (published := article.metadata.published) else datetime.min.replace(tzinfo=UTC)
        if self._newest is None or at > self._newest[0]:
            self._newest = at, article.metadata.title

    async def _close(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        if self._live:
            write_codes(_CLEAR_LINE)
        for handler in self._logging_to:
            handler.removeFilter(_make_room)
        spider = self._crawler.spider
        summary = self._summary(spider.name if spider else "?")
        notes = {"newest headline": self._newest[1]} if self._newest else {}
        notes |= dict(getattr(spider, "table_notes", dict)())
        print_summary(summary, notes, getattr(spider, "expected_failures", {}))

    async def _report(self, site: str) -> None:
        while True:
            await asyncio.sleep(TERMINAL_SECONDS if self._live else LOG_SECONDS)
            line = one_line(self._summary(site)) + self._waiting()
            if self._live:
                # A wrapped line could not be cleared, except for its last row.
                write_codes(_CLEAR_LINE)
                sys.stderr.write(line[: shutil.get_terminal_size().columns - 1])
                sys.stderr.flush()
            else:
                logger.info("%s", line)

    def _waiting(self) -> str:
        downloader = self._crawler.engine.downloader if self._crawler.engine else None
        if not isinstance(downloader, ThrottledDownloader):
            return ""
        throttle = downloader.throttle
        return waiting_for(throttle.longest_wait(), throttle.now())

    def _summary(self, site: str) -> Summary:
        stats = self._crawler.stats
        return summarise(site, stats.get_stats() if stats else {}, time.monotonic() - self._started)


def _writes_to_stderr(handler: logging.Handler) -> bool:
    return isinstance(handler, logging.StreamHandler) and handler.stream in (sys.stderr, sys.__stderr__)


def _make_room(record: logging.LogRecord) -> bool:
    """A log filter that accepts every record and starts a new row for it. The live line is drawn again below it."""
    write_codes(_CLEAR_LINE)
    return True


def one_line(summary: Summary) -> str:
    """Returns the state of a running crawl in one line."""
    rate = summary.fetched / summary.seconds if summary.seconds else 0.0
    return (
        f"{summary.site}: {counted(summary.answered, 'request')}, {counted(summary.fetched, 'page')} ({rate:.1f}/s), "
        f"{counted(summary.inserted, 'article')}, {counted(summary.duplicates, 'duplicate')}, "
        f"{summary.forbidden} refused by robots.txt, {summary.gone} gone, {counted(summary.failed, 'failure')}"
    )


def waiting_for(wait: tuple[datetime, str, int] | None, now: datetime) -> str:
    """Returns what a crawl waits for (`HostThrottle.longest_wait`), to be appended to its line; "" for the usual delay
    of a host."""
    if wait is None or wait[0] - now < LONG_WAIT:
        return ""
    until, host, failures = wait
    reason = f"back-off after {counted(failures, 'failed request')}, " if failures else ""
    return f"; waiting for {host}: {reason}next attempt {until:%H:%M:%S} UTC"


class _Console(SafeConsole):
    """A console that continues when standard output is closed (`scrapy crawl ... | head`). rich would end the process
    inside a signal handler, while the crawl is closing what it has open."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_summary(
    summary: Summary,
    notes: Mapping[str, str] = MappingProxyType({}),
    explained: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Prints the table at the end, and commands for the next step. `notes` are further lines of the table. `explained`
    maps kinds of failure that the site intends to an explanation."""
    console = _Console(highlight=False)
    console.print(f"crawl of {summary.site}" + (", interrupted" if summary.interrupted else ""))
    table = Table(show_header=False)
    table.add_column("what")
    table.add_column("number", justify="right", max_width=WIDEST)
    for label, value in summary.rows(explained):
        table.add_row(label, value)
    for label, text in notes.items():
        table.add_row(label, Text(" ".join(text.split()), overflow="ellipsis", no_wrap=True))
    console.print(table)
    for kind in sorted(explained.keys() & dict(summary.failures).keys()):
        console.print(f"{kind} is intended: {explained[kind]}", soft_wrap=True)
    if summary.nothing:
        console.print("nothing new:" if summary.all_known else "no article was stored:")
        for line in summary.nothing:
            console.print(Text(f"  {masked(line)}"), soft_wrap=True)
    command = _command()
    for line in (
        f"next: {command} status                # alarms and the state of each site",
        f"      {command} why URL               # what happened to one URL, and why",
        f"      {command} export -o news.jsonl",
    ):
        console.print(line, soft_wrap=True)


def _command() -> str:
    """Returns how `newscrawl` is typed here: its name, or its path if its environment is not active."""
    if shutil.which("newscrawl"):
        return "newscrawl"
    script = Path(sys.executable).with_name("newscrawl")
    return str(script.relative_to(Path.cwd())) if script.is_relative_to(Path.cwd()) else str(script)
