"""Reads a selector of a hint, CSS or XPath, and checks that it can be used for the hint's kind."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.site_hints.declared import SHOWN
from newscrawl.site_hints.expressions import AttributeText, Comparison, Fixed, Path, Selector
from newscrawl.site_hints.limits import IN_HEAD, SelectorError, check_length
from newscrawl.site_hints.xpath import read_xpath

_OF_TEXT: Final = frozenset({"drop", "keep"})


@lru_cache(maxsize=2048)
def read_selector(written: str) -> Selector:
    """Returns a selector: XPath if it begins with `/`, `(`, `./` or `id(`, else CSS. Raises SelectorError."""
    check_length(written)
    text = written.strip()
    try:
        if text.startswith(("/", "(", "./", "id(")):
            return Selector(text, read_xpath(text))
        from newscrawl.site_hints.css import read_css  # only processes that meet a CSS selector load cssselect

        return Selector(text, read_css(text))
    except RecursionError as error:
        raise SelectorError("it has too many brackets inside each other: write a simpler one") from error


def head_key(path: Path) -> str | None:
    """Returns the key of the head's element that a path names: "title", or the name of a meta element, such as
    "og:title"; None for a path into the body. Raises SelectorError for a path to the head that names no key."""
    if not any(step.tag in IN_HEAD for step in path.steps):
        return None
    last = path.steps[-1]
    if last.tag == "title" and not last.predicates:
        return "title"
    keys = [key for predicate in last.predicates if (key := _meta_key(predicate)) is not None]
    if last.tag != "meta" or len(keys) != 1 or len(last.predicates) != 1:
        raise SelectorError("a meta element is named by its name, property or itemprop alone: meta[name='author']")
    return keys[0]


def check(kind: str, written: str) -> None:
    """Raises UsageError for a selector that cannot be used for this kind of hint."""
    try:
        for path in read_selector(written).paths:
            _check_path(kind, path)
    except SelectorError as error:
        shown = written if len(written) <= SHOWN else f"{written[:SHOWN]}..."
        raise UsageError(f"{kind} {shown!r}: {error}") from error


def _check_path(kind: str, path: Path) -> None:
    of_head = head_key(path) is not None
    if kind in _OF_TEXT and (of_head or path.attribute is not None):
        what = "an element of the head" if of_head else "an attribute"
        raise SelectorError(f"it names {what}, which is no text of the page")


def _meta_key(predicate: object) -> str | None:
    if not isinstance(predicate, Comparison) or predicate.operation != "equals":
        return None
    named = isinstance(predicate.left, AttributeText) and predicate.left.name in {"name", "property", "itemprop"}
    return predicate.right.text.lower() if named and isinstance(predicate.right, Fixed) else None
