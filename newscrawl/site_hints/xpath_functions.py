"""The meaning of an XPath as an expression of newscrawl: its functions of texts, comparisons and paths to
attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from newscrawl.site_hints.expressions import (
    AllOf,
    AnyOf,
    AttributeText,
    Between,
    Collapsed,
    Comparison,
    ElementText,
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
from newscrawl.site_hints.limits import SelectorError

Value = Text | Path
"""An operand: a text, or a path of which any match may have the text."""


def merged(steps: list[Step]) -> list[Step]:
    """Leaves out steps that select the element itself."""
    return [step for step in steps if step != Step("self")] or steps[:1]


def has_position(predicate: Predicate) -> bool:
    if isinstance(predicate, Not):
        return has_position(predicate.of)
    if isinstance(predicate, AllOf | AnyOf):
        return any(map(has_position, predicate.parts))
    return isinstance(predicate, Between) or (isinstance(predicate, Place) and predicate.among == "candidates")


def with_attribute(path: Path) -> Path:
    """Returns the path to elements that have the wanted attribute."""
    if path.attribute is None:
        return path
    last = path.steps[-1]
    return Path((*path.steps[:-1], replace(last, predicates=(*last.predicates, HasAttribute(path.attribute)))))


def compared(operation: Operation, left: Value, right: Value) -> Predicate:
    """Returns the comparison. That of a path is made at its last step: any match may have the text."""
    if isinstance(right, Path):
        raise SelectorError("a path can only be compared with a text")
    if not isinstance(left, Path):
        return Comparison(operation, left, right)
    if not isinstance(right, Fixed):
        raise SelectorError("a path can only be compared with a text in quotes")
    text: Text = ElementText() if left.attribute is None else AttributeText(left.attribute)
    last = left.steps[-1]
    test = Comparison(operation, text, right)
    return Exists(Path((*left.steps[:-1], replace(last, predicates=(*last.predicates, test)))))


def _joined(arguments: list[Text]) -> Text:
    if len(arguments) < 2:
        raise SelectorError("concat() takes two texts or more")
    return Joined(tuple(arguments))


def _collapsed(arguments: list[Text]) -> Text:
    if len(arguments) > 1:
        raise SelectorError("normalize-space() takes one text")
    return Collapsed(arguments[0] if arguments else ElementText())


def _string(arguments: list[Text]) -> Text:
    if len(arguments) > 1:
        raise SelectorError("string() takes one text")
    return arguments[0] if arguments else ElementText()


def _translated(arguments: list[Text]) -> Text:
    if len(arguments) != 3 or not isinstance(arguments[1], Fixed) or not isinstance(arguments[2], Fixed):
        raise SelectorError("translate() takes a text and two texts in quotes")
    source, target = arguments[1].text, arguments[2].text
    table: dict[str, str] = {}
    for place, character in enumerate(source):
        table.setdefault(character, target[place] if place < len(target) else "")
    return Translated(arguments[0], tuple(table.items()))


TEXT_FUNCTIONS: Final[Mapping[str, Callable[[list[Text]], Text]]] = {
    "concat": _joined,
    "normalize-space": _collapsed,
    "string": _string,
    "translate": _translated,
}
