"""Corpora of snippets: counts of snippets that must be in the text and of those that must not."""

from __future__ import annotations

import pytest

from newscrawl.bench.scores import Snippets, count_snippets, total


def test_snippets_are_looked_for_whatever_the_line_breaks() -> None:
    counts = count_snippets(
        ["the bridge opened", "not there"],
        ["share  this", "cookies"],
        "The\nthe  bridge\nopened. Share this share this",
    )
    assert counts == Snippets(found=1, missing=1, wrong=1, kept_out=1)


def test_figures_are_over_all_snippets() -> None:
    summed = total([Snippets(3, 1, 0, 4), Snippets(0, 2, 1, 0)])
    assert summed.pages == 2
    assert (summed.precision, summed.recall, summed.accuracy) == pytest.approx((3 / 4, 3 / 6, 7 / 11))
    assert summed.f1 == pytest.approx(0.6)


def test_nothing_found_is_zero() -> None:
    assert total([]).f1 == 0
    assert count_snippets(["a"], ["b"], "").f1 == 0
    assert total([]).accuracy == 0
