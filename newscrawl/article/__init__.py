"""From RawPage to Article: the code that worker processes and `newscrawl.extract` run.

In here: `make` has the options and the work on a page by name, without loading what it needs; `from_page` joins
parsing, extraction and metadata; `extracted` is `newscrawl.extract`, `record` its values for JSON and other processes;
`verdict` says what a page is, from the `signals` and from `interstitials` and `kinds`, by the phrases in phrases/*.txt;
`verdict_rules` loads the user's own rules; `usage_rights` reads what a page states about its use; `preload` loads
shared data in the process that workers are forked from. Not in here: the extractors (`newscrawl.extraction`) and the
metadata (`newscrawl.metadata`). Start with `make`.

`newscrawl.explain` and all packages above it may import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.article.extracted import Extracted, extract
    from newscrawl.article.make import EMPTY_ANSWER, ArticleOptions, fingerprint, make_article
    from newscrawl.article.record import PageRecord, json_schema

__all__ = [
    "EMPTY_ANSWER",
    "ArticleOptions",
    "Extracted",
    "PageRecord",
    "extract",
    "fingerprint",
    "json_schema",
    "make_article",
]

__getattr__ = loaded_when_used(
    __name__,
    {
        "EMPTY_ANSWER": "make",
        "ArticleOptions": "make",
        "Extracted": "extracted",
        "PageRecord": "record",
        "extract": "extracted",
        "fingerprint": "make",
        "json_schema": "record",
        "make_article": "make",
    },
)
