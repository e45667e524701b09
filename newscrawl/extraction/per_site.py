"""What is known of one site, applied to the result of a chain: hints of its declaration, and lines that many of its
stories repeat.

What hints drop is taken out of the chain's text. If that was most of it, the chain has chosen the wrong part of the
page: it runs again on the page as it would be without what is dropped. What hints keep is added, or replaces the text
if it is another part of the page. A hint therefore changes nothing but what it names, unless the choice was wrong.

A line of boilerplate at the beginning or the end of the text goes if enough stories have it. Between lines of the
article it goes only if most stories have it, because what a newspaper repeats on purpose stands there: a step of a
recipe, a row of a table. Within a list or a table of the article it stays.

If boilerplate was most of the text, the chain has chosen the wrong part of the page. It runs again on the page without
all its boilerplate. If that finds no article either, the text stays as it was: a page of nothing but rules is a page of
rules.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from newscrawl.extraction.chain import SHORT, Chain, run_chain
from newscrawl.extraction.element_predicates import nearest, numbers_of
from newscrawl.extraction.render import lines_of, render
from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.extraction.site_boilerplate.epoch import key_of
from newscrawl.extraction.size import size_of
from newscrawl.model import Attempt, Extraction
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import BLANK_BEFORE, BLOCK_BEFORE, BREAK_BEFORE, PARAGRAPH_BEFORE, SPACE_BEFORE

if TYPE_CHECKING:
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
    matched = "".join(f"; {match.label}: {match.number or 'nothing'}" for match in hints.matches)
    return f"{done}{since}{matched}"[:MAX_REASON]


REPEATED: Final = "site boilerplate"
"""The name of the step in the trace, where it stands after the extractors and the hints."""

MIN_SHARE_BETWEEN: Final = 0.5
"""Share of the site's stories that have a line at least if it is left out between lines of the article."""
MAX_LEFT_OUT: Final = 200
"""Keys of left-out lines that an article keeps."""

_LISTS: Final = numbers_of(("ol", "ul", "dl", "table"))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a selection: its runs, its key, and the number of stories that have it (0: it is the article's own)."""

    runs: Sequence[int]
    key: int
    stories: int


def leave_out_repeated(
    page: Page,
    chain: Chain,
    found: Extraction,
    boilerplate: SiteBoilerplate,
    *,
    kept: Collection[int] = (),
    dropped: Collection[int] = (),
) -> Extraction:
    """Returns the chain's text without the site's boilerplate, and a step in the trace that says on how many stories it
    stands. `kept` and `dropped` are runs that hints of the site keep and drop; kept ones stay."""
    counts, keys = boilerplate.counts, [key_of(line) for line in found.text.split("\n") if line]
    if not any(map(counts.__contains__, keys)):
        return found
    lines = _lines(page, found.runs, boilerplate, keys)
    out = [line for line in _left_out(page, lines, boilerplate.stories) if not set(kept).intersection(line.runs)]
    if not out:
        return found
    gone = {run for line in out for run in line.runs}
    runs = tuple(run for run in found.runs if run not in gone)
    own, rest = size_of(page, found.runs), size_of(page, runs)
    extractor, again = found.extractor, ""
    if rest.characters < MIN_SHARE_LEFT * own.characters:
        other = _again(page, chain, boilerplate, kept=kept, dropped=dropped)
        if size_of(page, other.runs).shortness(chain.limits) is None:
            runs, extractor, again = other.runs, other.extractor, f"; most of the text, so {other.extractor} ran again"
        elif rest.shortness(chain.limits) is not None:
            return _with_step(page, found, out, boilerplate, "kept, because nothing else is an article: ")
    size = size_of(page, runs)
    problems = (SHORT,) if size.shortness(chain.limits) else found.problems
    left = replace(
        found,
        text=render(page, runs),
        runs=runs,
        extractor=extractor,
        problems=problems,
        selection=None,
        left_out=tuple(dict.fromkeys(line.key for line in out))[:MAX_LEFT_OUT],
    )
    return _with_step(page, left, out, boilerplate, "left out ", again)


def _lines(page: Page, runs: Sequence[int], boilerplate: SiteBoilerplate, keys: Sequence[int] = ()) -> list[_Line]:
    """Returns the lines of `runs`. `keys` are those of the lines of their rendered text, where they are known."""
    counts, lines = boilerplate.counts, lines_of(page, runs)
    if len(keys) != len(lines):
        keys = [key_of(render(page, line)) for line in lines]
    return [_Line(line, key, counts.get(key, 0)) for line, key in zip(lines, keys, strict=True)]


def _left_out(page: Page, lines: Sequence[_Line], stories: int) -> list[_Line]:
    """Returns the lines that are boilerplate where they stand."""
    own, tag = [number for number, line in enumerate(lines) if not line.stories], page.elements.tag
    if not own:
        return list(lines)
    first, last = own[0], own[-1]
    list_at = nearest(page.elements, lambda element: tag[element] in _LISTS)
    lists = [list_at(page.runs[line.runs[0]].element) for line in lines]
    ends = [line for number, line in enumerate(lines) if line.stories and not first < number < last]
    between = [
        line
        for number, line in enumerate(lines)
        if line.stories >= MIN_SHARE_BETWEEN * stories and first < number < last and not _is_item(lists, lines, number)
    ]
    return sorted((*ends, *between), key=lambda line: line.runs[0])


def _is_item(lists: Sequence[int], lines: Sequence[_Line], number: int) -> bool:
    """Returns whether the line is in a list or a table that has lines of the article before and after it. `lists` are
    the nearest lists around the lines."""
    before = next(place for place in range(number - 1, -1, -1) if not lines[place].stories)
    after = next(place for place in range(number + 1, len(lines)) if not lines[place].stories)
    return lists[before] == lists[number] == lists[after] != NO_PARENT


def _again(
    page: Page, chain: Chain, boilerplate: SiteBoilerplate, *, kept: Collection[int], dropped: Collection[int]
) -> Extraction:
    """Returns the chain's result on the page without its boilerplate; the runs are those of the whole page."""
    everywhere = _lines(page, range(len(page.runs)), boilerplate)
    gone = {run for line in everywhere if line.stories for run in line.runs}.union(dropped).difference(kept)
    narrowed, places = without_runs(page, gone)
    found = run_chain(narrowed, chain)
    return replace(found, runs=tuple(sorted({places[run] for run in found.runs}.union(kept))))


def _with_step(
    page: Page, found: Extraction, out: Sequence[_Line], boilerplate: SiteBoilerplate, verb: str, again: str = ""
) -> Extraction:
    size = size_of(page, [run for line in out for run in line.runs])
    fewest, most = min(line.stories for line in out), max(line.stories for line in out)
    on = f"{most}" if fewest == most else f"{fewest} to {most}"
    lines = "1 line" if len(out) == 1 else f"{len(out)} lines"
    reason = (
        f"{verb}{lines} of {size.characters} characters, on {on} of {boilerplate.stories} stories of the site "
        f"(epoch {boilerplate.epoch}){again}"
    )
    attempt = Attempt(REPEATED, size.words, size.characters, accepted=False, reason=reason)
    return replace(found, trace=(*found.trace, attempt))
