"""Helpers to build runs and elements by features, without HTML, and to find runs of small pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.page import Page, TextRun, parse
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.tags import TAG_NAMES


@pytest.fixture
def make_run() -> Callable[..., TextRun]:
    """`make_run(text, element=0, flags=0, ...)`: a run as the walk would make it."""

    def make(text: str, element: int = 0, flags: int = 0, *, linked: bool = False, **features: object) -> TextRun:
        words = len(text.split())
        run = TextRun(text, words, words if linked else 0, len(text) if linked else 0, element, flags, 1, 2, 7, ())
        return run._replace(**features)

    return make


@pytest.fixture
def make_elements() -> Callable[[str], Elements]:
    """`make_elements("body>0 div>0 ...")`: elements as "name>parent index"; the first is html, without parent."""

    def make(outline: str) -> Elements:
        elements = Elements()
        elements.parent.append(NO_PARENT)
        elements.tag.append(TAG_NAMES.index("html"))
        elements.attributes.append({})
        for item in outline.split():
            name, parent = item.split(">")
            elements.parent.append(int(parent))
            elements.tag.append(TAG_NAMES.index(name) if name in TAG_NAMES else 0)
            elements.attributes.append({})
        return elements

    return make


@pytest.fixture
def page_of() -> Callable[[str], Page]:
    """A page from what stands in its body."""

    def make(body: str, head: str = "") -> Page:
        return parse(f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>")

    return make
