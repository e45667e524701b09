"""Stores each RawPage in the raw archive: its bytes are on the disk before it is extracted."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Any, Final, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from newscrawl.archive.archive_thread import ArchiveWriter
from newscrawl.crawling.pipelines.extract import as_raw_page
from newscrawl.crawling.runtime.services import Services
from newscrawl.crawling.runtime.summary import ARCHIVE_REFUSED
from newscrawl.errors import ArchiveError, NewscrawlError, StorageError
from newscrawl.model import Capture, RawPage

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 5.0
"""Seconds between two checks of whether a full disk has room again."""
ATTEMPTS: Final = 3
"""Attempts to write a page, `LOOK_SECONDS` apart. After the last one, a later crawl fetches the page again."""
DISK_LOW: Final = "archive/disk_low"
WRITE_FAILED: Final = "archive/write_failed"


class ArchivePipeline:
    """Passes every fetched page to the archive's thread and waits for it. While the disk is nearly full, the crawl
    fetches nothing. Pages that are already being fetched are still written, into the space that is kept free
    (NEWSCRAWL_ARCHIVE_MIN_FREE_GB)."""

    def __init__(self, services: Services, crawler: Crawler) -> None:
        self._services = services
        self._archive = services.archive
        self._crawler = crawler
        self._pausing: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Services.of(crawler), crawler)

    async def process_item(self, item: Any) -> RawPage:
        raw = as_raw_page(item)
        archive = self._archive
        if archive is None:
            return replace(raw, exchange=None)
        if archive.disk_is_low():
            self._pause(archive)
        capture = await self._kept(archive, raw)
        self._count(f"archive/{capture.kind}")
        return replace(raw, capture=capture, exchange=None)

    async def _kept(self, archive: ArchiveWriter, raw: RawPage) -> Capture:
        for attempt in range(ATTEMPTS):
            try:
                return await self._services.loop_bridge.result_of(archive.keep(raw))
            except ArchiveError as error:
                self._count(WRITE_FAILED)
                logger.log(logging.ERROR if attempt == 0 else logging.WARNING, "%s", error)
                self._pause(archive)
                refusal: NewscrawlError = error
            except StorageError as error:  # which has been tried again; the disk has no part in it
                self._services.stop_for_storage(error)
                raise _dropped(error) from error
            if attempt + 1 < ATTEMPTS:
                await asyncio.sleep(LOOK_SECONDS)
        self._services.stop_for_storage(refusal, ARCHIVE_REFUSED)
        raise _dropped(refusal)

    def _pause(self, archive: ArchiveWriter) -> None:
        """Pauses the crawl's requests until there is room, and logs why."""
        engine = self._crawler.engine
        if engine is None or (self._pausing is not None and not self._pausing.done()):
            return
        self._count(DISK_LOW)
        folder, least = archive.settings.folder, archive.settings.least_free / 10**9
        if archive.disk_is_low():
            logger.warning(
                "fetching pauses: less than %g GB is free where the archive is (%s); make room, or %s",
                least,
                folder,
                _advice(archive.settings.store_address),
            )
        else:
            logger.warning("fetching pauses: the archive's disk refused a page (%s)", folder)
        engine.pause()
        self._pausing = asyncio.get_running_loop().create_task(self._resume(archive))

    async def _resume(self, archive: ArchiveWriter) -> None:
        engine = self._crawler.engine
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not archive.disk_is_low():
                break
        if engine is not None:
            engine.unpause()
            logger.warning("fetching continues")

    def close_spider(self) -> None:
        if self._pausing is not None:
            self._pausing.cancel()

    def _count(self, name: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(name)


def _advice(store_address: str | None) -> str:
    """The function that makes room besides other files."""
    if store_address is None:
        return "lower NEWSCRAWL_ARCHIVE_MIN_FREE_GB or NEWSCRAWL_ARCHIVE_MAX_GB"
    return f"see that {store_address} takes the closed files (`newscrawl doctor`)"


def _dropped(refusal: NewscrawlError) -> DropItem:
    return DropItem(f"not stored, the next crawl requests it again: {refusal}", log_level="INFO")
