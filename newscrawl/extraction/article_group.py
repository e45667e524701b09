"""The group of paragraphs that `classic` takes for the article: the tree filter's idea, for today's mark-up.

Viveros-Jiménez et al. 2018 keep the largest group of paragraphs with one n-th ancestor (`treefilter`). Two things break
that on today's pages, and each has its step here, after pointers to other articles (`is_pointer`) are set aside:

- An advert between two paragraphs closes their element, and the article is the text of several alike ones side by side.
  `merge_siblings` joins groups whose ancestors have parent, tag and class in common.
- Paragraphs sit in wrappers of their own, one level deeper in some parts of an article than in others. Instead of one
  depth for every page, `climb` starts at depth 1 and goes up to where the rest of the article is, as long as
  Boilerpipe's article recipe, which knows nothing of the tree, agrees that what is gained is article.

Then `within` puts the group's inside right, `neighbours` what adverts stand beside, and `standfirst` adds the lead
paragraph above it. Measured in
docs/measurements/quality.md; `NAME+treeN` stays what the paper describes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from newscrawl.extraction.boilerpipe import select_wide_and_article
from newscrawl.extraction.cleanup.boxes import is_pointer
from newscrawl.extraction.cleanup.neighbours import judge_again
from newscrawl.extraction.cleanup.standfirst import standfirst
from newscrawl.extraction.cleanup.within import fill_in, holds_consent, leave_out_boxes, leave_out_consent
from newscrawl.extraction.treefilter import (
    MAX_DEPTH,
    identify_paragraphs,
    list_ancestors,
    select_largest,
)
from newscrawl.page import Page
from newscrawl.page.elements import Elements

START_DEPTH: Final = 1
"""Parents: the surest sign that paragraphs belong together, once alike parents are merged."""

MIN_GAIN: Final = 1.2
"""A higher ancestor is worth it from so many times the text; from 1.1 to 2 corpora differ by .004 at most."""
MIN_AGREEMENT: Final = 0.9
"""Part of the gained characters that the article recipe must keep too; .6 lets comments in."""


def select(page: Page) -> tuple[int, ...]:
    """Indices into `page.runs` of the article's group, in document order: the extractor `boilerpipe-wide+group`."""
    paragraphs, group = _group_and_inside(page, *select_wide_and_article(page))
    group = judge_again(page, group, paragraphs)
    return (*standfirst(page, group), *group)


def select_from(page: Page, wide: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """The same from what the wide and the article recipe keep, for callers who know, but for the second look at the
    neighbours of adverts: what the weights of `best` were taught on."""
    _, group = _group_and_inside(page, wide, article)
    return (*standfirst(page, group), *group)


def _group_and_inside(
    page: Page, wide: Sequence[int], article: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The group of paragraphs, and the same with its inside put right."""
    wide = [i for i in wide if not is_pointer(page.runs[i])]
    group = article_group(page, wide, article)
    if holds_consent(page, group):
        wide = leave_out_consent(page, wide)
        group = article_group(page, wide, article)
    return group, leave_out_boxes(page, fill_in(page, group, wide))


def article_group(page: Page, runs: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Those of `runs` that are one article; `article` are the runs that the article recipe keeps.

    Time is linear in the number of runs and elements.
    """
    paths = _Paths(page, runs)
    merged = merge_siblings(page.elements, paths.groups(START_DEPTH))
    largest = sorted(select_largest(page.runs, merged))
    return climb(
        page, largest, (paths.holders(largest, depth) for depth in range(START_DEPTH + 1, MAX_DEPTH + 1)), article
    )


def merge_siblings(elements: Elements, groups: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """`groups` by ancestor, those together whose ancestors have parent, tag and class in common.

    The key of a merged group is its first ancestor.
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
    """The first of `levels` (the groups of ever higher ancestors of the group's first run) that holds all of `group`
    and is worth it, else `group` itself."""
    if not group:
        return ()
    members, agreed = set(group), set(article)
    characters = _characters(page, group)
    for higher in levels:
        gained = [i for i in higher if i not in members]
        if len(gained) != len(higher) - len(members):
            continue
        gain = _characters(page, gained)
        if gain < (MIN_GAIN - 1) * characters:
            continue
        if _characters(page, [i for i in gained if i in agreed]) >= MIN_AGREEMENT * gain:
            return tuple(sorted(higher))
    return tuple(group)


class _Paths:
    """Groups of runs at any depth, from one climb to the highest."""

    def __init__(self, page: Page, runs: Sequence[int]) -> None:
        self._paragraph_of = identify_paragraphs(page.elements, page.runs, runs)
        self._ancestors_of = list_ancestors(page.elements, self._paragraph_of.values(), MAX_DEPTH)

    def groups(self, depth: int) -> dict[int, list[int]]:
        """The runs under each ancestor of this depth; where the list ended early at body, under its last."""
        ancestor_of = {p: path[depth] if depth < len(path) else path[-1] for p, path in self._ancestors_of.items()}
        groups: dict[int, list[int]] = {}
        for run, paragraph in self._paragraph_of.items():
            groups.setdefault(ancestor_of[paragraph], []).append(run)
        return groups

    def holders(self, group: Sequence[int], depth: int) -> list[int]:
        """The runs under the ancestor of this depth of the group's first run."""
        paths = self._ancestors_of
        path = paths[self._paragraph_of[group[0]]]
        wanted = path[depth] if depth < len(path) else path[-1]
        held = {p for p, path in paths.items() if (path[depth] if depth < len(path) else path[-1]) == wanted}
        return [run for run, paragraph in self._paragraph_of.items() if paragraph in held]


def _characters(page: Page, runs: Sequence[int]) -> int:
    page_runs = page.runs
    return sum([len(page_runs[i].text) for i in runs])
