"""Ctrl-C and SIGTERM: marks the crawl as interrupted in its counters, and says at once that it is stopping."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler

from newscrawl.config.logs.lines import is_json, print_line
from newscrawl.crawling.runtime.summary import INTERRUPTED
from newscrawl.storage.engine.errors import end_soon

STOPPING: Final = "stopping: requests in progress are finished and stored; Ctrl-C again to stop at once"
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class SignalRecorder:
    """Scrapy extension that records the signal which stops the crawl. Scrapy's own handlers stop it; this one runs
    before the first of them."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._theirs: dict[int, Callable[[int, FrameType | None], Any]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        recorder = cls(crawler)
        if _is_in_loop():  # Scrapy's handlers are there: a signal while the database opens marks the crawl too
            recorder.watch()
        crawler.signals.connect(recorder.watch, signal=signals.spider_opened)
        crawler.signals.connect(recorder.unwatch, signal=signals.engine_stopped)
        return recorder

    def watch(self) -> None:
        """Installs the handler before the present one, unless that is done. Only the main thread may do so."""
        if self._theirs or threading.current_thread() is not threading.main_thread():
            return
        for number in SIGNALS:
            theirs = signal.getsignal(number)
            if callable(theirs):
                self._theirs[number] = theirs
                signal.signal(number, self._interrupted)

    def unwatch(self) -> None:
        """Restores the former handlers, unless other code has replaced this one."""
        for number, theirs in self._theirs.items():
            if signal.getsignal(number) == self._interrupted:
                signal.signal(number, theirs)
        self._theirs.clear()

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        end_soon()
        if self._crawler.stats is not None:
            self._crawler.stats.set_value(INTERRUPTED, number)
        self._theirs[number](number, frame)  # before the line, which may not be written
        self.announce()

    def announce(self) -> None:
        """Tells the operator that the crawl stops. The commands of newscrawl print a line of their own at their end."""


class Interrupt(SignalRecorder):
    """The recorder of `scrapy crawl`, which says at once that the crawl is stopping."""

    def announce(self) -> None:
        """Prints one line."""
        with suppress(OSError):  # standard error may be closed; the crawl has to end in any case
            print_line(STOPPING if is_json() else f"\n{STOPPING}", logging.INFO)


def _is_in_loop() -> bool:
    """Returns whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def exit_code(crawler: Crawler) -> int:
    """Returns 128 plus the signal's number, as shells do, for an interrupted crawl; else 0.

    A signal that Scrapy handled before this extension was made has left no number. It counts as SIGTERM.
    """
    number = crawler.stats.get_value(INTERRUPTED)
    if not number and crawler.stats.get_value("finish_reason") in {None, "shutdown"}:
        number = signal.SIGTERM
    return 128 + int(number) if number else 0
