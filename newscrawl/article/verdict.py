"""Whether a page is an article, judged by its extracted text."""

from __future__ import annotations

from newscrawl.extraction.chain import SHORT
from newscrawl.model import Extraction, Verdict


def verdict_of(extraction: Extraction) -> Verdict:
    """`empty` without any text, `short` when the text stayed below the chain's limits, else `article`."""
    if not extraction.text:
        return "empty"
    return "short" if SHORT in extraction.problems else "article"
