"""Writes the runs of a page in order, each coloured by its decision, with the remarks of every step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Final

from newscrawl.extraction.explain.reasons import Remark, element_name
from newscrawl.extraction.explain.steps import MAX_RUNS, Decision, StepTrace
from newscrawl.extraction.explain.style import tag, text
from newscrawl.page import Page
from newscrawl.page.run import HEADING, HIDDEN, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT, LIST_ITEM

PATH_ELEMENTS: Final = 6
"""Ancestors shown of a run, the nearest ones, so that deep pages take linear time."""
STRIP_PIECES: Final = 2000
"""Pieces of the bar. With more, each would be narrower than a pixel."""

_FLAGS: Final = (
    (HEADING, "heading"),
    (LIST_ITEM, "list item"),
    (HIDDEN, "hidden"),
    (IGNORED_BY_BOILERPIPE, "Boilerpipe ignores its element"),
    (IGNORED_BY_JUSTEXT, "jusText ignores its element"),
)


def write_runs(page: Page, steps: Sequence[StepTrace], decisions: Sequence[Decision], main: StepTrace | None) -> str:
    """Writes one <details> for each run. On a page with too many runs, shows the kept runs first, then those from the
    start of the page; a line marks where runs are left out."""
    pieces: list[str] = []
    after = 0
    for index in _shown(decisions):
        pieces.append(_left_out(index - after))
        pieces.append(_run(page, index, steps, decisions[index], main))
        after = index + 1
    pieces.append(_left_out(len(decisions) - after))
    return "".join(pieces)


def _shown(decisions: Sequence[Decision]) -> Sequence[int]:
    """Returns the runs that are shown, in order."""
    if len(decisions) <= MAX_RUNS:
        return range(len(decisions))
    ordered = sorted(range(len(decisions)), key=lambda index: decisions[index] != "kept")
    return sorted(ordered[:MAX_RUNS])


def _left_out(number: int) -> str:
    return tag("p", text(f"{number:,} pieces are not shown, the page has too many"), class_="soft") if number else ""


def write_strip(page: Page, decisions: Sequence[Decision]) -> str:
    """Writes the page as a bar. The width of a piece is its number of characters; consecutive runs with the same
    decision are one piece."""
    pieces: list[tuple[Decision, int, int, int]] = []
    place = 0
    for index, (run, decision) in enumerate(zip(page.runs, decisions, strict=True)):
        width = len(run.text)
        if pieces and pieces[-1][0] == decision:
            last = pieces[-1]
            pieces[-1] = (decision, last[1], last[2] + width, last[3])
        else:
            pieces.append((decision, place, width, index))
        place += width
    least = place / STRIP_PIECES
    shown = frozenset(_shown(decisions))
    shapes = "".join(
        _linked(tag("rect", class_=decision, x=str(x), y="0", width=str(width), height="1"), first, shown)
        for decision, x, width, first in pieces
        if width >= least
    )
    box = f'viewBox="0 0 {max(place, 1)} 1" preserveAspectRatio="none" role="img" aria-label="the page from its start"'
    return f'<svg class="strip" {box}>{shapes}</svg>'


def _linked(shape: str, run: int, shown: Collection[int]) -> str:
    return tag("a", shape, href=f"#r{run}") if run in shown else shape


def _run(page: Page, index: int, steps: Sequence[StepTrace], decision: Decision, main: StepTrace | None) -> str:
    run = page.runs[index]
    why = main.dropped_by.get(index, "") if main is not None and decision != "kept" else ""
    label = {"kept": "kept", "ignored": "never considered"}.get(decision, why or "dropped")
    summary = tag("summary", tag("bdi", text(run.text), dir="auto"), tag("span", text(label), class_="why"))
    classes = f"run {decision}" + (" head" if run.flags & HEADING else "")
    return tag("details", summary, _facts(page, index, steps), id=f"r{index}", class_=classes) + "\n"


def _facts(page: Page, index: int, steps: Sequence[StepTrace]) -> str:
    run = page.runs[index]
    flags = "".join(f", {name}" for bit, name in _FLAGS if (run.flags | HIDDEN * run.hidden) & bit)
    place = " › ".join(reversed([element_name(page, e) for e in _nearest(page, run.element)]))
    shallow = (
        f"run {index}: {run.words} words, {len(run.text)} characters, {run.linked_words} words linked"
        f" (link density {run.link_density:.2f}){flags}"
    )
    parts = [tag("div", text(shallow)), tag("div", tag("code", text(place)), class_="soft")]
    parts.extend(_step_html(step, index) for step in steps)
    return tag("div", *parts, class_="facts")


def _nearest(page: Page, element: int) -> list[int]:
    return [element, *islice(page.elements.ancestors(element), PATH_ELEMENTS - 1)]


def _step_html(step: StepTrace, index: int) -> str:
    state = {"kept": "keeps it", "ignored": "does not look at it"}.get(step.decision(index), "drops it")
    note = "" if step.attempt is not None else tag("span", " (not needed; for comparison)", class_="soft")
    heading = tag("h3", text(f"{step.name} {state}"), note)
    remarks = step.reasons.remarks.get(index, ())
    return heading + (tag("table", *map(_remark, remarks)) if remarks else "")


def _remark(remark: Remark) -> str:
    mark = "" if remark.content is None else "yes" if remark.content else "no"
    cell = text(remark.text) if remark.text else tag("span", "nothing new", class_="soft")
    return tag("tr", tag("td", text(remark.step)), tag("td", cell, class_=mark))
