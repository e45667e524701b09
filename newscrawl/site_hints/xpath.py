"""Reads XPath 1.0 without the parts whose time is not linear in the page.

Left out are functions that read node sets (`count`, `sum`, `string-length` ...), arithmetic, variables, namespaces, the
axes `following`, `preceding`, `attribute` (other than `@`) and `namespace`, and positions on other axes than `child`
and `//`. `text()` means the same as `.`: the text of the element with its descendants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, get_args

from newscrawl.site_hints.expressions import (
    AllOf,
    AnyOf,
    AttributeText,
    Axis,
    Between,
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
    Text,
)
from newscrawl.site_hints.limits import Budget, SelectorError, known_tag
from newscrawl.site_hints.xpath_functions import TEXT_FUNCTIONS, Value, compared, has_position, merged, with_attribute
from newscrawl.site_hints.xpath_tokens import END, SHOWN, Tokens, is_name

_AXES: Final = frozenset(get_args(Axis)) - {"next-sibling"}
_POSITION_AXES: Final = frozenset({"child", "descendant"})
_COMPARES: Final = frozenset({"=", "!=", "<", "<=", ">", ">="})
_TESTS: Final[Mapping[str, Operation]] = {"contains": "contains", "starts-with": "starts"}
_TEXTS: Final = frozenset({"concat", "normalize-space", "translate", "string"})


def read_xpath(written: str) -> tuple[Path, ...]:
    """Returns the paths of an expression. Raises SelectorError."""
    return _Reader(written).paths()


class _Reader(Tokens):
    """A recursive descent over the tokens. Its depth is limited by `Budget`."""

    def __init__(self, written: str) -> None:
        super().__init__(written)
        self._budget = Budget()

    def paths(self) -> tuple[Path, ...]:
        found = [self._whole_path()]
        while self.take("|"):
            found.append(self._whole_path())
        if self.next != END:
            raise SelectorError(f"{self.next[:SHOWN]!r} is not expected there")
        return tuple(found)

    def _whole_path(self) -> Path:
        """Reads one path from the document, or `(path)[2]`."""
        if not self.take("("):
            return self._location(from_document=True)
        self._budget.deeper()
        path = self._location(from_document=True)
        self.expect(")")
        self._budget.back()
        self.expect("[")
        only = -1 if self.take_call("last") else self.number()
        self.expect("]")
        if self.next in {"/", "//", "["}:
            raise SelectorError("nothing can follow a path in parentheses and its position")
        return replace(path, only=only)

    def _location(self, *, from_document: bool) -> Path:
        """Reads steps. `//` before a step on the axis child is the axis descendant, whose positions count the children
        of each parent, as in XPath."""
        steps: list[Step] = []
        attribute: str | None = None
        deep = False
        if from_document:
            if self.next == "id" and self.after(1) == "(":
                steps.append(self._id_step())
                if self.next not in {"/", "//"}:
                    return Path(tuple(steps))
            elif self.take("."):
                pass
            if self.next not in {"/", "//"}:
                raise SelectorError("a path begins with // or /")
            deep = self.advance() == "//"
        elif self.next in {"/", "//"}:
            raise SelectorError("a path inside a condition begins at the element: write .//")
        while True:
            attribute = self._attribute_at_end()
            if attribute is not None:
                if deep:
                    steps.append(Step("descendant-or-self"))
                break
            if self.next == "text" and self.after(1) == "(":
                self.skip_call()
                break
            steps.append(self._step(deep=deep))
            if self.next not in {"/", "//"}:
                break
            deep = self.advance() == "//"
        if not steps and from_document:
            raise SelectorError("it names no element")
        return Path(tuple(merged(steps)), attribute)

    def _id_step(self) -> Step:
        self.advance()
        self.expect("(")
        value = self.fixed()
        self.expect(")")
        self._budget.part()
        return Step("descendant", None, (Comparison("equals", AttributeText("id"), value),))

    def _attribute_at_end(self) -> str | None:
        if not self.take("@"):
            return None
        return self._attribute_name()

    def _attribute_name(self) -> str:
        name = self.advance()
        if not is_name(name):
            raise SelectorError("a name is expected after @")
        self._refuse_prefix()
        return name.lower()

    def _refuse_prefix(self) -> None:
        if self.next == ":":
            raise SelectorError("HTML has no names with a namespace before them")

    def _step(self, *, deep: bool) -> Step:
        self._budget.part()
        if self.next == "..":
            self.advance()
            return Step("parent")
        if self.next == ".":
            self.advance()
            axis: Axis = "descendant-or-self" if deep else "self"
            return Step(axis, None, self._predicates(axis))
        axis = "descendant" if deep else "child"
        if self.after(1) == "::":
            name = self.advance()
            self.advance()
            if name not in _AXES:
                raise SelectorError(f"the axis {name[:SHOWN]!r} is not one of {', '.join(sorted(_AXES))}")
            if deep and name != "child":
                raise SelectorError(f"write /descendant-or-self::*/{name}:: in place of //{name}::")
            axis = axis if name == "child" else next(known for known in get_args(Axis) if known == name)
        return Step(axis, self._name_test(), self._predicates(axis if deep or axis != "descendant" else "explicit"))

    def _name_test(self) -> str | None:
        if self.take("*"):
            return None
        name = self.advance()
        if not is_name(name):
            found = repr(name[:SHOWN]) if name else "the end"
            raise SelectorError(f"the name of an element is expected, not {found}")
        self._refuse_prefix()
        if self.next == "(":
            if name != "node":
                raise SelectorError(f"{name[:SHOWN]}() names no element")
            self.step_back()
            self.skip_call()
            return None
        return known_tag(name)

    def _predicates(self, axis: str) -> tuple[Predicate, ...]:
        found: list[Predicate] = []
        while self.take("["):
            self._budget.deeper()
            self._budget.part()
            predicate = self._either()
            self.expect("]")
            self._budget.back()
            if axis not in _POSITION_AXES and has_position(predicate):
                raise SelectorError("a position can be given after / and // only, not after another axis")
            found.append(predicate)
        return tuple(found)

    def _either(self) -> Predicate:
        parts = [self._both()]
        while self.take("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _both(self) -> Predicate:
        parts = [self._condition()]
        while self.take("and"):
            parts.append(self._condition())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _condition(self) -> Predicate:
        self._budget.part()
        if self.next == "not" and self.after(1) == "(":
            self.advance()
            return Not(self._in_parentheses())
        if self.next == "(":
            return self._in_parentheses()
        if self.next.isdigit():
            return Place("candidates", 0, self.number())
        if self.take_call("last"):
            return Place("candidates", 0, 1, from_end=True)
        if self.next == "position" and self.after(1) == "(":
            return self._position()
        if self.next in _TESTS and self.after(1) == "(":
            return self._test()
        return self._comparison()

    def _in_parentheses(self) -> Predicate:
        self.expect("(")
        self._budget.deeper()
        inner = self._either()
        self.expect(")")
        self._budget.back()
        return inner

    def _test(self) -> Predicate:
        operation = _TESTS[self.advance()]
        self.expect("(")
        left = self._value()
        self.expect(",")
        right = self._value()
        self.expect(")")
        return compared(operation, left, right)

    def _comparison(self) -> Predicate:
        left = self._value()
        if self.next not in _COMPARES:
            if isinstance(left, Path):
                return Exists(with_attribute(left))
            if isinstance(left, AttributeText):
                return HasAttribute(left.name)
            raise SelectorError("a condition compares, or names an attribute or an element")
        sign = self.advance()
        if sign not in {"=", "!="}:
            raise SelectorError(f"{sign} compares numbers, and only position() is one")
        right = self._value()
        if not isinstance(right, Fixed) and isinstance(left, Fixed):
            left, right = right, left
        equal = compared("equals", left, right)
        if sign == "=":
            return equal
        return AllOf((HasAttribute(left.name), Not(equal))) if isinstance(left, AttributeText) else Not(equal)

    def _position(self) -> Predicate:
        self.skip_call()
        sign = self.advance()
        if sign not in _COMPARES:
            raise SelectorError("position() must be compared with a number")
        if self.take_call("last"):
            last = Place("candidates", 0, 1, from_end=True)
            if sign in {"=", "!="}:
                return last if sign == "=" else Not(last)
            raise SelectorError("position() can be = or != last()")
        number = self.number()
        bounds: dict[str, Predicate] = {
            "=": Place("candidates", 0, number),
            "!=": Not(Place("candidates", 0, number)),
            "<": Between(1, number - 1),
            "<=": Between(1, number),
            ">": Between(number + 1),
            ">=": Between(number),
        }
        return bounds[sign]

    def _value(self) -> Value:
        """Reads a text, an attribute or a path."""
        token = self.next
        if token[:1] in {"'", '"'}:
            return self.fixed()
        if token.isdigit():
            return Fixed(self.advance())
        if token in {"$", "+", "-"}:
            raise SelectorError(f"{token!r} cannot be used in a condition")
        if self.next == "@":
            self.advance()
            return AttributeText(self._attribute_name())
        if is_name(token) and self.after(1) == "(" and token not in {"text", "node"}:
            return self._text_function()
        path = self._location(from_document=False)
        if path.attribute is not None and not path.steps:
            return AttributeText(path.attribute)
        if path.steps in {(), (Step("self"),)} and path.attribute is None:
            return ElementText()
        return path

    def _text_function(self) -> Text:
        name = self.advance()
        if name not in _TEXTS:
            known = ", ".join(sorted({*_TESTS, *_TEXTS, "last", "not", "position"}))
            raise SelectorError(f"the function {name[:SHOWN]}() is not one of {known}: others may read the whole page")
        self._budget.part()
        self.expect("(")
        self._budget.deeper()
        arguments: list[Text] = []
        while self.next != ")":
            value = self._value()
            if isinstance(value, Path):
                raise SelectorError(f"{name}() takes texts, attributes and the element itself (.)")
            arguments.append(value)
            if not self.take(","):
                break
        self.expect(")")
        self._budget.back()
        return TEXT_FUNCTIONS[name](arguments)
