"""Archives of pages (WARC, folders of HTML) through the pipeline of a crawl, on all cores and without a network."""

from __future__ import annotations

from newscrawl.ingest.inputs import Input, find_inputs
from newscrawl.ingest.pages import Wanted
from newscrawl.ingest.run import Ingest, Progress, Settings

__all__ = ["Ingest", "Input", "Progress", "Settings", "Wanted", "find_inputs"]
