"""The counters of a stored page, the same for crawls and ingests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from newscrawl.model import ProcessedPage, walls
from newscrawl.storage.records import Outcome

OUTCOME: Final = "outcome/"
NOT_OWNER: Final = "outcome/lease_lost"
"""A page that was not stored, because another process has the site's lease."""
EXTRACTOR: Final = "extractor/"
VERDICT: Final = "verdict/"
FALLBACK: Final = "extraction/fallback"


def counters_of(page: ProcessedPage, outcome: Outcome) -> Iterator[str]:
    """Yields the counters to increase: its outcome, and its failure or the extractor and verdict of its article. A page
    in review is only counted as such, as in `status`. The bot wall of a page with status 200 is counted here, as only
    the page shows that it is one; walls with other statuses are counted where they answer."""
    yield OUTCOME + outcome.kind
    if page.needs_review:
        return
    if page.failure is not None:
        yield page.failure.code
        if page.failure.code == walls.VERDICT and (answer := walls.wall_in(page.failure.reason)) is not None:
            yield answer.wall.code
    if page.article is not None:
        yield EXTRACTOR + page.article.extractor
        yield VERDICT + page.article.verdict
        if page.article.is_fallback:
            yield FALLBACK
