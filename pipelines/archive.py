"""The raw archive. Subclass the class here to change what is done before or after."""

from __future__ import annotations

from newscrawl.crawling.pipelines.archive import ArchivePipeline

__all__ = ["ArchivePipeline"]
