"""Stores each RawPage in the raw archive: its bytes are on the disk before it is extracted."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any, Final, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from newscrawl.archive.writer import ArchiveWriter
from newscrawl.crawling.downloader.scrapy_internals import is_closing
from newscrawl.crawling.pipelines.extract import as_raw_page
from newscrawl.crawling.runtime.site_session import SiteSession
from newscrawl.crawling.runtime.summary import ARCHIVE_REFUSED
from newscrawl.errors import ArchiveError, NewscrawlError, StorageError
from newscrawl.model import Capture, RawPage

LOOK_SECONDS: Final = 0.5
"""Seconds between two checks of whether a refused page may be tried again, or the crawl ends."""
ATTEMPTS: Final = 3
"""Attempts to write a page while the archive takes others."""
DISK_LOW: Final = "archive/disk_low"
WRITE_FAILED: Final = "archive/write_failed"


class ArchivePipeline:
    """Passes every fetched page to the archive's thread and waits for it. While the disk is nearly full or refuses a
    page, the downloader sends no request (`ArchiveWriter.holds_requests`). Pages that are already being fetched are
    still written, into the space that is kept free (NEWSCRAWL_ARCHIVE_MIN_FREE_GB)."""

    def __init__(self, session: SiteSession, crawler: Crawler) -> None:
        self._session = session
        self._archive = session.services.archive
        self._crawler = crawler
        self._was_low = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(SiteSession.of(crawler), crawler)

    async def process_item(self, item: Any) -> RawPage:
        raw = as_raw_page(item)
        archive = self._archive
        if archive is None:
            return replace(raw, exchange=None)
        was_low, self._was_low = self._was_low, archive.disk_is_low()
        if self._was_low and not was_low:
            self._count(DISK_LOW)
        capture = await self._kept(archive, raw)
        self._count(f"archive/{capture.kind}")
        return replace(raw, capture=capture, exchange=None)

    async def _kept(self, archive: ArchiveWriter, raw: RawPage) -> Capture:
        """Returns the page's capture. A page that the disk refuses is tried again; if the crawl ends meanwhile, or the
        archive's patience does, a later crawl fetches it again. The same holds for a page that is refused while others
        are written."""
        try:
            return await self._tried(archive, raw)
        except ArchiveError as error:
            refusal, ends = error, archive.refusals.ends
        gives_up_at = time.monotonic() + archive.patience
        archive.held += 1
        try:
            while archive.refusals.ends - ends < ATTEMPTS and time.monotonic() < gives_up_at:
                until = min(archive.refusals.again_at, gives_up_at)
                while not is_closing(self._crawler) and time.monotonic() < until:  # noqa: ASYNC110  two conditions
                    await asyncio.sleep(LOOK_SECONDS)
                if is_closing(self._crawler):
                    break
                try:
                    return await self._tried(archive, raw)
                except ArchiveError as error:
                    refusal = error
        finally:
            archive.held -= 1
        self._session.stop_for_storage(refusal, ARCHIVE_REFUSED)
        raise _dropped(refusal)

    async def _tried(self, archive: ArchiveWriter, raw: RawPage) -> Capture:
        try:
            return await self._session.written(archive.keep(raw))
        except ArchiveError:
            self._count(WRITE_FAILED)
            raise
        except StorageError as error:  # which has been tried again; the disk has no part in it
            raise _dropped(error) from error

    def _count(self, name: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(name)


def _dropped(refusal: NewscrawlError) -> DropItem:
    return DropItem(f"not stored, the next crawl requests it again: {refusal}", log_level="INFO")
