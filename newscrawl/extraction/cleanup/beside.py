"""Finds what belongs to an article beside its group of paragraphs: the entries of a live report, what stands beside
adverts, the standfirst and the opening.

Entries: elements or lines beside each other that each begin with a time of day. Most are one sentence, and extractors
that judge blocks by their words reject many of them. Their shape tells them: no other part of a page repeats a time and
a text without a link.

Neighbours of adverts: Boilerpipe's classifier (WSDM 2010, Algorithm 2) judges a short block by the blocks before and
after it. On present pages these are often an advert, a pointer to another story or a newsletter form. The content of
such a slot changes with every download, and with it the class of its neighbours, so that sentences of the article would
appear and disappear. So the runs beside a slot are judged once more, by the same rules, as if the slot were missing.
The class of other runs does not depend on a slot.

Standfirst: a lead paragraph apart from the article, between headline and text. Viveros-Jiménez et al. 2018 name it
among the losses of their tree filter, because it is in another branch. A run there is restored if the page's
description says the same. That keeps out datelines, notes and lists of topics in the same place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import islice, pairwise
from typing import Final

from newscrawl.extraction.boilerpipe.blocks import SPACER
from newscrawl.extraction.boilerpipe.columns import Columns, classify, take_columns
from newscrawl.extraction.boilerpipe.filters import WORDS, find_ends
from newscrawl.extraction.cleanup.cues import first_word, fold
from newscrawl.extraction.cleanup.draft import characters_of, holders_of, is_title
from newscrawl.extraction.cleanup.within import LINK_ONLY, MAX_LINK_DENSITY, SURE_NAMES, in_box, is_pointer, text_inside
from newscrawl.extraction.element_predicates import Predicate
from newscrawl.model.times import TIME_STARTS, leading_time
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.parse import PROSE_WORDS
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING
from newscrawl.page.tags import TAG_NAMES

MIN_ENTRIES: Final = 4
"""The least entries of a report. Fewer times are those of an event's programme or of the page."""
MAX_PROSE: Final = 8
"""The most paragraphs without a link on a page whose entries are searched. Longer entries are chosen without that."""
ENTRY_LEVELS: Final = 6
"""The most elements between a time and the element of its entry."""
MAX_BELOW: Final = 40
"""The most runs of the last entry, where entries have no elements of their own."""
TIME_WORDS: Final = 3
"""The most words of a time with its units. It may be a link to its entry."""
LABEL_WORDS: Final = 8
"""Words below which a run beside a headline of another page is a label: its section or its date."""
MIN_WITH_TEXT: Final = 0.7
"""The least share of entries with text. In lists of other pages the times are followed by links."""

AHEAD: Final = 6
"""Runs below the group that are read: a slot or two, and the paragraph that they separate."""
ABOVE: Final = 2
"""Runs above a slot whose class depends on the slot: the classifier reads the next block, and a block is content if the
one below it is (BlockProximityFusion). Below a slot it is one run."""
BELOW: Final = 2
"""Blocks below that run on which its class depends, for the same reasons."""

LEAD_WORDS: Final = 6
"""The least words of a standfirst."""
MIN_CHARACTERS: Final = 20
"""A shorter text is a label."""
START_CHARACTERS: Final = 8
"""Characters of the first word that are compared before all others."""
SAME_CHARACTERS: Final = 60
"""Descriptions are truncated and standfirsts are longer: they are the same if their beginnings agree up to here."""
WRAPPERS: Final = 2
"""The elements around an opening paragraph of which one contains the whole group, too."""
MAX_ABOVE: Final = 10
"""Runs above the group among which opening paragraphs are."""
MAX_OPENING: Final = 0.5
"""The most characters of opening paragraphs, as a share of the group's."""
REPEATED_CHARACTERS: Final = 30
"""The beginning of a summary is searched in the text up to here."""
LEAD_RUNS: Final = 40
"""Runs between headline and article that are read."""

_LABEL: Final = re.compile(r"\w{2,4}：")
_H1: Final = TAG_NAMES.index("h1")
_SPACER: Final = TextRun("", 0, 0, 0, 0, 0, 0, 0, 0, ())
"""The run of a spacer: it has no words for the classifier."""


def entry_runs(page: Page) -> list[int]:
    """Returns the runs of the text of entries, without their times; none on a page without entries. Linear time."""
    if len(page.prose) > MAX_PROSE:
        return []
    runs = page.runs
    maybe = [i for i, run in enumerate(runs) if run[0][0] in TIME_STARTS]
    if len(maybe) < MIN_ENTRIES:
        return []
    times = [
        i for i in maybe if (runs[i].words <= TIME_WORDS or not runs[i].linked_words) and leading_time(runs[i].text)
    ]
    if len(times) < MIN_ENTRIES:
        return []
    found = [_text(page, first, last) for first, last in _spans(page, times)]
    with_text = [runs for runs in found if runs]
    if len(with_text) < max(MIN_ENTRIES, MIN_WITH_TEXT * len(found)):
        return []
    return [i for runs in with_text for i in runs]


def _spans(page: Page, times: Sequence[int]) -> list[tuple[int, int]]:
    """Returns the entries, each as its first run and the run after it: from a time to the next one that has a place
    like it."""
    places = _places(page, times)
    if not places:
        return []
    common, count = Counter(places.values()).most_common(1)[0]
    if count < MIN_ENTRIES:
        return []
    own = [i for i in times if places.get(i) == common]
    after = page.elements.end_of(common)
    end = min(page.first_run(after), own[-1] + MAX_BELOW)
    return list(pairwise([*own, end]))


def _places(page: Page, times: Sequence[int]) -> dict[int, int]:
    """Returns the element that contains each time and others: for every time the lowest with at least
    `MIN_ENTRIES`."""
    holders: dict[int, list[int]] = {}
    counts: Counter[int] = Counter()
    for i in times:
        own = page.runs[i].element
        path = holders[i] = [own, *islice(page.elements.ancestors(own), ENTRY_LEVELS - 1)]
        counts.update(path)
    lowest = {i: next((e for e in path if counts[e] >= MIN_ENTRIES), NO_PARENT) for i, path in holders.items()}
    return {i: element for i, element in lowest.items() if element != NO_PARENT}


def _text(page: Page, first: int, last: int) -> list[int]:
    """Returns the runs of an entry that are text; none of a label beside the headline of another page."""
    boxed = in_box(page.elements, (), SURE_NAMES)
    runs = [first] if _has_text(page.runs[first]) else []
    for i in range(first + 1, last):
        run = page.runs[i]
        if run.link_density <= MAX_LINK_DENSITY and not run.hidden and not boxed(run.element):
            runs.append(i)
    points = any(map(is_pointer, page.runs[first:last]))
    return [] if points and all(page.runs[i].words < LABEL_WORDS for i in runs) else runs


def _has_text(run: TextRun) -> bool:
    """Returns whether there is more than a time in a run."""
    found = leading_time(run.text)
    return found is not None and bool(found.rest)


def judge_again(page: Page, group: Sequence[int], paragraphs: Sequence[int]) -> tuple[int, ...]:
    """Returns `group` as Boilerpipe would choose it without slots: some runs beside them are added, others removed.

    `paragraphs` are the runs that were the group before others inside its element were restored; a run beside those is
    one of them. Time is linear in the runs between the first and the last of the group.
    """
    if not group:
        return ()
    top = holders_of(page, group)
    line, joints = _without_slots(page, group, in_box(page.elements, top))
    if not joints:
        return tuple(group)
    kept = set(group)
    belongs: Callable[[int, bool], bool] | None = None
    for place, is_content in _beside(page, line, joints).items():
        index = line[place]
        if not is_content:
            kept.discard(index)
        elif index not in kept:
            belongs = belongs or _belonging(page, group, paragraphs, top)
            if belongs(index, place in joints and place + 1 in joints):
                kept.add(index)
    return tuple(sorted(kept or group))


def _without_slots(page: Page, group: Sequence[int], boxed: Predicate) -> tuple[list[int], set[int]]:
    """Returns runs and spacers from above to below the group, and the positions in that list where a slot is
    missing."""
    members, runs = set(group), page.runs
    spaced = {before for before, _ in page.spacers}
    line: list[int] = []
    joints: set[int] = set()
    missing = False
    for index in range(max(0, group[0] - ABOVE - 1), min(len(runs), group[-1] + AHEAD + 1)):
        run = runs[index]
        if index in spaced:
            line.append(SPACER)
        if run.flags & IGNORED_BY_BOILERPIPE:
            continue
        # A member with more words is content whatever is beside it, and is in no slot whatever its names.
        if (run.words <= WORDS or index not in members) and (is_pointer(run) or boxed(run.element)):
            missing = True
            continue
        if missing:
            joints.add(len(line))
            missing = False
        line.append(index)
    return line, joints


def _beside(page: Page, line: Sequence[int], joints: Collection[int]) -> dict[int, bool]:
    """Returns the positions in `line` of the runs beside the joints, each with its class there."""
    judged: dict[int, bool] = {}
    for joint in joints:
        first = max(0, joint - ABOVE)
        start = max(0, first - 1)
        runs = [_SPACER if index == SPACER else page.runs[index] for index in line[start : joint + BELOW + 1]]
        content = [*classify(Columns(*take_columns(runs, (), SPACER))), False]
        for place in range(first, joint + 1):
            if line[place] != SPACER:
                judged[place] = content[place - start] or content[place - start + 1]
    return judged


def _belonging(
    page: Page, group: Sequence[int], paragraphs: Sequence[int], top: Sequence[int]
) -> Callable[[int, bool], bool]:
    """Returns a test for "is a content run of the article": a sibling of its paragraphs, or what `fill_in` would
    restore. Its second argument is whether the run has slots on both sides, like teasers among pointers."""
    runs, parent, tag = page.runs, page.elements.parent, page.elements.tag
    own = {runs[i].element for i in paragraphs}
    kinds = {(parent[element], tag[element]) for element in own}
    is_text = text_inside(page.elements, top)

    def belongs(index: int, is_alone: bool) -> bool:
        run = runs[index]
        if run.element in own or (parent[run.element], tag[run.element]) in kinds:
            return run.link_density < LINK_ONLY and not (index > group[-1] and _ends_text(run))
        return not is_alone and group[0] < index < group[-1] and is_text(run)

    return belongs


def _ends_text(run: TextRun) -> bool:
    """Returns whether a run below all others heads something else, or says that the text is over."""
    return run.flags & TOP_HEADING > 0 or bool(find_ends([run.text], [run.words], [run.link_density]))


def standfirst(page: Page, group: Sequence[int]) -> tuple[int, ...]:
    """Returns the standfirst above `group`, if there is one, as a tuple of at most one run."""
    description = _description(page)
    headline = _headline(page, group[0]) if group and description else None
    return () if headline is None else _standfirst(page, group, description, headline)


def openings(page: Page, group: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Returns the standfirst above `group`, and the paragraphs between the headline and `group` that are beside an
    element with all of it: the opening of a text whose rest is in entries, items or sections of its own.

    `article` are the runs that the article recipe keeps.
    """
    description, above = _description(page), _opening_paragraphs(page, group, article)
    headline = _headline(page, group[0]) if group and (description or above) else None
    if headline is None:
        return ()
    first = _standfirst(page, group, description, headline) if description else ()
    found = {i for i in above if i > headline}
    return tuple(sorted(found.union(first))) if found else first


def _description(page: Page) -> str:
    """Returns the page's description, folded; "" for a label."""
    description = fold(page.head.first("og:description", "description", "twitter:description") or "")
    return description if len(description) >= MIN_CHARACTERS else ""


def _standfirst(page: Page, group: Sequence[int], description: str, headline: int) -> tuple[int, ...]:
    start = description.partition(" ")[0][:START_CHARACTERS]
    for index in range(headline + 1, group[0]):
        run = page.runs[index]
        if run.words < LEAD_WORDS or first_word(run.text, SAME_CHARACTERS)[:START_CHARACTERS] != start:
            continue
        if run.link_density > MAX_LINK_DENSITY or run.hidden:
            continue
        if _says_the_same(fold(run.text), description) and not in_box(page.elements)(run.element):
            return (index,)
    return ()


def _opening_paragraphs(page: Page, group: Sequence[int], article: Sequence[int]) -> list[int]:
    """Returns the paragraphs close above `group` that are beside an element with all of it, if they are shorter than
    the group: with less the text is somewhere else."""
    runs, place = page.runs, bisect_left(article, group[0]) if group else 0
    above = [
        i
        for i in article[max(0, place - MAX_ABOVE) : place]
        if (run := runs[i]).words >= PROSE_WORDS and run.link_density <= MAX_LINK_DENSITY and not run.hidden
    ]
    if not above:
        return []
    elements = page.elements
    holders = {*holders_of(page, (group[0], group[-1]))}
    boxed = in_box(elements)
    text = "\n".join([runs[i].text for i in group])
    found = [
        i
        for i in above
        if not holders.isdisjoint(islice(elements.ancestors(runs[i].element), WRAPPERS))
        and not _repeats(runs[i].text, text)
        and not boxed(runs[i].element)
    ]
    return found if characters_of(page, found) <= MAX_OPENING * characters_of(page, group) else []


def _repeats(summary: str, text: str) -> bool:
    """Returns whether a summary has a label, or begins with words that the text repeats."""
    return _LABEL.match(summary) is not None or summary[:REPEATED_CHARACTERS] in text


def _headline(page: Page, before: int) -> int | None:
    """Returns the last run before the article that is the headline or in an h1."""
    tag, runs = page.elements.tag, page.runs
    above = range(before - 1, max(-1, before - LEAD_RUNS), -1)
    return next((i for i in above if tag[runs[i].element] == _H1 or is_title(page, runs[i])), None)


def _says_the_same(text: str, description: str) -> bool:
    if len(text) < MIN_CHARACTERS:
        return False
    return text.startswith(description[:SAME_CHARACTERS].strip()) or description.startswith(text[:SAME_CHARACTERS])
