"""The remarks of one attempt of a chain on the runs of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from newscrawl.model import Attempt

Decision = Literal["kept", "narrowed", "dropped", "ignored"]
"""The final decision on a run: kept; chosen by the extractor and dropped by a later step; dropped; never considered."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark of one step on one run. `content` is whether the step takes the run for content, None if it does not
    decide."""

    step: str
    text: str
    content: bool | None = None


@dataclass(frozen=True, slots=True)
class ExtractorTrace:
    """An extractor's remarks on each run that it considered, step by step. Runs that it ignored are not in
    `remarks`."""

    selected: tuple[int, ...]
    remarks: Mapping[int, Sequence[Remark]]


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One step of the chain: the extractor's trace, the result after the tree filter and the chain's finish, and the
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


TREE_FILTER = "tree filter"
GROUP = "article group"
FINISH = "headline, captions, asides"
LATER_STEPS = frozenset({TREE_FILTER, GROUP, FINISH})
"""Steps of the chain that narrow what an extractor chose."""
