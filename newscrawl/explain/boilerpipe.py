"""Explains Boilerpipe: the result of each filter of a recipe for each run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from newscrawl.explain.trace import ExtractorTrace, Remark
from newscrawl.extraction.boilerpipe.blocks import SPACER, document_of, label_names
from newscrawl.extraction.boilerpipe.recipes import BlockState, StepState, select, trace
from newscrawl.page import Page

CLASSIFIERS: Final = frozenset({"NumWordsRulesClassifier", "DensityRulesClassifier", "CanolaClassifier"})
"""Filters that classify a block by its features and those of its two neighbours."""

_REMOVED: Final = "removed: nothing further looks at it"


def boilerpipe_reasons(page: Page, recipe: str) -> ExtractorTrace:
    """Returns the remarks of every step of `recipe`. A step that did not change a run is only named."""
    before = _untouched(page)
    densities = _features(page)
    remarks = {run: [Remark("block", densities[run])] for run in before}
    for state in trace(page, recipe):
        step = step_name(state)
        after = {run: block for block in state.blocks for run in block.runs}
        around = _neighbours(state) if step in CLASSIFIERS else {}
        for run, block in before.items():
            _note(remarks[run], step, block, after.get(run), around.get(run))
        before = after
    return ExtractorTrace(select(page, recipe), remarks)


def step_name(state: StepState) -> str:
    """Returns the filter's name."""
    return type(state.step).__name__


def _untouched(page: Page) -> dict[int, BlockState]:
    """Returns the blocks before the first step, by run."""
    return {
        run: BlockState((run,), block.content, label_names(block.labels), block.words, block.link_density, block.level)
        for block in document_of(page).blocks
        for run in block.runs
        if run != SPACER
    }


def _features(page: Page) -> dict[int, str]:
    """Returns the shallow features of every run that Boilerpipe reads, before any filter."""
    return {
        run: f"{block.words} words, {block.linked_words} linked, link density {block.link_density:.2f}, "
        f"text density {block.text_density:.1f}, tag level {block.level}"
        + "".join(f", {label}" for label in label_names(block.labels))
        for block in document_of(page).blocks
        for run in block.runs
        if run != SPACER
    }


def _note(remarks: list[Remark], step: str, before: BlockState, after: BlockState | None, around: str | None) -> None:
    """Adds the effect of a step on a run; one line for all consecutive steps without an effect."""
    if after is None:
        remarks.append(Remark(step, _REMOVED, content=False))
        return
    parts = [around] if around else []
    if around or before.content != after.content:
        parts.append("content" if after.content else "not content")
    if new := [label for label in after.labels if label not in before.labels]:
        parts.append(f"labelled {', '.join(new)}")
    if len(after.runs) != len(before.runs):
        verb = "fused" if len(after.runs) > len(before.runs) else "split"
        parts.append(f"{verb}: now {_span(after.runs)}, {after.words} words, link density {after.link_density:.2f}")
    if parts:
        remarks.append(Remark(step, "; ".join(parts), after.content))
    elif remarks[-1].text == "":
        remarks[-1] = Remark(f"{remarks[-1].step}, {step}", "")
    else:
        remarks.append(Remark(step, ""))


def _span(runs: Sequence[int]) -> str:
    """Returns the runs as a range, so that a large fused block does not list each of its runs."""
    if len(runs) == 1:
        return f"run {runs[0]}"
    whole = all(b == a + 1 for a, b in pairwise(runs[:50]))
    return f"runs {runs[0]}–{runs[-1]}" + ("" if whole else f" ({len(runs)} of them)")


def _neighbours(state: StepState) -> dict[int, str]:
    """Returns, for every run, the input of a classifier: the features of its block and of the two neighbours."""
    blocks = state.blocks
    texts: dict[int, str] = {}
    for i, block in enumerate(blocks):
        above = blocks[i - 1] if i else None
        below = blocks[i + 1] if i + 1 < len(blocks) else None
        text = (
            f"words {_number(above)} ‹{block.words}› {_number(below)}, "
            f"link density {_share(above)} ‹{block.link_density:.2f}› {_share(below)}"
        )
        texts.update(dict.fromkeys(block.runs, text))
    return texts


def _number(block: BlockState | None) -> str:
    return str(block.words) if block else "–"


def _share(block: BlockState | None) -> str:
    return f"{block.link_density:.2f}" if block else "–"
