"""Recognises a crawl that is ending: requests in progress are finished, and none is started."""

from __future__ import annotations

from scrapy.crawler import Crawler


def is_closing(crawler: Crawler) -> bool:
    """Returns whether Scrapy's engine was asked to close the spider."""
    engine = crawler._engine  # noqa: SLF001
    slot = engine._slot if engine else None  # noqa: SLF001
    return slot is not None and slot.closing is not None
