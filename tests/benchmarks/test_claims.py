"""The measurement of the CPU time of claims, with few requests."""

from __future__ import annotations

import pytest

from benchmarks.machines.claims import KINDS, measure


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", KINDS)
def test_requests_of_each_kind_take_cpu_time(kind: str, postgresql: str) -> None:
    assert measure(kind, postgresql, 80) > 0
