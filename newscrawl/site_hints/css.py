"""Reads CSS selectors, as cssselect parses them, into the same paths as XPath.

Pseudo-classes that need a browser (`:hover`) are refused. `::text` changes nothing, `::attr(NAME)` wants an attribute,
as in Scrapy's selectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import cssselect
from cssselect import parser

from newscrawl.site_hints.expressions import (
    AllOf,
    AnyOf,
    AttributeText,
    Axis,
    Comparison,
    ElementText,
    Exists,
    Fixed,
    HasAttribute,
    Not,
    Operation,
    Path,
    Place,
    Predicate,
    Step,
)
from newscrawl.site_hints.limits import Budget, SelectorError, known_tag

_OPERATIONS: Final[Mapping[str, Operation]] = {
    "=": "equals",
    "*=": "contains",
    "^=": "starts",
    "$=": "ends",
    "~=": "word",
    "|=": "dash",
}
_COMBINATORS: Final[Mapping[str, Axis]] = {
    " ": "descendant",
    ">": "child",
    "+": "next-sibling",
    "~": "following-sibling",
}
_NEVER_EMPTY: Final = frozenset({"contains", "starts", "ends", "word"})
"""Operations that match nothing if the value is empty (Selectors Level 4, 6.2)."""


def read_css(written: str) -> tuple[Path, ...]:
    """Returns the paths of a group of selectors. Raises SelectorError."""
    try:
        selectors = cssselect.parse(written)
    except (cssselect.SelectorError, RecursionError) as error:
        raise SelectorError(f"it is no CSS selector: {error}") from error
    budget = Budget()
    return tuple(_path(selector, budget) for selector in selectors)


def _path(selector: parser.Selector, budget: Budget) -> Path:
    steps = _steps(selector.parsed_tree, budget)
    wanted: Any = selector.pseudo_element
    if wanted is None or wanted == "text":
        return Path(tuple(steps))
    if isinstance(wanted, parser.FunctionalPseudoElement) and wanted.name == "attr" and len(wanted.arguments) == 1:
        return Path(tuple(steps), str(wanted.arguments[0].value).lower())
    raise SelectorError("the only pseudo-elements are ::text and ::attr(NAME)")


def _steps(tree: Any, budget: Budget, first: Axis = "descendant") -> list[Step]:
    """Returns the steps of a compound selector and of those before it."""
    budget.deeper()
    try:
        if isinstance(tree, parser.CombinedSelector):
            before = _steps(tree.selector, budget, first)
            return [*before, _step(tree.subselector, _COMBINATORS[tree.combinator], budget)]
        return [_step(tree, first, budget)]
    finally:
        budget.back()


def _step(tree: Any, axis: Axis, budget: Budget) -> Step:
    """Returns the step of a compound selector: an element with any number of conditions."""
    conditions: list[Predicate] = []
    while not isinstance(tree, parser.Element):
        budget.part()
        if isinstance(tree, parser.CombinedSelector):
            raise SelectorError("a selector with a combinator cannot stand there")
        conditions.append(_condition(tree, budget))
        tree = tree.selector
    budget.part()
    if tree.namespace is not None:
        raise SelectorError("HTML has no names with a namespace before them")
    return Step(axis, known_tag(tree.element) if tree.element else None, tuple(reversed(conditions)))


def _condition(tree: Any, budget: Budget) -> Predicate:
    if isinstance(tree, parser.Class):
        return Comparison("word", AttributeText("class"), Fixed(tree.class_name))
    if isinstance(tree, parser.Hash):
        return Comparison("equals", AttributeText("id"), Fixed(tree.id))
    if isinstance(tree, parser.Attrib):
        return _attribute(tree)
    if isinstance(tree, parser.Negation):
        return Not(_matches(tree.subselector, budget))
    if isinstance(tree, parser.Matching | parser.SpecificityAdjustment):
        parts = tuple(_matches(one, budget) for one in tree.selector_list)
        return parts[0] if len(parts) == 1 else AnyOf(parts)
    if isinstance(tree, parser.Relation):
        return _has(tree, budget)
    if isinstance(tree, parser.Pseudo):
        return _pseudo(tree.ident)
    if isinstance(tree, parser.Function):
        return _function(tree)
    raise SelectorError(f"{type(tree).__name__.lower()} cannot be used")


def _attribute(tree: Any) -> Predicate:
    if tree.namespace is not None:
        raise SelectorError("HTML has no names with a namespace before them")
    if tree.flag == "i":
        raise SelectorError("the flag i is not supported: write the value as the page does")
    name = tree.attrib.lower()
    if tree.operator == "exists":
        return HasAttribute(name)
    value = Fixed(str(tree.value.value))
    if tree.operator == "!=":
        return Not(Comparison("equals", AttributeText(name), value))
    operation = _OPERATIONS[tree.operator]
    if not value.text and operation in _NEVER_EMPTY:
        raise SelectorError(f"[{name}{tree.operator}''] matches nothing")
    return Comparison(operation, AttributeText(name), value)


def _matches(tree: Any, budget: Budget) -> Predicate:
    """Returns whether the element itself matches a compound selector, inside :not() or :is()."""
    budget.deeper()
    try:
        step = _step(tree, "self", budget)
    finally:
        budget.back()
    return Exists(Path((step,)))


def _has(tree: Any, budget: Budget) -> Predicate:
    parts = []
    for combinator, inner in tree.arguments:
        steps = _steps(inner.parsed_tree, budget, _COMBINATORS[str(combinator.value)])
        parts.append(Exists(Path(tuple(steps))))
    return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))


def _pseudo(name: str) -> Predicate:
    places = {
        "first-child": Place("siblings", 0, 1),
        "last-child": Place("siblings", 0, 1, from_end=True),
        "first-of-type": Place("type", 0, 1),
        "last-of-type": Place("type", 0, 1, from_end=True),
    }
    if name in places:
        return places[name]
    if name == "only-child":
        return AllOf((places["first-child"], places["last-child"]))
    if name == "only-of-type":
        return AllOf((places["first-of-type"], places["last-of-type"]))
    if name == "root":
        return Not(Exists(Path((Step("parent"),))))
    if name == "empty":
        return AllOf((Not(Exists(Path((Step("child"),)))), Comparison("equals", ElementText(), Fixed(""))))
    raise SelectorError(f":{name} cannot be decided for a stored page")


def _function(tree: Any) -> Predicate:
    if tree.name == "contains":
        if tree.argument_types() not in (["STRING"], ["IDENT"]):
            raise SelectorError(":contains() takes one text in quotes")
        return Comparison("contains", ElementText(), Fixed(tree.arguments[0].value))
    places = {
        "nth-child": Place("siblings", 0, 1),
        "nth-last-child": Place("siblings", 0, 1, from_end=True),
        "nth-of-type": Place("type", 0, 1),
        "nth-last-of-type": Place("type", 0, 1, from_end=True),
    }
    if tree.name not in places:
        raise SelectorError(f":{tree.name}() cannot be decided for a stored page")
    try:
        step, start = parser.parse_series(tree.arguments)
    except (ValueError, cssselect.SelectorError) as error:
        raise SelectorError(f":{tree.name}() takes a position such as 2 or 2n+1") from error
    return replace(places[tree.name], step=step, start=start)
