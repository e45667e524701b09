"""Chooses the group of paragraphs that `classic` takes for the article: the tree filter, adapted to present mark-up.

Viveros-Jiménez et al. 2018 keep the largest group of paragraphs with the same n-th ancestor (`treefilter`). Two things
break that on present pages. Each has a step here, after pointers to other articles (`is_pointer`) are left out:

- An advert between two paragraphs ends their element, so the article is the text of several similar ones side by side.
  `merge_siblings` joins groups whose ancestors have the same parent, tag and class.
- Paragraphs are in wrappers, one level deeper in some parts of an article than in others. Instead of one depth for
  every page, `climb` starts at depth 1 and goes up to where the rest of the article is, as long as Boilerpipe's article
  recipe, which does not use the tree, agrees that the added text is article. `merge_cousins` joins paragraphs, entries
  of a live report and captions of a gallery that each have wrappers of their own.

`GROUP` has all steps in their order: next articles of an endless page are left out before, and the short entries of a
live report added (`copies`, `beside`); after it `within` corrects the inside of the group, `beside` the runs beside
adverts, and the lead and the opening paragraphs above it are added. docs/design.md has the figures.
`NAME+treeN` is the paper's algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from newscrawl.extraction.boilerpipe.filters import PREVIOUS_LINK_DENSITY
from newscrawl.extraction.boilerpipe.recipes import select_wide_and_article
from newscrawl.extraction.cleanup.beside import entry_runs, judge_again, openings, standfirst
from newscrawl.extraction.cleanup.copies import start_of_next
from newscrawl.extraction.cleanup.draft import ENOUGH_CHARACTERS, characters_of, holders_of, run_filters
from newscrawl.extraction.cleanup.finish import AS_DISPLAYED, NO_BOXES, NO_CONSENT, finish
from newscrawl.extraction.cleanup.within import MAX_LINK_DENSITY, fill_in, in_concealed, in_consent, is_pointer
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


Choose: TypeAlias = Callable[[Page, Sequence[int], Sequence[int]], tuple[int, ...]]


class Grouping(NamedTuple):
    """The runs among which the group is chosen, and the group so far."""

    page: Page
    wide: Sequence[int]
    """The runs that the recipe `boilerpipe-wide` keeps, without those that a step has left out."""
    article: Sequence[int]
    """Those of the recipe `boilerpipe-article`."""
    choose: Choose
    entries: Collection[int] = ()
    """Those of a live report."""
    paragraphs: tuple[int, ...] = ()
    """The group before others inside its element were restored."""
    group: tuple[int, ...] = ()


def above_next(found: Grouping) -> Grouping:
    """Leaves out the next articles of an endless page."""
    following = start_of_next(found.page)
    if following == len(found.page.runs):
        return found
    wide, article = ([i for i in runs if i < following] for runs in (found.wide, found.article))
    return found._replace(wide=wide, article=article)


def with_entries(found: Grouping) -> Grouping:
    """Adds the entries of a live report, which Boilerpipe takes for labels."""
    entries = {*entry_runs(found.page)}
    if not entries:
        return found
    wide, article = (sorted(entries.union(runs)) for runs in (found.wide, found.article))
    return found._replace(wide=wide, article=article, entries=entries)


def without_pointers(found: Grouping) -> Grouping:
    """Leaves out the runs that are only links to other pages."""
    page_runs = found.page.runs
    return found._replace(wide=[i for i in found.wide if not is_pointer(page_runs[i])])


def chosen(found: Grouping) -> Grouping:
    """Chooses the group."""
    group = found.choose(found.page, found.wide, found.article)
    return found._replace(paragraphs=group, group=group)


def chosen_outside_consent(found: Grouping) -> Grouping:
    """Chooses again outside of consent notices if a part of the group is in one."""
    page = found.page
    if not any(map(in_consent(page.elements), {page.runs[i].element for i in found.group})):
        return found
    return chosen(found._replace(wide=run_filters(page, found.wide, (NO_CONSENT,))))


def chosen_among_displayed(found: Grouping) -> Grouping:
    """Chooses again among what is displayed if a part of the group is not."""
    page, concealed = found.page, in_concealed(found.page.elements)
    if not any(concealed(page.runs[i].inner) for i in found.group):
        return found
    shown = run_filters(page, found.wide, (AS_DISPLAYED,))
    return chosen(found._replace(wide=shown)) if len(shown) < len(found.wide) else found


def filled_in(found: Grouping) -> Grouping:
    """Adds what Boilerpipe keeps inside the group's element: quotations, lists, tables, sub-heads."""
    return found._replace(group=fill_in(found.page, found.group, found.wide))


def without_boxes(found: Grouping) -> Grouping:
    """Leaves out boxes with other content."""
    return found._replace(group=run_filters(found.page, found.group, (NO_BOXES,)))


def beside_adverts(found: Grouping) -> Grouping:
    """Judges the runs beside adverts again; not entries, which their shape tells, whatever is beside them."""
    page, group = found.page, judge_again(found.page, found.group, found.paragraphs)
    kept = found.entries and {*found.group}.intersection(found.entries)
    return found._replace(group=tuple(sorted({*group, *_below_links(page, group), *kept})))


def with_openings(found: Grouping) -> Grouping:
    """Adds the standfirst and the opening paragraphs above the group."""
    return found._replace(group=(*openings(found.page, found.group, found.article), *found.group))


LINES: Final = (
    without_pointers,
    chosen,
    chosen_outside_consent,
    chosen_among_displayed,
    filled_in,
    without_boxes,
)
GROUP: Final = (above_next, with_entries, *LINES, beside_adverts, with_openings)
"""The steps of `boilerpipe-wide+group`."""


def _run(steps: Iterable[Callable[[Grouping], Grouping]], found: Grouping) -> Grouping:
    for step in steps:
        found = step(found)
    return found


def select(page: Page) -> Selection:
    """Returns the indices in `page.runs` of the article's group, in document order: extractor
    `boilerpipe-wide+group`."""
    found = _run(GROUP, Grouping(page, *select_wide_and_article(page), wrapped_article))
    return Selection(found.group, tuple(found.article))


def select_unlinked(page: Page) -> tuple[int, ...]:
    """Returns the group of the lines with most words and few links: extractor `unlinked+group`.

    It is for pages where Boilerpipe finds nothing: a link between any two paragraphs, or an element around every word,
    hides the text from it. Where Boilerpipe finds a short article, the long lines are often comments or a list.
    """
    found = finish(page, select(page).runs)
    if characters_of(page, found) >= ENOUGH_CHARACTERS:
        return ()
    long_lines = unlinked(page)
    return _run(LINES, Grouping(page, long_lines, long_lines, wrapped_article)).group


def unlinked(page: Page) -> Sequence[int]:
    """Returns the runs of the long lines with few links above the next article: extractor `unlinked`."""
    following = start_of_next(page)
    return [i for i in _long_lines(page) if i < following]


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


def _below_links(page: Page, group: Sequence[int]) -> set[int]:
    """Returns the paragraphs without links right below a line that is mostly a link or an agency's credit, which are
    siblings of the group's paragraphs: those between them, and those that follow the last one with only such lines in
    between.

    Boilerpipe takes a paragraph below a link for the text of a teaser, and a credit for the end of the text.
    """
    runs, parent, tag = page.runs, page.elements.parent, page.elements.tag
    members, following = {*group}, start_of_next(page)
    kinds = {(parent[runs[i].element], tag[runs[i].element]) for i in group if runs[i].words >= PROSE_WORDS}
    found: set[int] = set()
    last = group[-1] if group else 0
    index = group[0] + 1 if group else len(runs)
    has_lines = False  # short lines, such as prices, between the last paragraph and a credit
    while index < following and index <= last + (LINES_BETWEEN if has_lines else LINKS_BETWEEN) + 1:
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
    group = _run(LINES, Grouping(page, wide, article, article_group)).group
    return (*standfirst(page, group), *group)


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
    if 2 * characters_of(page, group) > characters_of(page, runs):  # as on most pages
        return group
    cousins = merge_cousins(page, merged)
    if len(cousins) == len(merged):
        return group
    wider = _climbed(page, levels, cousins, article)
    if {*group} <= {*wider}:
        return wider
    top = holders_of(page, (group[0], group[-1]))[0]
    is_page = page.elements.tag[top] == _BODY  # its parts are no article
    filled = {*group} if is_page else {*fill_in(page, group, runs)}
    gained = characters_of(page, [i for i in wider if i not in filled])
    is_below = wider[0] > group[-1]  # readers' comments may be there
    return group if is_below or gained < (MIN_GAIN - 1) * characters_of(page, filled) else wider


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
    characters = characters_of(page, group)
    for higher in levels:
        if len(higher) <= len(members):  # it has no other runs
            continue
        gained = [i for i in higher if i not in members]
        if len(gained) != len(higher) - len(members):
            continue
        gain = characters_of(page, gained)
        if gain < (MIN_GAIN - 1) * characters:
            continue
        if characters_of(page, [i for i in gained if i in agreed]) >= MIN_AGREEMENT * gain:
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
