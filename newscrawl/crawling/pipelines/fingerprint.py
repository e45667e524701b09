"""Adds the content hash and the identity key of the text. Adverts differ with every download, so a hash of the raw page
would be useless."""

from __future__ import annotations

from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import ProcessedPage


class FingerprintPipeline:
    """Adds hash and identity key to an article. Articles from the extraction workers have them already."""

    def process_item(self, item: ProcessedPage) -> ProcessedPage:
        return fingerprint(item)
