"""Finds where a page states each field of its metadata: for people who look at a page, not for crawls.

A field is chosen from what many places of a page state (`read`). Here its value is looked for in all of these places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from urllib.parse import urljoin

from newscrawl.extraction.metadata.fields import primary_subtag
from newscrawl.extraction.metadata.read import MetadataReader
from newscrawl.extraction.metadata.structured import Microdata, value_of
from newscrawl.extraction.metadata.text import caseless_nfkc_cached, clean
from newscrawl.model import Metadata
from newscrawl.page import Page
from newscrawl.page.head import Marked

MAX_PLACES: Final = 10
"""Places of one value that are named."""
MAX_STATEMENTS: Final = 2_000
"""Statements of a page that are looked through."""
MAX_TEXT: Final = 1_000
MAX_DEPTH: Final = 5
MIN_CONTAINED: Final = 8
"""Least characters of a value that may stand within a longer statement. A shorter one occurs by chance."""


@dataclass(frozen=True, slots=True)
class StatedField:
    """A value of a field, with the places of the page that state it. `exact` are those that state it alone, `within`
    those that state more. Both are empty for a value that was made from several, or read from the text."""

    name: str
    value: str
    exact: Sequence[str]
    within: Sequence[str]


def stated_fields(page: Page, reader: MetadataReader) -> Sequence[StatedField]:
    """Returns every value of the page's metadata but dates, which name their places themselves. `reader` is that of the
    page."""
    said = [(*one, caseless_nfkc_cached(one[1])) for one in islice(statements(page, reader), MAX_STATEMENTS)]
    return tuple(_found(page, name, value, said) for name, value in _values(reader.metadata))


def statements(page: Page, reader: MetadataReader) -> Iterator[tuple[str, str]]:
    """Yields what the page states, each with its place (`meta:og:title`, `json-ld:author.name`, `h1`): title, headings,
    language, meta and link elements, microdata, and JSON-LD of the article."""
    head, hints = page.head, page.hints
    parts = [("title", head.title), ("html lang", hints.language)]
    parts += [(marked.tag, marked.text) for marked in hints.marked if marked.tag == "h1"]
    parts += [(f"meta:{name}", content) for name, content in head.meta]
    parts += [(f"link:{link.rel}", link.href) for link in head.links]
    for name, marked_elements in Microdata(page).article.items():
        parts += [(f"microdata:{name}", value_of(marked)) for marked in marked_elements]
    parts += _members("json-ld:", reader.structured.article, 0)
    parts += [(place, marked.text) for marked in hints.marked if (place := _place_of_class(marked))]
    for place, text in parts:
        if stated := clean(text, MAX_TEXT):
            yield place[:120], stated


def _place_of_class(marked: Marked) -> str:
    """Returns the place of an element that only its class marks; "" for headings, and for what microdata has."""
    names = marked.attributes.get("class", "").split()
    return f"{marked.tag}.{names[0]}" if names and marked.tag != "h1" and "itemprop" not in marked.attributes else ""


def _members(place: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yields the texts in a JSON-LD value with their paths."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping) and depth < MAX_DEPTH:
        for name, inner in value.items():
            path = f"{place}{name}" if place.endswith(":") else f"{place}.{name}"
            yield from _members(path, inner, depth + 1)
    elif isinstance(value, list) and depth < MAX_DEPTH:
        for inner in value[:100]:
            yield from _members(place, inner, depth + 1)


def _values(metadata: Metadata) -> Iterator[tuple[str, str]]:
    for name in ("title", "authors", "language", "section", "tags", "site_name", "description", "canonical", "image"):
        value = getattr(metadata, name)
        for one in (value,) if isinstance(value, str) else value or ():
            yield name, one


def _found(page: Page, name: str, value: str, said: Iterable[tuple[str, str, str]]) -> StatedField:
    wanted = caseless_nfkc_cached(value)
    exact: dict[str, None] = {}
    within: dict[str, None] = {}
    for place, text, folded in said:
        if folded == wanted or _is_same(page, name, value, text):
            exact[place] = None
        elif len(wanted) >= MIN_CONTAINED and wanted in folded:
            within[place] = None
    others = [place for place in within if place not in exact]
    return StatedField(name, value, tuple(exact)[:MAX_PLACES], tuple(others[:MAX_PLACES]))


def _is_same(page: Page, name: str, value: str, text: str) -> bool:
    """Returns whether a text states a value in another form: a language with its region, a relative address, a list."""
    if name == "language":
        return primary_subtag(text) == value
    if name in {"canonical", "image"} and page.url is not None:
        try:
            return urljoin(page.url, text) == value
        except ValueError:
            return False
    return name == "tags" and value in [part.strip() for part in text.split(",")]
