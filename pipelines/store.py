"""The database. Subclass the class here to change what is done before or after."""

from __future__ import annotations

from newscrawl.crawling.pipelines.store import StorePipeline

__all__ = ["StorePipeline"]
