"""Words the watchdog's alarms: one line for people, and the figures behind it for programs. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from newscrawl.model.wording import counted
from newscrawl.monitoring import page_checks, problems
from newscrawl.monitoring.extraction import (
    ExtractionBaseline,
    ExtractionJudgement,
    HintUse,
    commonest_failure,
    usual_length,
)
from newscrawl.monitoring.volume import VolumeJudgement

MAX_HINTS_NAMED: Final = 3
"""Hints that a message names."""
_FIELDS: Final = {
    problems.TITLE_MISSING: "title",
    problems.AUTHORS_MISSING: "authors",
    problems.PUBLISHED_MISSING: "published",
}
"""The fields of an article, by the problem that is counted if one is missing."""

_WORDS: Final = {problems.SUSPECT_TEXT: "text held for review, or read by another extractor,"}
"""What messages say for a problem. `details` has the problem's name."""


@dataclass(frozen=True, slots=True)
class AlarmText:
    """An alarm's message and its figures. `details` contains values that JSON can represent."""

    message: str
    details: dict[str, Any] = field(default_factory=dict)


def extraction_text(judgement: ExtractionJudgement, baseline: ExtractionBaseline) -> AlarmText:
    """Returns the message: which shares have changed and since when; and the usual lengths of texts."""
    shares = {change.problem: [round(change.now, 3), round(change.usual, 3)] for change in judgement.changes}
    middle, deviation = usual_length(baseline.usual)
    details = {"shares": shares, "usual_characters": middle, "usual_deviation": deviation, "pages": judgement.pages}
    parts = [
        f"{_WORDS.get(change.problem, change.problem)} on {change.now:.0%} (usually {change.usual:.0%})"
        for change in judgement.changes
    ]
    failure = commonest_failure(baseline.latest)
    if failure is not None and problems.PAGE_FAILED in shares:
        parts.append(f"most often {failure}")
    since = f" since {judgement.since:%Y-%m-%d %H:%M} UTC" if judgement.since else ""
    message = f"extraction looks broken{since}: {', '.join(parts)} of the last {counted(judgement.pages, 'page')}"
    if problems.SUSPECT_TEXT in shares:
        message += (
            f"; suspect pages: {_suspects_described(baseline)}; `newscrawl review list` shows what is held for review"
        )
    return AlarmText(message, details)


def _suspects_described(baseline: ExtractionBaseline) -> str:
    """Returns what is wrong with the suspect pages, and which fields they have."""
    pages, counts = page_checks.suspect_problems(baseline)
    has_text = counts[problems.NO_TEXT] < pages
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    wrong = [f"{problem} in {number} of {pages}" for problem, number in ordered]
    present = [name for problem, name in _FIELDS.items() if has_text and not counts[problem]]
    return ", ".join([*wrong, f"{' and '.join(present)} present"] if present else wrong)


def hints_text(uses: Sequence[HintUse]) -> AlarmText:
    """Returns the message about hints that match nothing any more."""
    dead = [use for use in uses if use.is_dead]
    named = ", ".join(f"{use.label!r} (on none of the last {use.idle} articles)" for use in dead[:MAX_HINTS_NAMED])
    more = f" and {len(dead) - MAX_HINTS_NAMED} more" if len(dead) > MAX_HINTS_NAMED else ""
    message = f"{counted(len(dead), 'hint matches', 'hints match')} nothing any more: {named}{more}"
    return AlarmText(
        f"{message}; correct or remove them, `newscrawl hints try SITE` shows the effect",
        {"hints": [use.label for use in dead]},
    )


def volume_text(judgement: VolumeJudgement, *, is_fleet: bool = False) -> AlarmText:
    """Returns the message: how many articles of one site or of all sites came since when, and how many were
    expected."""
    details = {"expected": round(judgement.expected, 1), "seen": judgement.seen}
    if judgement.since is None:
        return AlarmText("", details)
    seen = "no new article" if not judgement.seen else f"{judgement.seen} new articles"
    message = f"{seen} since {judgement.since:%Y-%m-%d %H:%M} UTC, about {judgement.expected:.0f} expected"
    return AlarmText(f"the whole fleet is quiet: {message}" if is_fleet else message, details)
