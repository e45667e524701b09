"""Explains the learned classifier: the probability of each run in both passes, and the threshold."""

from __future__ import annotations

from typing import Final

from newscrawl.explain.trace import ExtractorTrace, Remark
from newscrawl.extraction.learned.choose import SURE, choose, needed
from newscrawl.extraction.learned.model import load
from newscrawl.page import Page

NAME: Final = "learned"


def learned_reasons(page: Page) -> ExtractorTrace:
    """Returns the first and second score of every run, its threshold, and whether the model was sure of the page."""
    if not page.runs:
        return ExtractorTrace((), {})
    judgement = load().judge(page)
    classic, least = judgement.group, needed(judgement).tolist()
    selected = choose(page, judgement)
    chosen = set(selected)
    with_classic = set(classic)
    remarks: dict[int, list[Remark]] = {}
    for run, (alone, beside) in enumerate(zip(judgement.first.tolist(), judgement.scores.tolist(), strict=True)):
        whose = "as it stands outside of what classic chose"
        if run in with_classic:
            whose = "as classic chose it too"
        elif classic and classic[0] <= run < classic[-1]:
            whose = "as it stands within what classic chose"
        content = run in chosen
        of_run = [
            Remark("first look", f"probability {alone:.3f} from its own features"),
            Remark(
                "second look",
                f"probability {beside:.3f} beside its neighbours' first scores; needs {least[run]:.2f}, {whose}",
                content,
            ),
        ]
        if beside > least[run] and not content:
            reason = f"the likely runs' mean is below {SURE}" if not chosen else "text for browsers without frames"
            of_run.append(Remark("doubt", f"not chosen all the same: {reason}", content=False))
        remarks[run] = of_run
    return ExtractorTrace(selected, remarks)
