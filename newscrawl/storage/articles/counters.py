"""What is counted of a page that was stored: the same whether a crawl or an ingest brought it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from newscrawl.model import ProcessedPage
from newscrawl.storage.records import Outcome

OUTCOME: Final = "outcome/"
EXTRACTOR: Final = "extractor/"
VERDICT: Final = "verdict/"
FALLBACK: Final = "extraction/fallback"


def counters_of(page: ProcessedPage, outcome: Outcome) -> Iterator[str]:
    """The counters that go up by one: its outcome, and its failure or what its article is and where it came from."""
    yield OUTCOME + outcome.kind
    if page.failure is not None:
        yield page.failure.kind
    if page.article is not None and not page.is_held:
        yield EXTRACTOR + page.article.extractor
        yield VERDICT + page.article.verdict
        if page.article.is_fallback:
            yield FALLBACK
