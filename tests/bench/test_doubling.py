"""The helper by which other tests show linear time can tell linear from quadratic."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.bench.scoring import score, shingles


def test_a_linear_function_passes(doubling: Callable[..., None]) -> None:
    doubling(lambda text: score(shingles(text), shingles(text)), lambda n: "ab cd ef " * n, 1000)


def test_a_quadratic_function_fails(doubling: Callable[..., None]) -> None:
    with pytest.raises(pytest.fail.Exception, match="when the input doubled"):
        doubling(lambda numbers: [i for i in numbers if -i in numbers], lambda n: list(range(1, n)), 500)
