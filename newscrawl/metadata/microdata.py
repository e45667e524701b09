"""Reads microdata: elements with an itemprop, and the item of each (HTML standard, chapter 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from newscrawl.metadata.structured import type_rank
from newscrawl.page import Page
from newscrawl.page.head import Marked

_OTHER_ITEM: Final = 9


@dataclass(frozen=True)
class Microdata:
    """The properties of a page that belong to its article, or to no item."""

    page: Page

    @cached_property
    def article(self) -> dict[str, list[Marked]]:
        """Returns the marked elements by property, those of an article item only (or of no open item)."""
        properties: dict[str, list[Marked]] = {}
        for marked, names, scope in self._all:
            if scope is None or _is_article(self.page.elements.attributes[scope]):
                for name in names:
                    properties.setdefault(name, []).append(marked)
        return properties

    def values(self, *names: str) -> Iterator[str]:
        """Yields the values of the article's properties, in the order of the names given."""
        for name in names:
            for marked in self.article.get(name, ()):
                if value := value_of(marked):
                    yield value

    def author_names(self) -> Iterator[str]:
        """Yields the names of the article's authors: the name property of an author item, else the element's text."""
        names: dict[int, list[str]] = {}
        for marked, properties, scope in self._all:
            if scope is not None and "name" in properties and (value := value_of(marked)):
                names.setdefault(scope, []).append(value)
        for marked in self.article.get("author", []):
            yield from names.get(marked.element) or [value_of(marked)]

    @cached_property
    def _all(self) -> list[tuple[Marked, list[str], int | None]]:
        return [
            (marked, marked.attributes["itemprop"].lower().split(), self._scope(marked.element))
            for marked in self.page.hints.marked
            if "itemprop" in marked.attributes
        ]

    def _scope(self, element: int) -> int | None:
        """Returns the nearest ancestor that is an item."""
        attributes = self.page.elements.attributes
        return next((a for a in self.page.elements.ancestors(element) if "itemscope" in attributes[a]), None)


def value_of(marked: Marked) -> str:
    """Returns a property's value: content, else datetime, else the text. An address is neither a name nor a date."""
    attributes = marked.attributes
    return attributes.get("content") or attributes.get("datetime") or marked.text


def _is_article(attributes: Mapping[str, str]) -> bool:
    types = attributes.get("itemtype", "").split()
    rank = type_rank({"@type": types})
    return (_OTHER_ITEM if rank is None else rank) < _OTHER_ITEM
