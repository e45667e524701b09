"""Makes blocks by their features, without HTML."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from newscrawl.extraction.boilerpipe.blocks import TextBlock, TextDocument

MakeBlock: TypeAlias = Callable[..., TextBlock]
MakeDocument: TypeAlias = Callable[..., TextDocument]


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
