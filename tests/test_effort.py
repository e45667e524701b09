"""`make test` tries all examples of tests with drawn input, `make quick` a fifth of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from effort import COMPLETE, EXAMPLES, MIN_EXAMPLES, QUICK, examples
from hypothesis import settings

TESTS = Path(__file__).parent


@pytest.fixture(params=[COMPLETE, QUICK])
def profile(request: pytest.FixtureRequest) -> Iterator[str]:
    before = settings.get_current_profile_name()
    settings.load_profile(request.param)
    yield request.param
    settings.load_profile(before)


def test_a_profile_decides_how_many_examples_are_tried(profile: str) -> None:
    found = [settings().max_examples, examples(1_200), examples(30), examples(7), examples(400, at_least=200)]
    assert found == ([EXAMPLES, 1_200, 30, 7, 400] if profile == COMPLETE else [20, 240, 6, MIN_EXAMPLES, 200])


def test_no_test_takes_the_same_number_under_both() -> None:
    fixed = re.compile(r"max_examples=\d")
    found = [path.name for path in TESTS.rglob("*.py") if fixed.search(path.read_text(encoding="utf-8"))]
    assert found == []
