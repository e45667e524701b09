"""The group of paragraphs that `classic` takes for the article: the tree filter's idea, for today's mark-up.

Viveros-Jiménez et al. 2018 keep the largest group of paragraphs with one n-th ancestor (`treefilter`). Two things break
that on today's pages, and each has its step here:

- An advert between two paragraphs closes their element, and the article is the text of several alike ones side by side.
  `merge_siblings` joins groups whose ancestors have parent, tag and class in common.
- Paragraphs sit in wrappers of their own, one level deeper in some parts of an article than in others. Instead of one
  depth for every page, `climb` starts at depth 1 and goes up to where the rest of the article is, as long as
  Boilerpipe's article recipe, which knows nothing of the tree, agrees that what is gained is article.

Measured in docs/quality.md; `NAME+treeN` stays what the paper describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from newscrawl.extraction.boilerpipe import select_wide_and_article
from newscrawl.extraction.treefilter import (
    MAX_DEPTH,
    group_by_ancestor,
    identify_paragraphs,
    list_ancestors,
    select_largest,
)
from newscrawl.page import Page
from newscrawl.page.elements import Elements

START_DEPTH: Final = 1
"""Parents: the surest sign that paragraphs belong together, once alike parents are merged."""

MIN_GAIN: Final = 1.5
"""A higher ancestor is worth it from so many times the text; 1.3 and 2 measured within .002 of it."""
MIN_AGREEMENT: Final = 0.8
"""Part of the gained characters that the article recipe must keep too: .6 let comments in, .9 measured the same."""


def select(page: Page) -> tuple[int, ...]:
    """Indices into `page.runs` of the article's group, in document order: the extractor `boilerpipe-wide+group`."""
    wide, article = select_wide_and_article(page)
    return article_group(page, wide, article)


def article_group(page: Page, runs: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Those of `runs` that are one article; `article` are the runs that the article recipe keeps.

    Time is linear in the number of runs and elements.
    """
    paths = _Paths(page, runs)
    merged = merge_siblings(page.elements, paths.groups(START_DEPTH))
    largest = tuple(sorted(select_largest(page.runs, merged)))
    return climb(page, largest, [paths.groups(depth) for depth in range(START_DEPTH + 1, MAX_DEPTH + 1)], article)


def merge_siblings(elements: Elements, groups: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """`groups` by ancestor, those together whose ancestors have parent, tag and class in common.

    The key of a merged group is its first ancestor.
    """
    first: dict[tuple[int, int, str], int] = {}
    merged: dict[int, list[int]] = {}
    for ancestor, members in groups.items():
        alike = (elements.parent[ancestor], elements.tag[ancestor], elements.attributes[ancestor].get("class", ""))
        merged.setdefault(first.setdefault(alike, ancestor), []).extend(members)
    return merged


def climb(
    page: Page, group: Sequence[int], levels: Sequence[Mapping[int, Sequence[int]]], article: Sequence[int]
) -> tuple[int, ...]:
    """The first group of `levels` (groups by ever higher ancestor) that holds all of `group` and is worth it, else
    `group` itself."""
    if not group:
        return ()
    members, agreed = set(group), set(article)
    characters = _characters(page, group)
    for groups in levels:
        higher = next(candidate for candidate in groups.values() if candidate[0] <= group[0] in set(candidate))
        gained = [i for i in higher if i not in members]
        if len(gained) != len(higher) - len(members):
            continue
        gain = _characters(page, gained)
        kept = _characters(page, [i for i in gained if i in agreed])
        if gain >= (MIN_GAIN - 1) * characters and kept >= MIN_AGREEMENT * gain:
            return tuple(sorted(higher))
    return tuple(group)


class _Paths:
    """Groups of runs at any depth, from one climb to the highest."""

    def __init__(self, page: Page, runs: Sequence[int]) -> None:
        self._paragraph_of = identify_paragraphs(page.elements, page.runs, runs)
        self._ancestors_of = list_ancestors(page.elements, self._paragraph_of.values(), MAX_DEPTH)

    def groups(self, depth: int) -> dict[int, list[int]]:
        """The runs under each ancestor of this depth."""
        return group_by_ancestor(self._paragraph_of, {p: path[: depth + 1] for p, path in self._ancestors_of.items()})


def _characters(page: Page, runs: Sequence[int]) -> int:
    return sum(len(page.runs[i].text) for i in runs)
