"""Explains the tree filter: the ancestor whose group each chosen run belongs to, and the weights of the groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from newscrawl.explain.trace import GROUP, TREE_FILTER, Remark
from newscrawl.extraction.treefilter import (
    MAX_DEPTH,
    group_by_ancestor,
    identify_paragraphs,
    list_ancestors,
    select_largest,
)
from newscrawl.page import Page

NAME_CHARACTERS: Final = 60
"""Characters of an element's id and class that are shown."""
_ORDINALS: Final = {1: "parent", 2: "grandparent"}


def tree_remarks(page: Page, selected: Sequence[int], depth: int) -> dict[int, Remark]:
    """Returns, for every selected run, its group and whether that is the heaviest."""
    paragraph_of = identify_paragraphs(page.elements, page.runs, selected)
    ancestors_of = list_ancestors(page.elements, paragraph_of.values(), depth)
    groups = group_by_ancestor(paragraph_of, ancestors_of)
    weights = {ancestor: sum(len(page.runs[i].text) for i in members) for ancestor, members in groups.items()}
    heaviest = max(weights.values(), default=0)
    chosen = set(select_largest(page.runs, groups))
    relation = _ORDINALS.get(depth, f"ancestor {depth}")
    remarks: dict[int, Remark] = {}
    for ancestor, members in groups.items():
        weight = weights[ancestor]
        rest = "the heaviest group" if members[0] in chosen else f"the heaviest group has {heaviest:,}"
        size = f"{len(members)} run{'s' * (len(members) > 1)}, {weight:,} characters; {rest}"
        for run in members:
            paragraph = element_name(page, paragraph_of[run])
            text = f"paragraph {paragraph}, {relation} {element_name(page, ancestor)}: {size}"
            remarks[run] = Remark(TREE_FILTER, text, run in chosen)
    return remarks


def group_remarks(page: Page, selected: Sequence[int], kept: Sequence[int]) -> dict[int, Remark]:
    """Returns, for every selected run, the weights of its groups from the nearest ancestor upwards, and whether the
    chosen group includes it."""
    paragraph_of = identify_paragraphs(page.elements, page.runs, selected)
    ancestors_of = list_ancestors(page.elements, paragraph_of.values(), MAX_DEPTH)
    weights: list[dict[int, int]] = []
    for depth in range(1, MAX_DEPTH + 1):
        groups = group_by_ancestor(paragraph_of, {p: path[: depth + 1] for p, path in ancestors_of.items()})
        weights.append({a: sum(len(page.runs[i].text) for i in members) for a, members in groups.items()})
    chosen = set(kept)
    remarks: dict[int, Remark] = {}
    for run, paragraph in paragraph_of.items():
        path = ancestors_of[paragraph][1:]
        steps = (f"{element_name(page, a)} {weights[i][a]:,}" for i, a in enumerate(path) if a in weights[i])
        where = "in the article's group" if run in chosen else "outside the article's group"
        text = (
            f"{where}; paragraph {element_name(page, paragraph)}, characters by ancestor: {', '.join(steps) or 'none'}"
        )
        remarks[run] = Remark(GROUP, text, run in chosen)
    return remarks


def element_name(page: Page, element: int) -> str:
    """Returns an element's name for people: <div#main.story>. Long names are cut."""
    attributes = page.elements.attributes[element]
    name = page.elements.name(element)
    if identity := attributes.get("id", "").strip():
        name += f"#{identity}"
    name += "".join(f".{word}" for word in attributes.get("class", "")[: 2 * NAME_CHARACTERS].split())
    return f"<{name[:NAME_CHARACTERS]}{'…' * (len(name) > NAME_CHARACTERS)}>"
