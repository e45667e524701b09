"""The ids of the collected tests: xdist compares those of its workers, and runs nothing if they differ."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COLLECT = (sys.executable, "-m", "pytest", "--collect-only", "-q", "--assert=plain", "-p", "no:randomly")


def collected(arguments: list[str], hash_seed: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONHASHSEED"] = hash_seed
    done = subprocess.run(
        (*COLLECT, *arguments), cwd=ROOT, env=environment, text=True, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_a_collection_more_than_a_second_later_gives_the_same_ids(request: pytest.FixtureRequest) -> None:
    """The first collection is that of this run, minutes ago: the header of gzip.compress() holds whole seconds."""
    ids = sorted(item.nodeid for item in request.session.items)
    chosen = [*request.config.args, *(("-m", marks) if (marks := request.config.getoption("markexpr")) else ())]
    other = sorted(collected(chosen, "1"))
    assert ids == other, sorted({*ids} ^ {*other})[:10]
    unread = [line for line in ids if re.search(r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|0x[0-9a-f]{6}|<lambda>", line)]
    assert not unread, f"ids that are no words: {unread[:10]}"
