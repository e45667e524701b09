"""A few damaged pages; `python -m benchmarks.mutate` has ten thousand."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.mutate.__main__ import Broken, check_page, demo_pages, table
from benchmarks.mutate.mutations import MUTATIONS, Mutation, mutate

PAGES = demo_pages()


@pytest.mark.parametrize("number", range(12))
def test_a_broken_page_breaks_nothing_and_gives_the_same_twice(number: int) -> None:
    result = check_page(Broken(number, *PAGES[number % len(PAGES)]), seed=2)
    assert result.faults == ()


def test_a_seed_always_breaks_the_same() -> None:
    body = PAGES[0][1]
    assert mutate(body, Random("1/5")) == mutate(body, Random("1/5"))
    assert mutate(body, Random("1/5")) != mutate(body, Random("1/6"))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_each_mutation_takes_any_bytes_and_breaks_a_page(mutation: Mutation) -> None:
    for body in (b"", b"x", b"<p>", b"\xff\xfe\x00"):
        assert isinstance(mutation(body, Random(1)), bytes)
    assert any(mutation(PAGES[0][1], Random(seed)) != PAGES[0][1] for seed in range(5))


def test_the_table_counts_pages_and_verdicts() -> None:
    shown = table([check_page(Broken(0, "whole", PAGES[0][1]), seed=1)])
    assert "| broken pages | 1 |" in shown
    assert "| without a fault | 1 |" in shown
