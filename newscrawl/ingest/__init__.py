"""Processes archives of pages (WARC, folders of HTML) as a crawl processes pages, on all cores and without a network.

In here: `inputs` divides the files into spans; `opening` opens a file wherever it is; `run` gives spans to workers and
stores their pages; `crew` are the workers of this machine and `worker` is the work of each; `pages` turns records and
files into raw pages. Not in here: reading WARC (`newscrawl.archive`) and extraction (`newscrawl.article`).
Start with `run`.

Onboarding, reextract, batch and the commands may import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.ingest.inputs import Input, find_inputs
    from newscrawl.ingest.pages import PageFilter
    from newscrawl.ingest.run import BadRecords, Ingest, IngestProgress, Settings

__all__ = ["BadRecords", "Ingest", "IngestProgress", "Input", "PageFilter", "Settings", "find_inputs"]

__getattr__ = loaded_when_used(  # workers store nothing
    __name__,
    {
        "BadRecords": "run",
        "Ingest": "run",
        "IngestProgress": "run",
        "Input": "inputs",
        "PageFilter": "pages",
        "Settings": "run",
        "find_inputs": "inputs",
    },
)
