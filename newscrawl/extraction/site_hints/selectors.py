"""Reads a selector of a hint, CSS or XPath, as an expression of lxml, and checks that it can be used for its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from cssselect import SelectorError as CssError
from cssselect.parser import Function, Relation
from cssselect.xpath import ExpressionError, XPathExpr
from lxml import etree
from parsel.csstranslator import HTMLTranslator

from newscrawl.errors import UsageError
from newscrawl.extraction.site_hints.declared import SHOWN
from newscrawl.page.head import MARKED_CHARACTERS
from newscrawl.page.tags import SKIPPED

MAX_CHARACTERS: Final = 1_000
"""Characters of a selector. Those that people write for one site have fewer than 200."""

_XPATH: Final = re.compile(r"\.?/|\(|[a-z][a-z-]*+\(")
"""How an XPath begins. CSS begins with no slash, parenthesis or call of a function."""
_ID: Final = re.compile(r"(?P<text>'[^']*+'|\"[^\"]*+\")|(?<![\w-])id\(\s*+(?P<id>'[^']*+'|\"[^\"]*+\")\s*+\)")
_OUTSIDE: Final = "|".join(sorted({*SKIPPED, "meta", "title", "link", "base"}))
_NO_PART: Final = re.compile(
    rf"(?:[/:](?:{_OUTSIDE})(?:\[[^\[\]]*+\])*+|@[\w:*-]++|attribute::[\w*-]++|text\(\s*+\))\s*+$"
)
"""The end of a path to an attribute, to a text, or to an element that is no part of the text."""
_SAMPLE: Final = etree.HTML(
    "<html><head><title>t</title></head><body><p class='a' id='b'>c <a href='/d'>e</a></p></body>"
)


class SelectorError(UsageError):
    """A selector that cannot be used. The message says why."""


@dataclass(frozen=True, slots=True)
class Selector:
    """The XPath of a selector, and the function that evaluates it on an element of lxml: it gives elements and texts,
    or one text. Raises etree.XPathError."""

    xpath: str
    find: Any


class _Translator(HTMLTranslator):
    """Translates CSS so that each combinator is a condition on what stands right of it: `.a .b` is
    `*[class b][ancestor::*[class a]]`. No step then begins at many elements, which takes libxml2 quadratic time."""

    def xpath_descendant_combinator(self, left: XPathExpr, right: XPathExpr) -> XPathExpr:
        return right.add_condition(f"ancestor::{left}")

    def xpath_child_combinator(self, left: XPathExpr, right: XPathExpr) -> XPathExpr:
        return right.add_condition(f"parent::{left}")

    def xpath_direct_adjacent_combinator(self, left: XPathExpr, right: XPathExpr) -> XPathExpr:
        return right.add_condition(f"preceding-sibling::*[1][self::{left}]")

    def xpath_indirect_adjacent_combinator(self, left: XPathExpr, right: XPathExpr) -> XPathExpr:
        return right.add_condition(f"preceding-sibling::{left}")

    def xpath_relation(self, relation: Relation) -> XPathExpr:
        """Inside :has() all parts are below the element, so the path leads down from it."""
        return self.xpath(relation.selector).add_condition(_DOWN.xpath_relation(relation).condition)

    def xpath_contains_function(self, xpath: XPathExpr, function: Function) -> XPathExpr:
        """A box begins with its label. An element that has the label further below is the story around the box."""
        if function.argument_types() not in (["STRING"], ["IDENT"]):
            raise ExpressionError(":contains() takes one text in quotes")
        sought = self.xpath_literal(str(function.arguments[0].value))
        begin = f"substring(normalize-space(translate(., '\u00a0', ' ')), 1, {MARKED_CHARACTERS})"
        return xpath.add_condition(f"contains({begin}, {sought})")


_DOWN: Final = HTMLTranslator()
_CSS: Final = _Translator()


def is_xpath(text: str) -> bool:
    """Returns whether a selector is XPath: it begins with `/`, `./`, `(` or a function."""
    return _XPATH.match(text) is not None


@lru_cache(maxsize=2048)
def read_selector(written: str) -> Selector:
    """Returns a selector, CSS or XPath. Raises SelectorError."""
    if len(written) > MAX_CHARACTERS:
        raise SelectorError(f"it has {len(written):,} characters: write one of at most {MAX_CHARACTERS:,}")
    text = written.strip()
    xpath = _ID.sub(_by_id, text) if is_xpath(text) else _of_css(text)
    try:
        find = etree.XPath(xpath, regexp=False, smart_strings=False)
        found = find(_SAMPLE)
    except (etree.XPathError, ValueError) as error:
        raise SelectorError(f"it is no XPath that can be evaluated: {error}") from error
    if not isinstance(found, str | list):
        raise SelectorError("it gives a number or a condition: name elements, attributes or a text")
    return Selector(xpath, find)


def check(kind: str, written: str) -> None:
    """Raises UsageError for a selector that cannot be used for this kind of hint."""
    shown = written if len(written) <= SHOWN else f"{written[:SHOWN]}..."
    try:
        selector = read_selector(written)
    except SelectorError as error:
        raise UsageError(f"{kind} {shown!r}: {error}") from error
    if kind in {"drop", "keep"} and (_NO_PART.search(selector.xpath) or isinstance(selector.find(_SAMPLE), str)):
        what = "an attribute, a text or an element of the head"
        raise UsageError(f"{kind} {shown!r}: it names {what}, which is no element of the text")


def _of_css(written: str) -> str:
    try:
        return _CSS.css_to_xpath(written)
    except (CssError, RecursionError) as error:
        raise SelectorError(f"it is no CSS selector: {error}") from error


def _by_id(match: re.Match[str]) -> str:
    """Returns a path in place of `id('x')`: the parser keeps no table of ids."""
    return f"(//*[@id={match['id']}])" if match["id"] else match[0]
