"""The learned extractor: small weights with the same scores in each process, a choice by scores, and plain articles."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files

import numpy as np
import pytest
from patience import PATIENCE

from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.learned import select, select_dragnet
from newscrawl.extraction.learned.choose import (
    WEIGHTS_FILE,
    ModelOutput,
    Trees,
    choose,
    load,
)
from newscrawl.page import Page, parse


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


MEGABYTE = 1024 * 1024


def test_the_weights_file_is_at_most_two_megabytes() -> None:
    assert len((files("newscrawl.extraction.learned") / WEIGHTS_FILE).read_bytes()) <= 2 * MEGABYTE


@pytest.mark.parametrize(
    "html", ["", "<p></p>", "word", "<frameset><frame></frameset>", "\0" * 9, "<a href=x>x</a>" * 50]
)
def test_a_page_without_an_article_gives_no_exception(html: str) -> None:
    page = parse(html)
    assert set(select(page)) <= set(range(len(page.runs)))
    assert set(select_dragnet(page)) <= set(range(len(page.runs)))
    run_chain(page, resolve("best"))


PROGRAM = """
import sys
from newscrawl.extraction.learned.choose import load
from newscrawl.page import parse
print(load().scores(parse(sys.stdin.buffer.read())).tobytes().hex())
"""


def test_another_process_gives_the_same_scores() -> None:
    """Sets of words come in another order there."""
    words = "".join(f"<div class='story body{i} teaser'><p>Word {i} and more of it.</p></div>" for i in range(30))
    html = f"<title>Word 1 and more</title><body><article>{words}</article>".encode()
    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=html,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert len(answers.pop()) > 30


@pytest.mark.parametrize("piece", ["<p>short x</p>", "<div>", "<li class=a><a href=/>more</a></li>", "中<br><br>"])
def test_time_grows_in_proportion_to_the_page(doubling: Callable[..., None], piece: str) -> None:
    load()
    doubling(lambda page: load().scores(page), lambda n: parse("<body>" + f"{piece}word " * n), 400)


LINE = "The council met on Tuesday and said that the library will be built beside the river in spring."


def judged(page: Page, **probabilities: float) -> ModelOutput:
    """A judgement by the first word of each run."""
    scores = np.array([probabilities[run.text.split()[0]] for run in page.runs], np.float32)
    return ModelOutput(scores, scores, ())


def texts(page: Page, **probabilities: float) -> list[str]:
    return [page.runs[i].text.split()[0] for i in choose(page, judged(page, **probabilities))]


def test_a_text_that_is_shown_without_scripts_only_is_kept() -> None:
    page = parse(f"<body><p>Sign {LINE}</p><noscript><p>One {LINE}</p><p>Two {LINE}</p></noscript>")
    assert texts(page, Sign=0.7, One=0.9, Two=0.9) == ["One", "Two"]
    assert texts(page, Sign=0.1, One=0.9, Two=0.9) == ["One", "Two"]


def test_less_text_in_noscript_than_outside_is_left_out_and_so_is_one_that_is_not_sure() -> None:
    page = parse(f"<body><p>One {LINE}</p><p>Two {LINE}</p><noscript><p>Enable {LINE}</p></noscript>")
    assert texts(page, One=0.9, Two=0.9, Enable=0.95) == ["One", "Two"]
    page = parse(f"<body><p>One {LINE}</p><noscript><p>Enable {LINE} {LINE}</p></noscript>")
    assert texts(page, One=0.9, Enable=0.7) == ["One"]


def test_choices_of_a_list_and_frames_are_never_text() -> None:
    page = parse(
        f"<body><p>One {LINE}</p><select><option>Two {LINE}</option></select><iframe>Two {LINE} {LINE}</iframe>"
    )
    assert texts(page, One=0.9, Two=0.99) == ["One"]


@pytest.mark.parametrize("rows", [1, 2, 9])
def test_leaves_are_added_in_the_order_of_the_trees(random_trees: Callable[..., Trees], rows: int) -> None:
    trees = random_trees(90, 4, 5)
    chosen = np.random.default_rng(3).random((rows, 5), dtype=np.float32)
    sums = np.zeros(rows)
    for root in trees.roots:
        for place, row in enumerate(chosen):
            node = root
            while trees.left[node] != node:
                node = (trees.left if row[trees.feature[node]] <= trees.threshold[node] else trees.right)[node]
            sums[place] += float(trees.value[node])
    expected = (1.0 / (1.0 + np.exp(-(trees.base + sums)))).astype(np.float32)
    assert trees.probabilities(chosen).tolist() == expected.tolist()


def test_a_tree_of_too_many_leaves_is_refused(random_trees: Callable[..., Trees]) -> None:
    with pytest.raises(ValueError, match="64 leaves"):
        random_trees(1, 6, 4).probabilities(np.zeros((1, 4), np.float32))
