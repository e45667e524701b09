"""Every compiled function of the learned extractors gives what its reference in Python gives, to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.demo import DemoSite
from newscrawl.extraction.kernels import LEARNED
from newscrawl.extraction.learned import character_stats, text, tree, trees
from newscrawl.extraction.learned.features import FEATURES, look_at, page_features
from newscrawl.extraction.learned.names import NAME_KEYS, names_among
from newscrawl.extraction.learned.trees import Trees
from newscrawl.page import parse
from newscrawl.page.elements import Elements

PAIRS = {
    "count_signs": (character_stats.count_signs, character_stats._count_signs),
    "word_shares": (text.word_shares, text._word_shares),
    "number_elements": (tree.number_elements, tree._number_elements),
    "weigh_names": (tree.weigh_names, tree._weigh_names),
    "leaf_sums": (trees.leaf_sums, trees._leaf_sums),
}
pytestmark = [pytest.mark.skipif(LEARNED.module is None, reason=f"no compiled core: {LEARNED.reason}")]

LETTERS = "aAbB09_ .,!”\"|#-'漢字。のéÉßΣςİิไ\u0301½²\U0001f600\U00020001\U0002fa1f\U0002fa20\ud800"
line = st.text(LETTERS, max_size=14) | st.text(max_size=6).map(lambda value: " ".join(value.split()))
words = st.sets(st.sampled_from(["a", "b", "é", "漢", "の", "ab", "a b", "a.", "", "09", "ß", "漢字"]), max_size=6)


@pytest.mark.parametrize("name", PAIRS)
def test_it_was_chosen(name: str) -> None:
    chosen, reference = PAIRS[name]
    assert chosen is getattr(LEARNED.module, name)
    assert chosen is not reference


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(line, min_size=1, max_size=6))
def test_count_signs(lines: list[str]) -> None:
    assert character_stats.count_signs(lines, character_stats._table()) == character_stats._count_signs(
        lines, character_stats._table()
    )


def test_every_character_is_of_the_same_kinds_and_parts_the_same_words() -> None:
    lines = ["".join(f"a{chr(i)}b " for i in range(start, start + 256)) for start in range(0, 0x110000, 256)]
    assert character_stats.count_signs(lines, character_stats._table()) == character_stats._count_signs(
        lines, character_stats._table()
    )
    assert text.word_shares(lines, ({"a"}, {"b"}), "a b") == text._word_shares(lines, ({"a"}, {"b"}), "a b")


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(line.map(str.lower), min_size=1, max_size=6), st.tuples(words, words, words), line.map(str.lower))
def test_word_shares(lines: list[str], known: tuple[set[str], ...], body: str) -> None:
    lines = [*lines, body, f"{body} a é", f"a {lines[0]}"]
    assert text.word_shares(lines, known, body) == text._word_shares(lines, known, body)


@st.composite
def pages(draw: st.DrawFn) -> tuple[Elements, list[int]]:
    parent = [-1, *(draw(st.integers(0, i)) for i in range(draw(st.integers(0, 25))))]
    names = st.dictionaries(
        st.sampled_from([*NAME_KEYS, "rel"]), st.sampled_from(["nav", "Main-text", "", "x" * 500, "éa"]), max_size=3
    )
    elements = Elements(parent, [draw(st.integers(0, 90)) for _ in parent], [draw(names) for _ in parent])
    return elements, draw(st.lists(st.integers(0, len(parent) - 1), max_size=12))


@settings(max_examples=examples(120), deadline=None)
@given(pages(), st.dictionaries(st.sampled_from(["nav", "main", "text"]), st.floats(-3, 3, width=32), max_size=3))
def test_number_elements_and_weigh_names(page: tuple[Elements, list[int]], table: Mapping[str, float]) -> None:
    elements, of_run = page
    arguments = elements.parent, elements.tag, of_run, elements.values, names_among, tree._FACTS
    numbered = tree.number_elements(*arguments)
    assert numbered == tree._number_elements(*arguments)
    parents, named, *_ = numbered
    assert tree.weigh_names(named, parents, table) == tree._weigh_names(named, parents, table)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 300), st.integers(1, 12), st.integers(1, 5), st.integers(0, 99))
def test_leaf_sums(random_trees: Callable[..., Trees], rows: int, count: int, depth: int, seed: int) -> None:
    made = random_trees(count, depth, 5)
    columns = np.random.default_rng(seed).random((5, rows), dtype=np.float32)
    columns[:, ::7] = np.nan
    masks = made._masks
    arguments: Any = columns, masks.feature, masks.threshold, masks.struck, masks.leaves, masks.width
    assert trees.leaf_sums(*arguments) == trees._leaf_sums(*arguments)


def test_whole_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    site = DemoSite()
    found = []
    for _ in range(2):
        for story in site.stories[:6]:
            page = parse(site.answer("GET", story.path).body)
            found.append(page_features(look_at(page), {"article": 1.5, "footer": -2.0}))
        for (name, (_, reference)), module in zip(
            PAIRS.items(), (character_stats, text, tree, tree, trees), strict=True
        ):
            monkeypatch.setattr(module, name, reference)
    assert found[0].shape[1] == len(FEATURES)
    for compiled, plain in zip(found[:6], found[6:], strict=True):
        assert np.array_equal(compiled, plain)
