"""Chooses the group of paragraphs that `classic` takes for the article: the tree filter, adapted to present mark-up.

Viveros-Jiménez et al. 2018 keep the largest group of paragraphs with the same n-th ancestor (`treefilter`). Two things
break that on present pages. Each has a step here, after pointers to other articles (`is_pointer`) are left out:

- An advert between two paragraphs ends their element, so the article is the text of several similar ones side by side.
  `merge_siblings` joins groups whose ancestors have the same parent, tag and class.
- Paragraphs are in wrappers, one level deeper in some parts of an article than in others. Instead of one depth for
  every page, `climb` starts at depth 1 and goes up to where the rest of the article is, as long as Boilerpipe's article
  recipe, which does not use the tree, agrees that the added text is article. `merge_cousins` joins paragraphs, entries
  of a live report and captions of a gallery that each have wrappers of their own.

Before that, the next articles of an endless page are left out (`copies.next_article`), and the short entries of a live
report are added to what Boilerpipe keeps (`entries`). Then `within` corrects the inside of the group, `neighbours` the
runs beside adverts, and `standfirst` adds the lead and the opening paragraphs above it. docs/measurements/quality.md
has the figures. `NAME+treeN` is the paper's algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from newscrawl.extraction.boilerpipe.filters.english import PREVIOUS_LINK_DENSITY
from newscrawl.extraction.boilerpipe.recipes import select_wide_and_article
from newscrawl.extraction.cleanup.boxes import is_pointer
from newscrawl.extraction.cleanup.copies import above_next_article
from newscrawl.extraction.cleanup.entries import entry_runs
from newscrawl.extraction.cleanup.finish import finish
from newscrawl.extraction.cleanup.neighbours import judge_again
from newscrawl.extraction.cleanup.standfirst import openings, standfirst
from newscrawl.extraction.cleanup.within import (
    ENOUGH_CHARACTERS,
    MAX_LINK_DENSITY,
    common_ancestors,
    fill_in,
    holds_consent,
    in_concealed,
    leave_out_boxes,
    leave_out_consent,
    leave_out_undisplayed,
)
from newscrawl.extraction.treefilter import MAX_DEPTH, identify_paragraphs, select_largest
from newscrawl.model import Selection
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.parse import PROSE_WORDS
from newscrawl.page.run import BLOCK_BEFORE, HEADING, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT
from newscrawl.page.tags import TAG_NAMES

_BODY: Final = TAG_NAMES.index("body")

START_DEPTH: Final = 1
"""Depth 1, the parents: the most reliable sign that paragraphs belong together, once similar parents are merged."""

WRAPPERS: Final = 3
"""The most elements around one paragraph that are alike for all paragraphs of an article."""

MIN_GAIN: Final = 1.2
"""A higher ancestor must have this many times the text. From 1.1 to 2 results on corpora differ by .004 at most."""
LINE_WORDS: Final = 10
"""The least words of a line of text for `select_unlinked`, as for other text that is restored (`within`)."""
CREDIT: Final = "©"
CREDIT_WORDS: Final = 4
"""The most words of an agency's credit."""
LINES_BETWEEN: Final = 6
"""The most short lines between a paragraph and an agency's credit, with it."""
LINKS_BETWEEN: Final = 2
"""The most lines with links between two paragraphs."""
MIN_AGREEMENT: Final = 0.9
"""Share of the added characters that the article recipe must keep as well. With .6 comments are included."""


def select(page: Page) -> Selection:
    """Returns the indices in `page.runs` of the article's group, in document order: extractor
    `boilerpipe-wide+group`."""
    wide: Sequence[int]
    article: Sequence[int]
    wide, article = select_wide_and_article(page)
    is_above = above_next_article(page)
    if not is_above(len(page.runs) - 1):
        wide, article = (list(filter(is_above, runs)) for runs in (wide, article))
    entries = entry_runs(page)
    if entries:
        wide, article = (sorted({*runs, *entries}) for runs in (wide, article))
    paragraphs, group = _group_and_inside(page, wide, article, wrapped_article)
    own = {*entries}.intersection(group) if entries else ()  # their shape tells them, whatever is beside them
    group = judge_again(page, group, paragraphs)
    group = tuple(sorted({*group, *_below_links(page, group, is_above)}))
    if own:
        group = tuple(sorted({*own, *group}))
    return Selection((*openings(page, group, article), *group), tuple(article))


def select_unlinked(page: Page) -> tuple[int, ...]:
    """Returns the group of the lines with most words and few links: extractor `unlinked+group`.

    It is for pages where Boilerpipe finds nothing: a link between any two paragraphs, or an element around every word,
    hides the text from it. Where Boilerpipe finds a short article, the long lines are often comments or a list.
    """
    found = finish(page, select(page).runs)
    if sum([len(page.runs[i].text) for i in found]) >= ENOUGH_CHARACTERS:
        return ()
    long_lines = unlinked(page)
    _, group = _group_and_inside(page, long_lines, long_lines, wrapped_article)
    return group


def unlinked(page: Page) -> Sequence[int]:
    """Returns the runs of the long lines with few links above the next article: extractor `unlinked`."""
    return list(filter(above_next_article(page), _long_lines(page)))


def _long_lines(page: Page) -> Iterator[int]:
    """Yields the runs of the lines of at least `LINE_WORDS` words of which few are linked."""
    line: list[int] = []
    for index in range(len(page.runs) + 1):
        run = page.runs[index] if index < len(page.runs) else None
        if run is None or run.flags & BLOCK_BEFORE:
            words = sum([page.runs[i].words for i in line])
            if words >= LINE_WORDS and sum([page.runs[i].linked_words for i in line]) <= MAX_LINK_DENSITY * words:
                yield from line
            line = []
        if run is not None and not run.flags & (IGNORED_BY_BOILERPIPE | IGNORED_BY_JUSTEXT):
            line.append(index)


def _below_links(page: Page, group: Sequence[int], is_above: Callable[[int], bool]) -> set[int]:
    """Returns the paragraphs without links right below a line that is mostly a link or an agency's credit, which are
    siblings of the group's paragraphs: those between them, and those that follow the last one with only such lines in
    between.

    Boilerpipe takes a paragraph below a link for the text of a teaser, and a credit for the end of the text.
    """
    runs, parent, tag = page.runs, page.elements.parent, page.elements.tag
    members = {*group}
    kinds = {(parent[runs[i].element], tag[runs[i].element]) for i in group if runs[i].words >= PROSE_WORDS}
    found: set[int] = set()
    last = group[-1] if group else 0
    index = group[0] + 1 if group else len(runs)
    has_lines = False  # short lines, such as prices, between the last paragraph and a credit
    while index < len(runs) and index <= last + (LINES_BETWEEN if has_lines else LINKS_BETWEEN) + 1 and is_above(index):
        run, above = runs[index], runs[index - 1]
        if index not in members and run.words >= PROSE_WORDS and not run.linked_words and not run.hidden:
            is_below = index - 1 in found or (_is_credit(above) if has_lines else _parts(above))
            if is_below and (parent[run.element], tag[run.element]) in kinds:
                found.add(index)
                last, has_lines = max(last, index), False
        elif index > last and not _parts(run):
            if run.words >= PROSE_WORDS or run.linked_words or run.flags & HEADING:
                break
            has_lines = True
        index += 1
    return found


def _parts(run: TextRun) -> bool:
    """Returns whether a run between two paragraphs is mostly a link, or an agency's credit."""
    return run.link_density > PREVIOUS_LINK_DENSITY or _is_credit(run)


def _is_credit(run: TextRun) -> bool:
    return run.words <= CREDIT_WORDS and run.text.startswith(CREDIT)


def select_from(page: Page, wide: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Returns the group as `select` does, without judging the neighbours of adverts again.

    `wide` and `article` are the runs that the recipes `boilerpipe-wide` and `boilerpipe-article` keep. The model of
    `best` was trained on this result.
    """
    _, group = _group_and_inside(page, wide, article, article_group)
    return (*standfirst(page, group), *group)


_Grouping: TypeAlias = Callable[[Page, Sequence[int], Sequence[int]], tuple[int, ...]]


def _group_and_inside(
    page: Page, wide: Sequence[int], article: Sequence[int], choose: _Grouping
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the group of paragraphs, and the group with its inside corrected."""
    wide = [i for i in wide if not is_pointer(page.runs[i])]
    group = choose(page, wide, article)
    if holds_consent(page, group):
        wide = leave_out_consent(page, wide)
        group = choose(page, wide, article)
    concealed = in_concealed(page)
    shown = leave_out_undisplayed(page, wide) if any(concealed(page.runs[i].inner) for i in group) else wide
    if len(shown) < len(wide):
        group = choose(page, shown, article)
        wide = shown
    return group, leave_out_boxes(page, fill_in(page, group, wide))


def article_group(page: Page, runs: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Returns those of `runs` that are one article. `article` are the runs that the article recipe keeps.

    Time is linear in the number of runs and elements.
    """
    levels = _Levels(page, runs)
    return _climbed(page, levels, merge_siblings(page.elements, levels.groups(START_DEPTH)), article)


def wrapped_article(page: Page, runs: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Returns those of `runs` that are one article, as `article_group` does, also where every paragraph has wrappers of
    its own. Linear time."""
    levels = _Levels(page, runs)
    merged = merge_siblings(page.elements, levels.groups(START_DEPTH))
    group = _climbed(page, levels, merged, article)
    if 2 * _characters(page, group) > _characters(page, runs):  # as on most pages
        return group
    cousins = merge_cousins(page, merged)
    if len(cousins) == len(merged):
        return group
    wider = _climbed(page, levels, cousins, article)
    if {*group} <= {*wider}:
        return wider
    elements = page.elements
    top = common_ancestors(elements, (page.runs[group[0]].element, page.runs[group[-1]].element))[0]
    filled = group if elements.tag[top] == _BODY else fill_in(page, group, runs)  # parts of the page are no article
    gained = _characters(page, [i for i in wider if i not in {*filled}])
    is_below = wider[0] > group[-1]  # readers' comments may be there
    return group if is_below or gained < (MIN_GAIN - 1) * _characters(page, filled) else wider


def _climbed(
    page: Page, levels: _Levels, groups: Mapping[int, Sequence[int]], article: Sequence[int]
) -> tuple[int, ...]:
    largest = sorted(select_largest(page.runs, groups))
    higher = (levels.holders(largest, depth) for depth in range(START_DEPTH + 1, MAX_DEPTH + 1))
    return climb(page, largest, higher, article)


def merge_siblings(elements: Elements, groups: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """Returns `groups` by ancestor, with groups joined whose ancestors have the same parent, tag and class.

    The key of a joined group is its first ancestor.
    """
    read = elements.reader()
    first: dict[tuple[int, int, str], int] = {}
    merged: dict[int, list[int]] = {}
    for ancestor, members in groups.items():
        (name,) = read(ancestor, ("class",)) or ("",)
        alike = (elements.parent[ancestor], elements.tag[ancestor], name or "")
        merged.setdefault(first.setdefault(alike, ancestor), []).extend(members)
    return merged


def merge_cousins(page: Page, groups: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """Returns `groups` by ancestor, with groups joined whose ancestors and their parents are alike, up to `WRAPPERS`
    levels below the same element, and between which there is no pointer to another page.

    Some systems put every paragraph into wrappers of its own, as entries of a live report and captions of a gallery
    are. Teasers are in such wrappers, too, but each has a link. The key of a joined group is its first ancestor.
    """
    parent, tag, read = page.elements.parent, page.elements.tag, page.elements.reader()
    merged = {ancestor: list(members) for ancestor, members in groups.items()}
    open_ones: dict[int, tuple[int, object]] = {ancestor: (ancestor, None) for ancestor in merged}
    names: dict[int, tuple[int, str | None]] = {}
    for _ in range(WRAPPERS):
        first: dict[tuple[int, object], int] = {}
        for ancestor, (element, shape) in list(open_ones.items()):
            above = parent[element]
            if tag[element] == _BODY or above == NO_PARENT:
                del open_ones[ancestor]
                continue
            name = names.get(element)
            if name is None:
                name = names[element] = tag[element], (read(element, ("class",)) or ("",))[0]
            open_ones[ancestor] = alike = above, (shape, name)
            before = first.get(alike)
            if before is None or _has_pointer(page, merged[before][-1], merged[ancestor][0]):
                first[alike] = ancestor
            else:
                merged[before].extend(merged.pop(ancestor))
                del open_ones[ancestor]
    return merged


def _has_pointer(page: Page, first: int, last: int) -> bool:
    return any(map(is_pointer, page.runs[first + 1 : last]))


def climb(page: Page, group: Sequence[int], levels: Iterable[Sequence[int]], article: Sequence[int]) -> tuple[int, ...]:
    """Returns the first of `levels` that contains all of `group` and passes both thresholds, else `group`. The levels
    are the groups of ever higher ancestors of the group's first run."""
    if not group:
        return ()
    members, agreed = set(group), set(article)
    characters = _characters(page, group)
    for higher in levels:
        if len(higher) <= len(members):  # it has no other runs
            continue
        gained = [i for i in higher if i not in members]
        if len(gained) != len(higher) - len(members):
            continue
        gain = _characters(page, gained)
        if gain < (MIN_GAIN - 1) * characters:
            continue
        if _characters(page, [i for i in gained if i in agreed]) >= MIN_AGREEMENT * gain:
            return tuple(sorted(higher))
    return tuple(group)


class _Levels:
    """Groups of runs at any depth. The ancestors of a depth are computed when they are first used."""

    def __init__(self, page: Page, runs: Sequence[int]) -> None:
        paragraph_of = identify_paragraphs(page.elements, page.runs, runs)
        self._elements = page.elements
        self._runs = list(paragraph_of)
        self._levels = [list(paragraph_of.values())]
        """By depth: each run's ancestor, the paragraph itself at 0; from body on it is repeated."""

    def groups(self, depth: int) -> dict[int, list[int]]:
        """Returns the runs under each ancestor of this depth, or under body if the path ends there."""
        groups: dict[int, list[int]] = {}
        for run, ancestor in zip(self._runs, self._level(depth), strict=True):
            groups.setdefault(ancestor, []).append(run)
        return groups

    def holders(self, group: Sequence[int], depth: int) -> list[int]:
        """Returns the runs under the ancestor of this depth of the group's first run."""
        level = self._level(depth)
        wanted = level[self._runs.index(group[0])]
        return [run for run, ancestor in zip(self._runs, level, strict=True) if ancestor == wanted]

    def _level(self, depth: int) -> list[int]:
        parent, tag = self._elements.parent, self._elements.tag
        while len(self._levels) <= depth:
            level = self._levels[-1]
            above = {e: e if tag[e] == _BODY or parent[e] == NO_PARENT else parent[e] for e in set(level)}
            self._levels.append([above[e] for e in level])
        return self._levels[depth]


def _characters(page: Page, runs: Sequence[int]) -> int:
    page_runs = page.runs
    return sum([len(page_runs[i].text) for i in runs])
