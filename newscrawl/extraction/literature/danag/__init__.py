"""DANAg: keeps the region of a page's source in which text outweighs code most, and regions near it.

In here: `source` measures the lines of the source, `regions` finds the main content among them. Start with `regions`.

Mohammadzadeh, Gottron, Schweiggert, Nakhaeizadeh, "Extracting the Main Content of Web Documents Based on a Naive
Smoothing Method", KDIR 2011, section 3. docs/explanation/algorithms.md says how lines are made of a page that has none.
"""

from __future__ import annotations

from collections.abc import Sequence

from newscrawl.extraction.lines import TextLine, lines_of
from newscrawl.extraction.literature.danag.regions import GAP, Region, main_area, regions
from newscrawl.extraction.literature.danag.source import SourceLine, normalised_source
from newscrawl.extraction.literature.ratios import smoothed_excess
from newscrawl.page import Page

__all__ = ["GAP", "Region", "SourceLine", "main_area", "measure", "normalised_source", "regions", "select"]


def select(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs in the main content area, in document order; linear time.

    Of the area only the lines in its regions are kept: the gaps between two paragraphs "are not concerning to the main
    content" (section 3.3).
    """
    lines = lines_of(page.runs)
    source, _, area = measure(lines)
    return tuple(
        run
        for region in area
        for row in source[region.start : region.end]
        if row.line is not None
        for run in lines[row.line].runs
    )


def measure(lines: Sequence[TextLine]) -> tuple[list[SourceLine], list[int], list[Region]]:
    """Returns the normalised source of a page's lines, its smoothed excess of text over code, and the regions of its
    main area."""
    source = normalised_source(lines)
    excess = smoothed_excess([line.length - line.code for line in source])
    return source, excess, main_area(regions(excess, [line.length for line in source]))
