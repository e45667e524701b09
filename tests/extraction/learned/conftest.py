"""Pages written for these tests, and a model without weights of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.learned.trees import Trees
from newscrawl.page import Page, parse

PARAGRAPHS = (
    "The town council met on Tuesday evening to decide on the new bridge, and two hundred people came to listen.",
    "“We have waited for this for twenty years,” said the mayor, who had promised it when she was first elected.",
    "Work is to begin in the spring, the council's engineer said, and should be finished before the end of next year.",
    "The ferry, which has carried cars over the river since 1954, will go on until the bridge is opened.",
    "Opponents fear the traffic that the bridge will bring to the old streets on the northern bank of the river.",
)
NAVIGATION = "".join(f"<li><a href='/s{i}'>Section {i}</a></li>" for i in range(12))


@pytest.fixture
def article_page() -> Page:
    """A small news page: navigation, headline, byline, five paragraphs, teasers, footer."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    teasers = "".join(f"<div class='teaser'><a href='/t{i}'>Another story about town {i}</a></div>" for i in range(8))
    return parse(
        "<!DOCTYPE html><html lang='en'><head><title>New bridge for the town | The Courier</title></head><body>"
        f"<nav class='main-nav'><ul>{NAVIGATION}</ul></nav>"
        "<main><article class='article'><h1>New bridge for the town</h1>"
        f"<div class='byline'>By Ann Writer</div><div class='article-body'>{text}</div></article>"
        f"<aside class='related'><h3>More stories</h3>{teasers}</aside></main>"
        "<footer class='footer'><p>© 2024 The Courier. All rights reserved.</p></footer></body></html>"
    )


@pytest.fixture
def paragraphs() -> tuple[str, ...]:
    """The article's paragraphs."""
    return PARAGRAPHS


@pytest.fixture(scope="session")
def random_trees() -> Callable[[int, int, int], Trees]:
    """`random_trees(count, depth, columns)`: full binary trees with thresholds and leaves by chance."""

    def make(count: int, depth: int, columns: int) -> Trees:
        random = np.random.default_rng(7)
        size = 2 ** (depth + 1) - 1
        inner = 2**depth - 1
        number = np.arange(size)
        leaf = number >= inner
        tables = [
            (
                np.where(leaf, 0, random.integers(columns, size=size)),
                np.where(leaf, 0, random.random(size)),
                np.where(leaf, number, 2 * number + 1) + tree * size,
                np.where(leaf, number, 2 * number + 2) + tree * size,
                np.where(leaf, random.normal(size=size), 0),
            )
            for tree in range(count)
        ]
        feature, threshold, left, right, value = (np.concatenate(part) for part in zip(*tables, strict=True))
        return Trees(
            (np.arange(count) * size).astype(np.int32),
            feature.astype(np.int32),
            threshold.astype(np.float32),
            left.astype(np.int32),
            right.astype(np.int32),
            value.astype(np.float32),
            -0.5,
        )

    return make
