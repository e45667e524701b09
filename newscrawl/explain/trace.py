"""What one attempt of a chain said of the runs of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from newscrawl.model import Attempt

Decision = Literal["kept", "narrowed", "dropped", "ignored"]
"""Of a run in the end: kept; chosen by the extractor and dropped by a later step; dropped; never considered."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What one step said of one run. `content` is its opinion after the step, None where it has none."""

    step: str
    text: str
    content: bool | None = None


@dataclass(frozen=True, slots=True)
class ExtractorTrace:
    """What an extractor said, step by step, of each run that it looked at; runs it never saw are not in `remarks`."""

    selected: tuple[int, ...]
    remarks: Mapping[int, Sequence[Remark]]


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One step of the chain: its voice, what the tree filter and the chain's finish made of it, and its attempt.

    `attempt` is None where the chain had enough before this step: then it is run for comparison.
    """

    name: str
    attempt: Attempt | None
    voice: ExtractorTrace
    kept: frozenset[int]
    dropped_by: Mapping[int, str] = field(default_factory=dict)
    """Of the runs it dropped: the step that decided it."""

    @property
    def accepted(self) -> bool:
        """Whether the chain took this turn's text."""
        return self.attempt is not None and self.attempt.accepted

    def decision(self, run: int) -> Decision:
        """What became of a run in this turn."""
        if run in self.kept:
            return "kept"
        if run not in self.voice.remarks:
            return "ignored"
        return "narrowed" if run in self.dropped_by and self.dropped_by[run] in LATER_STEPS else "dropped"


TREE_FILTER = "tree filter"
GROUP = "article group"
FINISH = "headline, captions, asides"
LATER_STEPS = frozenset({TREE_FILTER, GROUP, FINISH})
"""Steps of the chain that narrow what an extractor chose."""
