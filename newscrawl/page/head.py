"""What a page declares about itself outside its visible text, as written. Nothing is interpreted here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from newscrawl.page.jsonld import parse_json_ld

MAX_TITLE: Final = 1_000
"""Characters kept of <title> and of the meta elements that are titles: the longest of 1,448 real pages has 766, and
expressions that look for its parts may take quadratic time."""

MAX_META: Final = 8_000
"""Characters kept of any other meta element's content. The longest description of 1,448 real pages has 4,427; longer
values are data of a program, which nothing reads."""

_TITLES: Final = ("title", "headline", "hdl", "site_name")


class HeadLink(NamedTuple):
    """A <link> element: `rel` in lower case, the address as written. Pages have dozens, hence a named tuple."""

    rel: str
    href: str
    type: str = ""
    hreflang: str = ""
    title: str = ""


@dataclass(frozen=True)
class Head:
    """Title, meta and link elements, anywhere in the page.

    `meta` keeps order and repetitions; its keys are the lower-case name, property, itemprop or http-equiv.
    """

    title: str | None = None
    meta: tuple[tuple[str, str], ...] = ()
    links: tuple[HeadLink, ...] = ()
    base: str | None = None

    def bounded(self) -> Head:
        """Returns a copy with texts cut to `MAX_TITLE` and `MAX_META` characters."""
        is_title_long = self.title is not None and len(self.title) > MAX_TITLE
        if not is_title_long and all(len(content) <= MAX_TITLE for _, content in self.meta):
            return self
        meta = tuple((key, content[: _limit(key)]) for key, content in self.meta)
        return replace(self, title=self.title[:MAX_TITLE] if self.title else self.title, meta=meta)

    def first(self, *keys: str) -> str | None:
        """Returns the first non-blank meta content under the first of `keys` that has one."""
        contents = self.contents
        return next((contents[key][0] for key in keys if key in contents), None)

    def all(self, key: str) -> list[str]:
        """Returns every non-blank meta content under `key`."""
        return self.contents.get(key, [])

    @cached_property
    def contents(self) -> dict[str, list[str]]:
        """The non-blank meta contents by key; metadata reads dozens of keys."""
        by_key: dict[str, list[str]] = {}
        for key, content in self.meta:
            if content:
                by_key.setdefault(key, []).append(content)
        return by_key


def _limit(key: str) -> int:
    return MAX_TITLE if key.endswith(_TITLES) else MAX_META


@dataclass(frozen=True, slots=True)
class Link:
    """An <a href> of the page's body: address and anchor text as written (white space collapsed)."""

    href: str
    text: str
    rel: str
    element: int


class Marked:
    """An element with special mark-up: a heading, <time>, microdata property, rel=author or byline class.

    `text` is its text with white space collapsed, cut after `hints.MARKED_CHARACTERS`. It is read from the parser's
    node on first use, because most are never used.
    """

    __slots__ = ("_text", "attributes", "element", "tag")

    def __init__(self, element: int, tag: str, attributes: dict[str, str], text: str | Callable[[], str]) -> None:
        self.element = element
        self.tag = tag
        self.attributes = attributes
        self._text = text

    @property
    def text(self) -> str:
        text = self._text
        if not isinstance(text, str):
            text = self._text = text()
        return text

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Marked) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.element, self.tag))

    def __repr__(self) -> str:
        return f"Marked{self._values()}"

    def __reduce__(self) -> tuple[type[Marked], tuple[int, str, dict[str, str], str]]:
        return Marked, self._values()

    def _values(self) -> tuple[int, str, dict[str, str], str]:
        return self.element, self.tag, self.attributes, self.text


@dataclass(frozen=True)
class Hints:
    """What a page declares about its article, as written. Extraction and metadata both read it."""

    language: str | None = None
    """The language that the mark-up declares, as written (html lang, content-language)."""
    headline: str | None = None
    """The text of the first h1 with a text."""
    marked: Sequence[Marked] = ()
    json_ld_scripts: Sequence[str] = ()

    @cached_property
    def json_ld(self) -> tuple[dict[str, Any], ...]:
        """All JSON-LD objects of the page, @graph and arrays flattened; of broken scripts, the readable objects."""
        return tuple(item for script in self.json_ld_scripts for item in parse_json_ld(script))
