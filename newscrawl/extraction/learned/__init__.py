"""Extractors learned from pages with gold texts: `learned`, the first step of the chain `best`, and `dragnet`.

In here: `choose` has both extractors: it reads and evaluates the weights and judges a page. `features` makes the matrix
of a page from `text`, `tree` and the results of other algorithms. The weights are in the package and need numpy only.
docs/explanation/learned.md says what was learned, from what, and how to do it again. Neither numpy nor the weights are
loaded before the first page. Start with `choose`.
"""

from __future__ import annotations

from newscrawl.model import Selection
from newscrawl.page import Page

__all__ = ["select", "select_dragnet"]


def select(page: Page) -> Selection:
    """Returns the runs of the article's text, in document order; none if the model is not sure of the page."""
    from newscrawl.extraction.learned.choose import select as learned

    return learned(page)


def select_dragnet(page: Page) -> tuple[int, ...]:
    """Returns the runs that Dragnet's classifier takes for content, in document order."""
    from newscrawl.extraction.learned.choose import select_dragnet as dragnet

    return dragnet(page)
