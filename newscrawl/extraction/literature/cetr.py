"""CETR: keeps lines whose ratio of text to tags, or its change, stands out from the rest of the page.

Weninger, Hsu, Han, "CETR - Content Extraction via Tag Ratios", WWW 2010: the variant with two dimensions and k-means.
The numbers are computed in `newscrawl.extraction.literature.ratios`. docs/explanation/algorithms.md says what
corresponds to the paper's lines.
"""

from __future__ import annotations

from newscrawl.extraction.lines import lines_of, runs_of
from newscrawl.extraction.literature.ratios import outside_origin, tag_ratios
from newscrawl.page import Page


def select(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs on lines outside the cluster at the origin, in document order;
    linear time."""
    lines = lines_of(page.runs)
    return runs_of(lines, outside_origin(*tag_ratios(lines)))
