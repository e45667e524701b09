"""Chooses the group of paragraphs that `classic` takes for the article: the tree filter, adapted to present mark-up.

Viveros-Jiménez et al. 2018 keep the largest group of paragraphs with the same n-th ancestor (`treefilter`). Two things
break that on present pages. Each has a step here, after pointers to other articles (`is_pointer`) are left out:

- An advert between two paragraphs ends their element, so the article is the text of several similar ones side by side.
  `merge_siblings` joins groups whose ancestors have the same parent, tag and class.
- Paragraphs are in wrappers, one level deeper in some parts of an article than in others. Instead of one depth for
  every page, `climb` starts at depth 1 and goes up to where the rest of the article is, as long as Boilerpipe's article
  recipe, which does not use the tree, agrees that the added text is article.

Then `within` corrects the inside of the group, `neighbours` the runs beside adverts, and `standfirst` adds the lead
paragraph above it. docs/measurements/quality.md has the figures. `NAME+treeN` is the paper's algorithm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from newscrawl.extraction.boilerpipe import select_wide_and_article
from newscrawl.extraction.cleanup.boxes import is_pointer
from newscrawl.extraction.cleanup.neighbours import judge_again
from newscrawl.extraction.cleanup.standfirst import standfirst
from newscrawl.extraction.cleanup.within import fill_in, holds_consent, leave_out_boxes, leave_out_consent
from newscrawl.extraction.treefilter import MAX_DEPTH, identify_paragraphs, select_largest
from newscrawl.model import Selection
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.tags import TAG_NAMES

_BODY: Final = TAG_NAMES.index("body")

START_DEPTH: Final = 1
"""Depth 1, the parents: the most reliable sign that paragraphs belong together, once similar parents are merged."""

MIN_GAIN: Final = 1.2
"""A higher ancestor must have this many times the text. From 1.1 to 2 results on corpora differ by .004 at most."""
MIN_AGREEMENT: Final = 0.9
"""Share of the added characters that the article recipe must keep as well. With .6 comments are included."""


def select(page: Page) -> Selection:
    """Returns the indices in `page.runs` of the article's group, in document order: extractor
    `boilerpipe-wide+group`."""
    wide, article = select_wide_and_article(page)
    paragraphs, group = _group_and_inside(page, wide, article)
    group = judge_again(page, group, paragraphs)
    return Selection((*standfirst(page, group), *group), tuple(article))


def select_from(page: Page, wide: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Returns the group as `select` does, without judging the neighbours of adverts again.

    `wide` and `article` are the runs that the recipes `boilerpipe-wide` and `boilerpipe-article` keep. The model of
    `best` was trained on this result.
    """
    _, group = _group_and_inside(page, wide, article)
    return (*standfirst(page, group), *group)


def _group_and_inside(
    page: Page, wide: Sequence[int], article: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the group of paragraphs, and the group with its inside corrected."""
    wide = [i for i in wide if not is_pointer(page.runs[i])]
    group = article_group(page, wide, article)
    if holds_consent(page, group):
        wide = leave_out_consent(page, wide)
        group = article_group(page, wide, article)
    return group, leave_out_boxes(page, fill_in(page, group, wide))


def article_group(page: Page, runs: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Returns those of `runs` that are one article. `article` are the runs that the article recipe keeps.

    Time is linear in the number of runs and elements.
    """
    levels = _Levels(page, runs)
    merged = merge_siblings(page.elements, levels.groups(START_DEPTH))
    largest = sorted(select_largest(page.runs, merged))
    return climb(
        page, largest, (levels.holders(largest, depth) for depth in range(START_DEPTH + 1, MAX_DEPTH + 1)), article
    )


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
