"""Extractors learned from pages with gold texts: `learned`, the first step of the chain `best`, and `dragnet`.

Features are read off runs and the opinions of the other algorithms; the weights come with the package and need numpy
alone. docs/learned.md says what was learned, from what, and how to do it again. Neither numpy nor the weights are
loaded before the first page.
"""

from __future__ import annotations

from newscrawl.page import Page

__all__ = ["select", "select_dragnet"]


def select(page: Page) -> tuple[int, ...]:
    """The runs of the article's text, in document order; none where the model is not sure of the page."""
    from newscrawl.extraction.learned.choose import select as learned

    return learned(page)


def select_dragnet(page: Page) -> tuple[int, ...]:
    """The runs that Dragnet's classifier takes for content, in document order."""
    from newscrawl.extraction.learned.dragnet import select as dragnet

    return dragnet(page)
