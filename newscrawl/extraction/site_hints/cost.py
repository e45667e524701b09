"""An upper bound for the work of an XPath on a page.

libxml2 evaluates a path without interruption, and its time is no polynomial of low degree: a second step over
descendants, siblings or ancestors compares each element that it reaches with all elements found before. So the work is
computed before, from the expression and the shape of the page, and a page on which it may be too much gets no hints.
The bound counts, step by step, how many elements a step reaches at most from all elements before it.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final

MAX_WORK: Final = 10_000_000_000
"""Comparisons of two elements by all hints of a page, at most: about ten seconds."""

_DEPTHS: Final = (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
_MAX_DEPTH: Final = 2_048
"""Elements inside each other that the parser accepts."""
_FANS: Final = (64, 256, 1_024, 4_096, 16_384)
_VISIT: Final = 16
"""Comparisons in the time of a visit to an element."""
_CALL: Final = 128
"""Comparisons in the time of a call of a function, or of a predicate."""
_ROUNDS: Final = 16
"""Comparisons of an element with others while a set is sorted: the logarithm of its size."""
_TRANSLATED: Final = 64
"""Comparisons for a character that `translate()` looks for among those to replace, which are few. Other functions take
one."""
_REPLACED: Final = 4
"""Comparisons for each of the characters to replace, where they are many."""
_NODES_PER_ELEMENT: Final = 3
"""An element has at most two texts of its own: before its first child and after its end."""

_TOKEN: Final = re.compile(
    r"(?P<literal>'[^']*+'|\"[^\"]*+\")|(?<![\w-])(?:(?P<axis>[\w-]++)\s*+::|(?P<call>[\w-]++)\s*+\()|"
    r"@\s*+(?P<attribute>[\w:*-]++)|(?P<place>\[\s*+\d++\s*+\])|(?P<number>\.?\d[\d.]*+)|"
    r"(?P<sign>//|/|\.\.|[\[\]()|,=<>.+-])|(?P<name>[^\W\d][\w.-]*+|\*)"
)
_TEXT_NODES: Final = re.compile(r"text\s*+\(|node\s*+\(|\[\s*+\d|position|last")
"""Expressions whose steps over descendants give texts as well."""
_ALL_ATTRIBUTES: Final = re.compile(r"@\s*+(?:\*|node)|attribute\s*+::")
_LITERAL: Final = re.compile(r"'[^']*+'|\"[^\"]*+\"")
_COMPARES: Final = frozenset("=<>+-")
"""Operators that read the texts of elements."""
_COUNTS: Final = frozenset({"*", "div", "mod"})
"""Operators that may be names as well."""
_OPERANDS: Final = frozenset({".", "..", "]", ")", "literal", "attribute", "number", "name", "place"})
"""What stands before an operator."""
_WORDS: Final = frozenset({"and", "or"})
_SEARCHES: Final = frozenset({"contains", "substring-before", "substring-after", "translate"})
"""Functions whose time is the product of the lengths of two texts, of which one should be short: that of the hint."""
_GIVES_TEXT: Final = frozenset(
    "string normalize-space concat substring substring-before substring-after translate ( text node id".split()
)
"""Functions and groups whose value may be as long as the text of an element."""
_NODE_TESTS: Final = frozenset({"text", "node"})
_READS_TEXT: Final = _SEARCHES | frozenset(
    "starts-with string string-length normalize-space concat substring number sum floor ceiling round id lang".split()
)
_SIBLINGS: Final = frozenset({"following-sibling", "preceding-sibling"})
_DESCENDANTS: Final = frozenset({"descendant", "descendant-or-self"})
_ANCESTORS: Final = frozenset({"ancestor", "ancestor-or-self"})
_FAR: Final = frozenset({"following", "preceding"})


class Shape:
    """The size of a page's tree, as far as the work depends on it. `root` is lxml's element."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._longest: dict[str, int] = {}

    @cached_property
    def elements(self) -> int:
        return int(self._root.xpath("count(//*)"))

    @cached_property
    def depth(self) -> int:
        """Elements inside each other, rounded up."""
        return next((depth for depth in _DEPTHS if not self._root.xpath(f"boolean({'/*' * (depth + 1)})")), _MAX_DEPTH)

    @cached_property
    def fan(self) -> int:
        """Children of one element, rounded up."""
        return next((fan for fan in _FANS if not self._root.xpath(f"boolean(//*[*[{fan + 1}]])")), self.elements)

    @cached_property
    def attributes(self) -> int:
        """Attributes of one element, rounded up."""
        return next((fan for fan in _FANS if not self._root.xpath(f"boolean(//@*[{fan + 1}])")), self.all_attributes)

    @cached_property
    def all_attributes(self) -> int:
        return int(self._root.xpath("count(//@*)"))

    @cached_property
    def characters(self) -> int:
        """Characters of all texts."""
        return int(self._root.xpath("string-length(/)"))

    def longest(self, attribute: str) -> int:
        """Returns how many characters the longest value of an attribute has; `*` is any attribute."""
        if attribute not in self._longest:
            values = self._root.xpath(f"//@{attribute}", smart_strings=False)
            self._longest[attribute] = max(map(len, values), default=0)
        return self._longest[attribute]


def work_of(xpath: str, shape: Shape) -> int:
    """Returns how many visits and comparisons an expression takes at most on a page of this shape."""
    return _Estimate(xpath, shape).total


def _overlaps(sought: str) -> int:
    """Returns how often a search compares a character at most: how many beginnings of the text that is sought may end
    at one place. 1 for most texts, their length for one of equal characters. (Knuth, Morris and Pratt 1977: the
    borders of each beginning.)"""
    borders, depths = [0], [1]
    for place in range(1, len(sought)):
        border = borders[-1]
        while border and sought[place] != sought[border]:
            border = borders[border - 1]
        border += sought[place] == sought[border]
        borders.append(border)
        depths.append(1 + (depths[border - 1] if border else 0))
    return max(depths)


class _Estimate:
    """Reads an expression once from left to right.

    `base` is the number of evaluations of the path that is read, `pairs` the number of elements that its last step
    reaches in all of them. `is_wide` says that an evaluation may have reached many elements, so that the next step
    compares what it finds. `is_up` says that one element may be reached from any number of others: the sum of what is
    inside these elements is then no longer the size of the page times its depth. `is_compared` says that a text is
    compared with the path. `is_text` says that what is read may be as long as the text of an element, `has_text` that
    an argument of the call is.
    """

    def __init__(self, xpath: str, shape: Shape) -> None:
        self._shape = shape
        self._size = shape.elements * (_NODES_PER_ELEMENT if _TEXT_NODES.search(xpath) else 1)
        self._attributes = 1
        if _ALL_ATTRIBUTES.search(xpath):
            self._attributes = shape.attributes
            self._size += shape.all_attributes
        literals = _LITERAL.findall(xpath)
        self._longest = max(map(len, literals), default=0)
        self._overlaps = max((_overlaps(literal[1:-1]) for literal in literals), default=1)
        self.total = self._size
        self._base = self._pairs = self._starts = 1
        self._is_wide = self._is_up = self._is_compared = False
        self._steps, self._back = 0, ""
        self._begins = True
        self._is_asked = False
        self._is_text = self._has_text = False
        self._open: list[tuple[str, int, int, tuple[bool, bool], tuple[int, str], tuple[bool, bool]]] = []
        self._predicates = 0
        before = ""
        for match in _TOKEN.finditer(xpath):
            kind = match.lastgroup or ""
            self._read(match[kind], kind, before)
            before = match[kind] if kind == "sign" else kind
        self._ordered()

    def _read(self, part: str, kind: str, before: str) -> None:
        begins, self._begins = self._begins, part in _COMPARES
        self._texts(part, kind, before)
        if kind == "attribute" and before in {"/", "//"}:
            self._is_text = False
        elif part in {".", ".."} or kind in {"axis", "name"}:
            self._is_text = True
        if kind == "call" and part in _WORDS:
            self._path()
        elif kind in {"attribute", "call"}:
            read = self._shape.longest("*" if ":" in part else part) if kind == "attribute" else 0
            self.total += self._pairs * (_CALL + read * self._of_character())
            self._pairs *= self._attributes if kind == "attribute" and part in {"*", "node"} else 1
        if part == "[":
            self.total += self._pairs * _CALL
            self._opened("[")
            self._predicates += 1
        elif kind == "call" or part == "(":
            self._opened("(" if part in _WORDS else part)
        elif part in {"]", ")"}:
            self._closed(part)
        elif part == "|":
            self.total += self._base * self._size**2
            self._path()
        elif part == "," or (kind == "name" and part in _WORDS and before not in {"/", "//"}):
            self._path()
        elif part in {"/", "//"}:
            self._is_up = bool(self._predicates) and (self._is_up or begins)
            if part == "//":
                self._step("descendant")
                self._steps += 1
                self._starts = self._pairs  # a position counts the children of each element
        elif kind == "place":
            self._pairs = min(self._pairs, self._starts)
        elif kind == "axis" or part == "..":
            self._step("parent" if part == ".." else part)
        elif kind == "name" and before not in {"axis", "//"}:
            self._step("child")

    def _texts(self, part: str, kind: str, before: str) -> None:
        """Counts the characters of elements that a function or a comparison reads."""
        function = self._open[-1][0] if self._open else ""
        is_operator = part in _COMPARES or (part in _COUNTS and before in _OPERANDS)
        compares = is_operator or (self._is_compared and (part in {"]", ")"} or part in _WORDS))
        is_read = part in {",", ")"} and function in _READS_TEXT and (self._is_text or before == "call")
        if is_read or (self._is_text and compares):
            shape = self._shape
            read = shape.characters * self._of_character() + 2 * _VISIT * shape.elements
            self.total += self._pairs * (read if self._is_up else read * shape.depth // max(1, shape.elements))
        if before == "," and kind not in {"literal", "number"} and function in _SEARCHES:
            self.total += self._base * self._shape.characters**2
        self._has_text = self._has_text or is_read
        self._is_compared = self._is_compared or is_operator

    def _of_character(self) -> int:
        is_translated = any(sign == "translate" for sign, *_ in self._open)
        return max(_TRANSLATED, _REPLACED * self._longest) if is_translated else self._overlaps

    def _ordered(self) -> None:
        """Counts that what a path of several steps gives is sorted: two elements are compared by their ancestors and
        by a walk from child to child of one element. A path that is a whole predicate is not sorted."""
        rounds = _ROUNDS if self._steps > 1 else 1  # one step backwards gives a row in the wrong order
        if (self._steps > 1 or self._back) and not self._is_asked:
            walked = self._shape.depth + (0 if self._steps == 1 and self._back in _ANCESTORS else self._shape.fan)
            self.total += min(self._pairs, self._base * self._size) * rounds * walked

    def _path(self) -> None:
        """A path begins."""
        self._ordered()
        self._steps, self._back, self._is_asked = 0, "", False
        self._pairs, self._is_wide, self._begins, self._is_compared = self._base, False, True, False
        self._is_text = False
        self._is_up = bool(self._open) and self._open[-1][3][1]

    def _opened(self, sign: str) -> None:
        reached, steps, texts = (self._is_wide, self._is_up), (self._steps, self._back), (self._is_text, self._has_text)
        self._open.append((sign, self._base, self._pairs, reached, steps, texts))
        self._has_text = False
        if sign == "[":
            self._base = self._pairs
        self._steps, self._back = 0, ""
        self._path()
        self._is_asked = sign == "["

    def _closed(self, part: str) -> None:
        """The end of a predicate, a call or a group. What stands after a group may begin at any element."""
        self._is_asked = self._is_asked and part == "]" and not self._is_compared
        self._ordered()
        has_text = self._is_text or self._has_text
        sign, self._base, self._pairs, (self._is_wide, self._is_up), (self._steps, self._back), texts = self._open.pop()
        is_text, self._has_text = texts
        self._is_text = is_text if sign == "[" else sign in _GIVES_TEXT and (has_text or sign in _NODE_TESTS)
        self._is_asked = False
        self._predicates -= sign == "["
        if sign == "(":
            self._pairs, self._starts, self._is_wide = self._base * self._size, self._base, True

    def _step(self, axis: str) -> None:
        """A step. What it reaches from an element is a sum over all elements, divided by their number."""
        reached, is_up, shape = 1, self._is_up, self._shape
        starts = min(self._pairs, self._base * self._size)
        if axis in _DESCENDANTS:
            is_from_document = not self._predicates and not self._is_wide
            reached = self._size if is_up or is_from_document else shape.depth
        elif axis in _ANCESTORS:
            reached, is_up = shape.depth, True
        elif axis in _SIBLINGS:
            reached = shape.fan
        elif axis in _FAR:
            reached, is_up = self._size, True
        elif axis == "parent":
            is_up = True
        elif axis == "attribute":
            self._pairs *= self._attributes
            return
        elif axis != "child":
            return  # the element itself
        elif not self._predicates:
            starts = self._size  # each element is the child of one
        elif is_up:
            reached = shape.fan
        self._starts, self._pairs = starts, starts * reached
        self.total += self._pairs * (_VISIT + self._size if self._is_wide and axis != "child" else _VISIT)
        self._is_wide, self._is_up = True, is_up
        self._steps += 1
        self._back = axis if axis in _ANCESTORS or axis.startswith("preceding") else ""
