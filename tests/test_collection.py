"""The ids of the collected tests: xdist compares those of its workers, and runs nothing if they differ."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
COLLECT = (sys.executable, "-m", "pytest", "--collect-only", "-q", "--assert=plain", "-p", "no:randomly", "tests")
APART = 1.1  # seconds; the header of gzip.compress() holds whole seconds


def collect(hash_seed: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONHASHSEED"] = hash_seed
    return subprocess.Popen(COLLECT, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE)


def test_two_collections_more_than_a_second_apart_give_the_same_ids() -> None:
    first = collect("1")
    time.sleep(APART)
    second = collect("2")
    (one, _), (other, _) = first.communicate(timeout=300), second.communicate(timeout=300)
    assert (first.returncode, second.returncode) == (0, 0), one[-2000:] + other[-2000:]
    ids = [line for line in one.splitlines() if "::" in line]
    assert len(ids) > 1000
    assert ids == [line for line in other.splitlines() if "::" in line]
    unread = [line for line in ids if re.search(r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|0x[0-9a-f]{6}|<lambda>", line)]
    assert not unread, f"ids that are no words: {unread[:10]}"
