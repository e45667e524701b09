"""Explains the algorithms that compare text with mark-up: their measure for each run's line, and the threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from newscrawl.explain.trace import ExtractorTrace, Remark
from newscrawl.extraction.lines import CONTROL, TextLine, lines_of
from newscrawl.extraction.literature.ccb import accb_ratios, ccb_ratios, tccb_ratios
from newscrawl.extraction.literature.ratios import (
    LOW_SLOPE,
    QUOTA,
    danag_area,
    in_link_lists,
    outside_origin,
    slope_curve,
    tag_ratios,
)
from newscrawl.page import Page

CONTENT_CODE: Final[Mapping[str, Callable[[Page], tuple[list[float], float]]]] = MappingProxyType(
    {"ccb": ccb_ratios, "accb": accb_ratios, "tccb": tccb_ratios}
)


def cetr_reasons(page: Page) -> ExtractorTrace:
    """Explains CETR: every line's ratio, its change, and its cluster."""
    lines = lines_of(page.runs)
    smoothed, change = tag_ratios(lines)
    of_lines: list[list[Remark]] = []
    for line, ratio, ahead, outside in zip(lines, smoothed, change, outside_origin(smoothed, change), strict=True):
        cluster = "away from the origin" if outside else "at the origin"
        of_lines.append(
            [
                Remark("line", f"{line.length} characters, {line.tags} tags"),
                Remark("smoothed", f"ratio {ratio:.1f}, change {ahead:.1f}"),
                Remark("cluster", cluster, bool(outside)),
            ]
        )
    return _by_line(lines, of_lines)


def danag_reasons(page: Page) -> ExtractorTrace:
    """Explains DANAg: every line's text and code, the smoothed excess, and whether the main area includes it."""
    lines = lines_of(page.runs)
    source, excess, area = danag_area(lines)
    reached = {place for region in area for place in range(region.start, region.end)}
    of_lines: list[list[Remark]] = []
    for place, (row, value) in enumerate(zip(source, excess, strict=True)):
        if row.line is not None:
            above = f"{value:+d} characters of text over code, three lines of source"
            inside = "in the main area" if place in reached else "outside the main area"
            of_lines.append(
                [
                    Remark("line", f"{row.length} characters of text, {row.code} of code"),
                    Remark("smoothing", above, value > 0),
                    Remark("boundary", inside, place in reached),
                ]
            )
    return _by_line(lines, of_lines)


def dsc_reasons(page: Page) -> ExtractorTrace:
    """Explains the document slope curve: its slope around every line."""
    lines = lines_of(page.runs)
    slopes, mean = slope_curve(lines)
    of_lines = [
        [Remark("slope", f"{slope:.2f} tags a token; low is under {LOW_SLOPE * mean:.2f}", slope < LOW_SLOPE * mean)]
        for slope in slopes
    ]
    return _by_line(lines, of_lines)


def lqf_reasons(page: Page) -> ExtractorTrace:
    """Explains the link quota filter: links on every line, and in the lists and cells around its runs."""
    removed = in_link_lists(page)
    remarks: dict[int, list[Remark]] = {}
    selected: list[int] = []
    for line in lines_of(page.runs):
        kept = line.linked_words <= QUOTA * line.words
        for run in line.runs:
            inside = removed[page.runs[run].element]
            around = "in a list or cell that is mostly links" if inside else "in no list or cell that is mostly links"
            remarks[run] = [
                Remark("line", f"{line.linked_words} of {line.words} words are links", kept),
                Remark("lists", around, kept and not inside),
            ]
            if kept and not inside:
                selected.append(run)
    return ExtractorTrace(tuple(selected), remarks)


def content_code_reasons(page: Page, name: str) -> ExtractorTrace:
    """Explains content code blurring: the blurred ratio of every run's text."""
    ratios, threshold = CONTENT_CODE[name](page)
    remarks = {
        index: [Remark("content code ratio", f"{ratio:.2f}; content is above {threshold}", ratio > threshold)]
        for index, ratio in enumerate(ratios)
        if not page.runs[index].flags & CONTROL
    }
    return ExtractorTrace(tuple(index for index, of_run in remarks.items() if of_run[0].content), remarks)


EXPLAINERS: Final[Mapping[str, Callable[[Page], ExtractorTrace]]] = MappingProxyType(
    {"cetr": cetr_reasons, "danag": danag_reasons, "dsc": dsc_reasons, "lqf": lqf_reasons}
    | {name: partial(content_code_reasons, name=name) for name in CONTENT_CODE}
)
"""The functions of this module by the extractor's name."""


def _by_line(lines: Sequence[TextLine], of_lines: Sequence[Sequence[Remark]]) -> ExtractorTrace:
    """Returns a trace from the remarks on each line; the last remark decides."""
    remarks = {run: remark for line, remark in zip(lines, of_lines, strict=True) for run in line.runs}
    return ExtractorTrace(tuple(run for run, remark in remarks.items() if remark[-1].content), remarks)
