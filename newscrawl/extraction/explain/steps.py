"""Runs a chain's steps again and keeps the reasons of each, also on a page with hints of its site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from newscrawl.extraction.boilerpipe.recipes import RECIPES
from newscrawl.extraction.chain import Chain, Step
from newscrawl.extraction.cleanup.draft import Draft, steps_of
from newscrawl.extraction.cleanup.finish import OF_BLOCKS, OF_PARTS
from newscrawl.extraction.explain.reasons import (
    EXPLAINERS,
    GROUP,
    LEARNED,
    TREE_FILTER,
    ExtractorTrace,
    Remark,
    boilerpipe_reasons,
    group_remarks,
    justext_reasons,
    learned_reasons,
    tree_remarks,
)
from newscrawl.extraction.per_site import HINTS, seen_by_chain
from newscrawl.extraction.site_hints.apply import PageHints
from newscrawl.model import Attempt
from newscrawl.page import Page

GROUPED: Final = "+group"
"""The end of the names of extractors that narrow a recipe's choice to one group of paragraphs."""
LATER_STEPS: Final = frozenset({TREE_FILTER, GROUP, *(one.name for one in (*OF_BLOCKS, *OF_PARTS))})
"""Steps of the chain that narrow what an extractor chose."""
MAX_RUNS: Final = 10_000
"""The most runs of a page whose reasons are computed, and the most that are shown. News pages have about 200, the
longest 5,000."""
NO_REASONS: Final = ExtractorTrace((), {})

Decision = Literal["kept", "narrowed", "dropped", "ignored"]
"""The final decision on a run: kept; chosen by the extractor and dropped by a later step; dropped; never considered."""


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One step of the chain: the extractor's trace, the result after the tree filter and the chain's clean-up, and the
    attempt.

    `attempt` is None if the chain had enough text before this step; the step was then run for comparison only.
    """

    name: str
    attempt: Attempt | None
    reasons: ExtractorTrace
    kept: frozenset[int]
    dropped_by: Mapping[int, str] = field(default_factory=dict)
    """The step that decided it, for each dropped run."""

    @property
    def accepted(self) -> bool:
        """Whether the chain accepted this step's text."""
        return self.attempt is not None and self.attempt.accepted

    def decision(self, run: int) -> Decision:
        """Returns the decision of this step on a run."""
        if run in self.kept:
            return "kept"
        if run not in self.reasons.remarks:
            return "ignored"
        return "narrowed" if run in self.dropped_by and self.dropped_by[run] in LATER_STEPS else "dropped"


def step_traces(page: Page, chain: Chain, attempts: Mapping[str, Attempt]) -> list[StepTrace]:
    """Returns every step of `chain` with its reasons. `attempts` are those that the chain made, by name.

    For a page with more than `MAX_RUNS` runs, only the choice of each step is computed: all reasons of a page of 10
    MB would take minutes.
    """
    make = _choice if len(page.runs) > MAX_RUNS else _step_trace
    return [make(page, chain, step, attempts.get(step.name)) for step in chain.all_steps]


def _choice(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    """Returns the choice of a step, without reasons."""
    try:
        selected = tuple(step.run(page))
        final = frozenset(chain.finished(page, step, selected))
    # As in `_step_trace`: the reason of the attempt is the exception.
    except Exception:  # noqa: BLE001
        return StepTrace(step.name, attempt, NO_REASONS, frozenset())
    return StepTrace(step.name, attempt, ExtractorTrace(selected, dict.fromkeys(range(len(page.runs)), ())), final)


def _step_trace(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    try:
        return _reasons(page, chain, step, attempt)
    # As in the chain: an error of this extractor must not affect the others. The reason of the attempt, which is shown
    # beside it, is the exception.
    except Exception:  # noqa: BLE001
        return StepTrace(step.name, attempt, NO_REASONS, frozenset())


def _reasons(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    reasons = reasons_of(page, step)
    chosen, selected = set(reasons.selected), tuple(step.run(page))
    remarks = {run: list(of_run) for run, of_run in reasons.remarks.items()}
    dropped_by = {run: _decisive(of_run) for run, of_run in remarks.items() if run not in chosen}
    of_tree: Mapping[int, Remark] = {}
    if step.depth:
        of_tree = tree_remarks(page, reasons.selected, step.depth)
    elif step.extractor.endswith(GROUPED):
        of_tree = group_remarks(page, reasons.selected, selected)
    for run, remark in of_tree.items():
        remarks.setdefault(run, []).append(remark)
        if not remark.content:
            dropped_by[run] = remark.step
    text, left_out = Draft(page, selected), dict[int, str]()
    for one, after in steps_of(text, chain.filters(step)):
        left_out |= dict.fromkeys({*text.runs}.difference(after.runs), one.name)
        text = after
    final = frozenset(text.runs)
    for run in selected:
        if run not in final:
            remarks.setdefault(run, []).append(Remark(left_out[run], "left out of the article's text", content=False))
            dropped_by[run] = left_out[run]
    return StepTrace(step.name, attempt, ExtractorTrace(reasons.selected, remarks), final, dropped_by)


def reasons_of(page: Page, step: Step) -> ExtractorTrace:
    """Returns the remarks of a step's extractor; its choice if it gives no reasons."""
    recipe = step.extractor.removesuffix(GROUPED)
    if recipe in RECIPES:
        return boilerpipe_reasons(page, recipe)
    if step.extractor == "justext":
        return justext_reasons(page)
    if step.extractor == LEARNED:
        return learned_reasons(page)
    if step.extractor in EXPLAINERS:
        return EXPLAINERS[step.extractor](page)
    selected = tuple(step.select(page))
    chosen = set(selected)
    by_choice = {True: [Remark(step.extractor, "chosen", True)], False: [Remark(step.extractor, "not chosen", False)]}
    return ExtractorTrace(selected, {run: by_choice[run in chosen] for run in range(len(page.runs))})


def _decisive(remarks: list[Remark]) -> str:
    """Returns the last step that changed a run from content, or the first that did not take it for content."""
    decided = ""
    content: bool | None = None
    for remark in remarks:
        if remark.content is False and content is not False and remark.text:
            decided = remark.step
        if remark.content is not None:
            content = remark.content
    return decided or (remarks[-1].step if remarks else "")


def hinted_traces(
    page: Page, chain: Chain, attempts: Mapping[str, Attempt], hints: PageHints | None
) -> list[StepTrace]:
    """Returns every step of `chain` with its reasons, as `step_traces` does. With hints the steps may have seen the
    page without the dropped runs; the indices are those of the whole page, and the dropped and the kept runs say which
    hint decided."""
    if hints is None:
        return step_traces(page, chain, attempts)
    _, seen, places = seen_by_chain(page, chain, hints)
    own = {run: _remark(label, is_kept=run in hints.kept) for run, label in hints.by_run.items()}
    return [_of_whole_page(step, places, hints, own) for step in step_traces(seen, chain, attempts)]


def _remark(label: str, *, is_kept: bool) -> Remark:
    return Remark(HINTS, label, content=is_kept)


def _of_whole_page(step: StepTrace, places: Sequence[int], hints: PageHints, own: Mapping[int, Remark]) -> StepTrace:
    """Returns the trace with the indices of the whole page and the remarks of the hints."""
    remarks = {places[run]: list(of_run) for run, of_run in step.reasons.remarks.items()}
    for run, remark in own.items():
        remarks.setdefault(run, []).append(remark)
    selected = tuple(places[run] for run in step.reasons.selected)
    kept = frozenset(places[run] for run in step.kept) | hints.kept
    kept -= hints.dropped
    dropped_by = {places[run]: by for run, by in step.dropped_by.items()} | dict.fromkeys(hints.dropped, HINTS)
    return StepTrace(step.name, step.attempt, ExtractorTrace(selected, remarks), kept, dropped_by)
