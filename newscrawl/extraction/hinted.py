"""Runs a chain on a page with hints of its site.

The runs that hints drop do not exist for the chain, so that its extractors, its limits and its choice between them see
the page as it would be without them. The runs that hints keep are added to its choice, or replace it if it chose
another part of the page.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from newscrawl.extraction.chain import SHORT, Chain, run_chain
from newscrawl.extraction.limits import size_of
from newscrawl.extraction.render import render
from newscrawl.model import Attempt, Extraction, HintMatch
from newscrawl.page import Page, TextRun
from newscrawl.page.run import BLANK_BEFORE, BLOCK_BEFORE, BREAK_BEFORE, PARAGRAPH_BEFORE, SPACE_BEFORE
from newscrawl.site_hints.apply import PageHints

HINTS: Final = "hints"
"""The name of the hints in the trace, where it stands after the extractors."""
MAX_REASON: Final = 300
"""Characters of the reason in the trace."""

_BOUNDARY: Final = BREAK_BEFORE | PARAGRAPH_BEFORE | BLOCK_BEFORE | SPACE_BEFORE | BLANK_BEFORE


def run_hinted(page: Page, chain: Chain, hints: PageHints) -> Extraction:
    """Returns the text of `page` as `run_chain` does, with the hints applied and described in the trace."""
    narrowed, places = without_runs(page, hints.dropped)
    found = run_chain(narrowed, chain)
    chosen = [places[run] for run in found.runs]
    kept = sorted(hints.kept)
    replaces = bool(kept) and hints.kept.isdisjoint(chosen) and size_of(page, kept).shortness(chain.limits) is None
    runs = kept if replaces else sorted(hints.kept.union(chosen))
    size = size_of(page, runs)
    problems = found.problems
    if kept and runs:
        problems = (SHORT,) if size.shortness(chain.limits) else ()
    reason = _reason(hints, len(hints.kept.difference(chosen)), replaces=replaces)
    attempt = Attempt(HINTS, size.words, size.characters, accepted=False, reason=reason)
    return Extraction(render(page, runs), tuple(runs), found.extractor, (*found.trace, attempt), problems)


def without_runs(page: Page, dropped: Collection[int]) -> tuple[Page, Sequence[int]]:
    """Returns the page without these runs, and for each of its runs the index in the whole page. What separates runs is
    kept."""
    if not dropped:
        return page, range(len(page.runs))
    runs: list[TextRun] = []
    places: list[int] = []
    moved = [0] * (len(page.runs) + 1)
    flags = tags = 0
    for index, run in enumerate(page.runs):
        moved[index] = len(runs)
        if index in dropped:
            flags |= run.flags & _BOUNDARY
            tags += run.tags
            continue
        runs.append(run._replace(flags=run.flags | flags, tags=run.tags + tags) if flags or tags else run)
        places.append(index)
        flags = tags = 0
    moved[-1] = len(runs)
    spacers = tuple([(moved[place], level) for place, level in page.spacers])
    return replace(page, runs=tuple(runs), spacers=spacers), places


def _reason(hints: PageHints, added: int, *, replaces: bool) -> str:
    if hints.problem is not None:
        return hints.problem
    parts = [f"dropped {len(hints.dropped)} runs"] if hints.dropped else []
    if replaces:
        parts.append(f"took {len(hints.kept)} kept runs in place of another part of the page")
    elif added:
        parts.append(f"added {added} runs")
    parts += [f"{name} found" for name in ("title", "authors", "published") if getattr(hints, name)]
    done = ", ".join(parts) or "changed nothing"
    since = f" (since {hints.since:%Y-%m-%d})" if hints.since is not None else ""
    return f"{done}{since}{_matched(hints.matches)}"[:MAX_REASON]


def _matched(found: Sequence[HintMatch]) -> str:
    return "".join(f"; {match.label}: {match.number or 'nothing'}" for match in found)
