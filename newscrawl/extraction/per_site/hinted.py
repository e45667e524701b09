"""Runs a chain on a page with hints of its site.

What hints drop is taken out of the chain's text. If that was most of it, the chain has chosen the wrong part of the
page: it runs again on the page as it would be without what is dropped. What hints keep is added, or replaces the text
if it is another part of the page. A hint therefore changes nothing but what it names, unless the choice was wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from newscrawl.extraction.chain import SHORT, Chain, run_chain
from newscrawl.extraction.render import render
from newscrawl.extraction.size import size_of
from newscrawl.model import Attempt, Extraction, HintMatch
from newscrawl.page import Page, TextRun
from newscrawl.page.run import BLANK_BEFORE, BLOCK_BEFORE, BREAK_BEFORE, PARAGRAPH_BEFORE, SPACE_BEFORE

if TYPE_CHECKING:  # loaded for sites with hints
    from newscrawl.extraction.site_hints.apply import PageHints

HINTS: Final = "hints"
"""The name of the hints in the trace, where it stands after the extractors."""
MAX_REASON: Final = 300
"""Characters of the reason in the trace."""

MIN_SHARE_LEFT: Final = 0.5
"""Share of the chain's text that must be left, or the text was most likely another part of the page. If the chain
always ran on the page without what is dropped, a hint against advert boxes would lose the article on ten of 21 pages of
a site (docs/measurements/quality.md)."""
MIN_SHARE_OF_CHOSEN: Final = 0.5
"""Kept runs replace a text that is at most twice as long. Captions and notes that hints keep are shorter: without this
limit, the captions of a newspaper would replace five articles on 24 pages."""

_BOUNDARY: Final = BREAK_BEFORE | PARAGRAPH_BEFORE | BLOCK_BEFORE | SPACE_BEFORE | BLANK_BEFORE


def run_hinted(page: Page, chain: Chain, hints: PageHints) -> Extraction:
    """Returns the text of `page` as `run_chain` does, with the hints applied and described in the trace."""
    found, seen, places = seen_by_chain(page, chain, hints)
    chosen = [place for run in found.runs if (place := places[run]) not in hints.dropped]
    kept = sorted(hints.kept)
    replaces = bool(kept) and hints.kept.isdisjoint(chosen) and _is_whole(page, kept, chosen, chain)
    runs = kept if replaces else sorted(hints.kept.union(chosen))
    size = size_of(page, runs)
    problems = found.problems
    if size.shortness(chain.limits):
        problems = (SHORT,)
    elif kept:
        problems = ()
    reason = _reason(hints, len(hints.kept.difference(chosen)), replaces=replaces)
    attempt = Attempt(HINTS, size.words, size.characters, accepted=False, reason=reason)
    trace = (*found.trace, attempt)
    if seen is page and tuple(runs) == found.runs:
        return replace(found, trace=trace, problems=problems)
    return Extraction(render(page, runs), tuple(runs), found.extractor, trace, problems, undisplayed=found.undisplayed)


def seen_by_chain(page: Page, chain: Chain, hints: PageHints) -> tuple[Extraction, Page, Sequence[int]]:
    """Returns the chain's text before the hints are applied to it, the page that the chain has seen (with or without
    what is dropped), and for each run of that page the index in the whole page."""
    found = run_chain(page, chain)
    left = [run for run in found.runs if run not in hints.dropped]
    own, rest = size_of(page, found.runs).characters, size_of(page, left).characters
    if hints.dropped and rest < MIN_SHARE_LEFT * own:
        narrowed, places = without_runs(page, hints.dropped)
        return run_chain(narrowed, chain), narrowed, places
    return found, page, range(len(page.runs))


def _is_whole(page: Page, kept: Sequence[int], chosen: Sequence[int], chain: Chain) -> bool:
    """Returns whether the kept runs may be the whole article, not a caption or a note of the chosen text."""
    own, other = size_of(page, kept), size_of(page, chosen)
    return own.shortness(chain.limits) is None and own.characters >= MIN_SHARE_OF_CHOSEN * other.characters


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
