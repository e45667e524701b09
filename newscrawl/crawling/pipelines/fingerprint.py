"""Content hash and identity key of the cleaned text: adverts differ on every download, so the raw page has no use."""

from __future__ import annotations

from newscrawl.article import fingerprint
from newscrawl.model import ProcessedPage


class FingerprintPipeline:
    """Adds to an article what makes it the same article elsewhere; the workers have done so for what they extracted."""

    def process_item(self, item: ProcessedPage) -> ProcessedPage:
        return fingerprint(item)
