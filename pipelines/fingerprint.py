"""Content hash and identity key. Subclass the class here to change what is done before or after."""

from __future__ import annotations

from newscrawl.crawling.pipelines.fingerprint import FingerprintPipeline

__all__ = ["FingerprintPipeline"]
