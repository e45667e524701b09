"""Helpers to build runs, elements and blocks by features, without HTML, and to find runs of small pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from newscrawl.extraction.boilerpipe.blocks import TextBlock, TextDocument
from newscrawl.page import Page, TextRun, parse
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.tags import TAG_NAMES

MakeBlock: TypeAlias = Callable[..., TextBlock]
MakeDocument: TypeAlias = Callable[..., TextDocument]


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


@pytest.fixture
def block() -> MakeBlock:
    """Makes a block with the features a test is about; text density is given as words a full line."""

    def make(
        words: int = 10,
        *,
        text: str = "",
        linked: int = 0,
        density: int | None = None,
        level: int = 3,
        labels: int = 0,
        content: bool = False,
    ) -> TextBlock:
        wrapped = (words, 1) if density is None else (density, 1)
        made = TextBlock(text, words, linked, 0, 0, level, labels, wrapped)
        made.content = content
        return made

    return make


@pytest.fixture
def document() -> MakeDocument:
    """Puts blocks into a document, at places and with runs counted from 0."""

    def make(*blocks: TextBlock, title: str | None = None) -> TextDocument:
        for place, made in enumerate(blocks):
            made.runs = [place]
            made.start = made.end = place
        return TextDocument(title, list(blocks))

    return make


@pytest.fixture
def kept() -> Callable[[TextDocument], list[int]]:
    """Runs of a document's content."""
    return lambda document: [run for block in document.blocks if block.content for run in block.runs]
