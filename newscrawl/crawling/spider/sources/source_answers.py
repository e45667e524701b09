"""For projects that `newscrawl new` wrote before: their spider `generic` imports this module."""

from __future__ import annotations

from newscrawl.crawling.spider.sources.site_reader import UNREADABLE

__all__ = ["UNREADABLE"]
