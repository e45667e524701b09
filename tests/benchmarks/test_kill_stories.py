"""A small part of `python -m benchmarks.kill.stories`: after every kill the written rows agree."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest
import warm
from patience import PATIENCE

ROOT: Final = Path(__file__).resolve().parents[2]
ROUNDS: Final = 17
"""Thirteen points and a random moment; four fifths of the rounds are for these."""


@pytest.mark.parametrize("kind", [[], pytest.param(["--postgresql"], marks=pytest.mark.postgresql)])
def test_archive_articles_feed_and_index_agree_after_every_kill(kind: list[str]) -> None:
    """In a process of its own, since it forks; on SQLite once at each point."""
    command = [sys.executable, "-m", "benchmarks.kill.stories", *kind, "--rounds", "4" if kind else str(ROUNDS)]
    done = warm.run(command, cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
