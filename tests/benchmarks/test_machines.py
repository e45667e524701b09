"""The small form of the benchmark of several machines: two machines, a few sites, and faults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.machines.__main__ import MUST_BE_NONE, run_round
from benchmarks.machines.rounds import ROUNDS

pytestmark = pytest.mark.process


def test_two_machines_send_no_request_at_once_too_close_or_inside_a_pause(postgresql: str, tmp_path: Path) -> None:
    wanted = replace(ROUNDS["kill -9"], machines=2)
    figures = run_round(wanted, 4, 24.0, tmp_path, postgresql)
    assert {must: figures[must] for must in MUST_BE_NONE} == dict.fromkeys(MUST_BE_NONE, 0), (
        tmp_path / "problems.txt"
    ).read_text("utf-8")
    assert figures["requests"] > 10
    assert figures["tracebacks"] == figures["ended by itself"] == 0
