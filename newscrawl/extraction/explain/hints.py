"""The traces of a chain's steps on a page with hints of its site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from newscrawl.extraction.chain import Chain
from newscrawl.extraction.explain.reasons import ExtractorTrace, Remark
from newscrawl.extraction.explain.steps import StepTrace, step_traces
from newscrawl.extraction.per_site.hinted import HINTS, seen_by_chain
from newscrawl.extraction.site_hints.apply import PageHints
from newscrawl.model import Attempt
from newscrawl.page import Page


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
