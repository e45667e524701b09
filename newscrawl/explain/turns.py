"""A chain's steps once more, each one's reasons kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from newscrawl.explain.boilerpipe import boilerpipe_voice
from newscrawl.explain.justext import justext_voice
from newscrawl.explain.learned import NAME as LEARNED
from newscrawl.explain.learned import learned_voice
from newscrawl.explain.ratios import VOICES
from newscrawl.explain.trace import FINISH, ExtractorTrace, Remark, StepTrace
from newscrawl.explain.tree import group_remarks, tree_remarks
from newscrawl.extraction import Chain
from newscrawl.extraction.boilerpipe import RECIPES
from newscrawl.extraction.chain import Step
from newscrawl.model import Attempt
from newscrawl.page import Page

GROUPED: Final = "+group"
"""Ends the names of extractors that narrow a recipe's choice to one group of paragraphs themselves."""

MOST_PIECES: Final = 10_000
"""Pieces of a page whose reasons are found out and that are shown: news pages have some 200, the longest 5,000."""
_NO_VOICE: Final = ExtractorTrace((), {})


def turns_of(page: Page, chain: Chain, attempts: Mapping[str, Attempt]) -> list[StepTrace]:
    """Every step of `chain` with its reasons; `attempts` are those that the chain really ran, by name.

    Of a page with more than `MOST_PIECES` pieces only what each step chose is found out: all reasons of a page of 10 MB
    take minutes.
    """
    make = _choice if len(page.runs) > MOST_PIECES else _turn
    return [make(page, chain, step, attempts.get(step.name)) for step in chain.steps]


def _choice(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    """What a step chose, without its reasons."""
    try:
        selected, final = tuple(step.run(page)), frozenset(chain.select(page, step))
    # As below: the attempt's reason is the exception.
    except Exception:  # noqa: BLE001
        return StepTrace(step.name, attempt, _NO_VOICE, frozenset())
    return StepTrace(step.name, attempt, ExtractorTrace(selected, dict.fromkeys(range(len(page.runs)), ())), final)


def _turn(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    try:
        return _reasons(page, chain, step, attempt)
    # As in the chain: whatever page broke this extractor must not cost the others their say; the attempt's reason,
    # shown beside it, is the exception.
    except Exception:  # noqa: BLE001
        return StepTrace(step.name, attempt, _NO_VOICE, frozenset())


def _reasons(page: Page, chain: Chain, step: Step, attempt: Attempt | None) -> StepTrace:
    voice = voice_of(page, step)
    chosen, left = set(voice.selected), step.run(page)
    final = frozenset(chain.select(page, step))
    remarks = {run: list(said) for run, said in voice.remarks.items()}
    dropped_by = {run: _decisive(said) for run, said in remarks.items() if run not in chosen}
    of_tree: Mapping[int, Remark] = {}
    if step.depth:
        of_tree = tree_remarks(page, voice.selected, step.depth)
    elif step.extractor.endswith(GROUPED):
        of_tree = group_remarks(page, voice.selected, left)
    for run, remark in of_tree.items():
        remarks.setdefault(run, []).append(remark)
        if not remark.content:
            dropped_by[run] = remark.step
    for run in left:
        if run not in final:
            remarks.setdefault(run, []).append(Remark(FINISH, "left out of an article's text", content=False))
            dropped_by[run] = FINISH
    return StepTrace(step.name, attempt, ExtractorTrace(voice.selected, remarks), final, dropped_by)


def voice_of(page: Page, step: Step) -> ExtractorTrace:
    """What a step's extractor said; of one that keeps no record, what it chose."""
    recipe = step.extractor.removesuffix(GROUPED)
    if recipe in RECIPES:
        return boilerpipe_voice(page, recipe)
    if step.extractor == "justext":
        return justext_voice(page)
    if step.extractor == LEARNED:
        return learned_voice(page)
    if step.extractor in VOICES:
        return VOICES[step.extractor](page)
    selected = tuple(step.select(page))
    chosen = set(selected)
    said = {True: [Remark(step.extractor, "chosen", True)], False: [Remark(step.extractor, "not chosen", False)]}
    return ExtractorTrace(selected, {run: said[run in chosen] for run in range(len(page.runs))})


def _decisive(said: list[Remark]) -> str:
    """The last step that turned a run from content, or that first called it none."""
    decided = ""
    content: bool | None = None
    for remark in said:
        if remark.content is False and content is not False and remark.text:
            decided = remark.step
        if remark.content is not None:
            content = remark.content
    return decided or (said[-1].step if said else "")
