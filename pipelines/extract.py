"""The extraction in worker processes. Subclass the class here to change what is done before or after."""

from __future__ import annotations

from newscrawl.crawling.pipelines.extract import ExtractPipeline

__all__ = ["ExtractPipeline"]
