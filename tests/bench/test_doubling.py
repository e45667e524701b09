"""The helper that shows linear time can tell linear from quadratic, also on a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from newscrawl.bench.scores import score, shingles


def test_a_linear_function_passes(doubling: Callable[..., None]) -> None:
    doubling(lambda text: score(shingles(text), shingles(text)), lambda n: "ab cd ef " * n, 1000)


def test_a_quadratic_function_fails(doubling: Callable[..., None]) -> None:
    def fast() -> float:
        """A clock that shows 32 seconds for one, so that a thirtieth of the work is enough to measure."""
        return 32 * time.thread_time()

    def fails() -> bool:
        try:
            doubling(
                lambda numbers: [i for i in numbers if -i in numbers], lambda n: list(range(1, n)), 100, clock=fast
            )
        except pytest.fail.Exception:
            return True
        return False

    # A burst of other work that slows the smaller input alone may hide it once.
    assert any(fails() for _ in range(3))
