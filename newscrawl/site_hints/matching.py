"""Finds the elements that a selector matches, in time linear in the page and in the selector.

A path is evaluated set by set: each step maps the set of elements reached so far to the next one. So `//*//*//*//*`
costs four passes, where an evaluation for each element would cost the fourth power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES
from newscrawl.site_hints.expressions import (
    AllOf,
    AnyOf,
    AttributeText,
    Axis,
    Between,
    Collapsed,
    Comparison,
    Exists,
    Fixed,
    HasAttribute,
    Joined,
    Not,
    Operation,
    Path,
    Place,
    Predicate,
    Step,
    Text,
    Translated,
)
from newscrawl.site_hints.page_index import PageIndex

_NUMBERS: Final = {name: number for number, name in enumerate(TAG_NAMES)}
_NO_TAG: Final = -1

Elements = list[int]
"""Elements in document order, each once."""


def matches(index: PageIndex, path: Path) -> Elements:
    """Returns the elements that a path from the document matches. Raises TooLargePage."""
    reached: Elements | None = None  # the document
    for step in path.steps:
        reached = _step(index, step, reached)
        if not reached:
            return []
    found = reached or []
    if path.only is None:
        return found
    if path.only == -1:
        return found[-1:]
    return found[path.only - 1 : path.only]


def _step(index: PageIndex, step: Step, reached: Elements | None) -> Elements:
    found = _named(index, step, _of_document(index, step) if reached is None else _AXES[step.axis](index, reached))
    for predicate in step.predicates:
        if not found:
            break
        found = _filtered(index, found, predicate)
    return found


def _of_document(index: PageIndex, step: Step) -> Elements:
    """Returns what a first step reaches from the document."""
    if step.axis == "child":
        return index.roots
    if step.axis in {"descendant", "descendant-or-self"}:
        return list(range(index.size))
    return []


def _named(index: PageIndex, step: Step, elements: Elements) -> Elements:
    index.visit(len(elements))
    if step.tag is None:
        return elements
    tag, wanted = index.tag, _NUMBERS.get(step.tag, _NO_TAG)
    return [element for element in elements if tag[element] == wanted]


# Axes.


def _children(index: PageIndex, reached: Elements) -> Elements:
    found = [child for element in reached for child in index.children(element)]
    index.visit(len(found))
    return sorted(found)


def _descendants(index: PageIndex, reached: Elements) -> Elements:
    ends, upto = index.ends, 0
    found: Elements = []
    for element in reached:
        found.extend(range(max(element + 1, upto), ends[element]))
        upto = max(upto, ends[element])
    index.visit(len(found))
    return found


def _with_descendants(index: PageIndex, reached: Elements) -> Elements:
    return sorted({*reached, *_descendants(index, reached)})


def _parents(index: PageIndex, reached: Elements) -> Elements:
    index.visit(len(reached))
    return sorted({index.parent[element] for element in reached} - {NO_PARENT})


def _ancestors(index: PageIndex, reached: Elements) -> Elements:
    parent, found = index.parent, set[int]()
    for element in reached:
        above = parent[element]
        while above != NO_PARENT and above not in found:
            found.add(above)
            above = parent[above]
    index.visit(len(reached) + len(found))
    return sorted(found)


def _with_ancestors(index: PageIndex, reached: Elements) -> Elements:
    return sorted({*reached, *_ancestors(index, reached)})


def _following(index: PageIndex, reached: Elements) -> Elements:
    """Returns the siblings after the first one reached of each parent."""
    first: dict[int, int] = {}
    for element in reached:
        first.setdefault(index.parent[element], element)
    return _siblings(index, first, lambda sibling, edge: sibling > edge)


def _preceding(index: PageIndex, reached: Elements) -> Elements:
    """Returns the siblings before the last one reached of each parent."""
    last = {index.parent[element]: element for element in reached}
    return _siblings(index, last, lambda sibling, edge: sibling < edge)


def _siblings(index: PageIndex, edges: Mapping[int, int], wanted: Callable[[int, int], bool]) -> Elements:
    found: Elements = []
    for parent, edge in edges.items():
        siblings = list(index.children(parent))
        index.visit(len(siblings))
        found.extend(sibling for sibling in siblings if wanted(sibling, edge))
    return sorted(found)


def _next(index: PageIndex, reached: Elements) -> Elements:
    index.visit(len(reached))
    ends, parent = index.ends, index.parent
    after = [(element, ends[element]) for element in reached if ends[element] < index.size]
    return sorted({sibling for element, sibling in after if parent[sibling] == parent[element]})


def _before(index: PageIndex, reached: Elements) -> Elements:
    """Returns the elements whose next sibling is one of those reached."""
    wanted, found = set(reached), list[int]()
    for parent in {index.parent[element] for element in reached}:
        before = NO_PARENT
        for child in index.children(parent):
            index.visit(1)
            if child in wanted and before != NO_PARENT:
                found.append(before)
            before = child
    return sorted(found)


def _itself(index: PageIndex, reached: Elements) -> Elements:
    return reached


_AXES: Final[Mapping[Axis, Callable[[PageIndex, Elements], Elements]]] = {
    "child": _children,
    "descendant": _descendants,
    "descendant-or-self": _with_descendants,
    "self": _itself,
    "parent": _parents,
    "ancestor": _ancestors,
    "ancestor-or-self": _with_ancestors,
    "following-sibling": _following,
    "preceding-sibling": _preceding,
    "next-sibling": _next,
}
_BACK: Final[Mapping[Axis, Callable[[PageIndex, Elements], Elements]]] = {
    "child": _parents,
    "descendant": _ancestors,
    "descendant-or-self": _with_ancestors,
    "self": _itself,
    "parent": _children,
    "ancestor": _descendants,
    "ancestor-or-self": _with_descendants,
    "following-sibling": _preceding,
    "preceding-sibling": _following,
    "next-sibling": _before,
}
"""For each axis the one that leads back."""


# Predicates.


def _filtered(index: PageIndex, elements: Elements, predicate: Predicate) -> Elements:
    """Returns those of the elements for which the predicate holds."""
    index.visit(len(elements))
    if isinstance(predicate, Not):
        wrong = set(_filtered(index, elements, predicate.of))
        return [element for element in elements if element not in wrong]
    if isinstance(predicate, AllOf):
        for part in predicate.parts:
            elements = _filtered(index, elements, part)
        return elements
    if isinstance(predicate, AnyOf):
        right = {element for part in predicate.parts for element in _filtered(index, elements, part)}
        return [element for element in elements if element in right]
    if isinstance(predicate, Exists):
        sources = _sources(index, predicate.path)
        return [element for element in elements if element in sources]
    if isinstance(predicate, Place | Between):
        return _placed(index, elements, predicate)
    if isinstance(predicate, HasAttribute):
        values = index.values(predicate.name)
        return [element for element in elements if values[element] is not None]
    subject, wanted = predicate.left, predicate.right
    if isinstance(subject, AttributeText) and isinstance(wanted, Fixed):  # most selectors: a class or an id
        values, holds, text = index.values(subject.name), _OPERATIONS[predicate.operation], wanted.text
        return [e for e in elements if (value := values[e]) is not None and text in value and holds(value, text)]
    return [element for element in elements if _compares(index, element, predicate)]


def _sources(index: PageIndex, path: Path) -> set[int]:
    """Returns the elements from which a relative path finds anything: the path is walked from its end."""
    reached: Elements | None = None
    for step in reversed(path.steps):
        found = _named(index, step, list(range(index.size)) if reached is None else reached)
        for predicate in step.predicates:
            found = _filtered(index, found, predicate)
        reached = _BACK[step.axis](index, found)
    return set(reached or [])


def _placed(index: PageIndex, elements: Elements, place: Place | Between) -> Elements:
    among = place.among if isinstance(place, Place) else "candidates"
    of_parents: dict[tuple[int, int], Elements] = {}
    if among == "candidates":
        for element in elements:
            of_parents.setdefault((index.parent[element], 0), []).append(element)
    else:
        for parent in {index.parent[element] for element in elements}:
            for sibling in index.children(parent):
                index.visit(1)
                kind = index.tag[sibling] if among == "type" else 0
                of_parents.setdefault((parent, kind), []).append(sibling)
    right: set[int] = set()
    for siblings in of_parents.values():
        right.update(_at_place(siblings, place))
    return [element for element in elements if element in right]


def _at_place(siblings: Sequence[int], place: Place | Between) -> Iterable[int]:
    if isinstance(place, Between):
        return siblings[place.first - 1 : place.last]
    ordered = list(reversed(siblings)) if place.from_end else siblings
    return [sibling for position, sibling in enumerate(ordered, 1) if place.holds(position)]


# Texts.


def _compares(index: PageIndex, element: int, comparison: Comparison) -> bool:
    left, right = (_text(index, element, side) for side in (comparison.left, comparison.right))
    if left is None or right is None:
        return False
    return _OPERATIONS[comparison.operation](left, right)


def _text(index: PageIndex, element: int, text: Text) -> str | None:
    """Returns the text; None for an attribute that the element has not. Inside a function it is ""."""
    if isinstance(text, Fixed):
        return text.text
    if isinstance(text, AttributeText):
        return index.value(element, text.name)
    if isinstance(text, Joined):
        return "".join([_text(index, element, part) or "" for part in text.parts])
    if isinstance(text, Collapsed):
        return " ".join((_text(index, element, text.of) or "").split())
    if isinstance(text, Translated):
        return (_text(index, element, text.of) or "").translate({ord(old): new for old, new in text.table})
    return index.text(element)


def _has_word(text: str, word: str) -> bool:
    return word in text.split()


def _has_prefix(text: str, prefix: str) -> bool:
    return text == prefix or text.startswith(f"{prefix}-")


_OPERATIONS: Final[Mapping[Operation, Callable[[str, str], bool]]] = {
    "equals": str.__eq__,
    "contains": str.__contains__,
    "starts": str.startswith,
    "ends": str.endswith,
    "word": _has_word,
    "dash": _has_prefix,
}
