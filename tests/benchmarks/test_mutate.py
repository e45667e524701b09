"""A few damaged pages; `python -m benchmarks.mutate` has ten thousand."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.mutate import MUTATIONS, Mutation, check_page, demo_pages, mutate

PAGES = demo_pages()
BODY = b"".join(body for _, body in PAGES[:1] if isinstance(body, bytes))


@pytest.mark.parametrize("number", range(12))
def test_a_broken_page_breaks_nothing_and_gives_the_same_twice(number: int) -> None:
    assert check_page(number, PAGES, seed=2) == []


def test_a_seed_always_breaks_the_same() -> None:
    assert mutate(BODY, Random("1/5")) == mutate(BODY, Random("1/5"))
    assert mutate(BODY, Random("1/5")) != mutate(BODY, Random("1/6"))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_each_mutation_takes_any_bytes_and_breaks_a_page(mutation: Mutation) -> None:
    for body in (b"", b"x", b"<p>", b"\xff\xfe\x00"):
        assert isinstance(mutation(body, Random(1)), bytes)
    assert any(mutation(BODY, Random(seed)) != BODY for seed in range(5))
