"""`python -m benchmarks.onboarding`: the onboarding against replicas of all known habits."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import warm
from patience import PATIENCE

ROOT: Final = Path(__file__).resolve().parents[2]


def test_thirty_replicas_of_twenty_two_habits_are_found_out() -> None:
    done = warm.run(
        [sys.executable, "-m", "benchmarks.onboarding", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert len(results) == 30
    assert len({result["habit"] for result in results}) >= 22
    assert [result["name"] for result in results if not result["titles_right"]] == []
    assert sum(result["found"] for result in results) >= 28
    assert sum(result["accepted"] for result in results) >= 0.99 * sum(result["shapes"] for result in results)
