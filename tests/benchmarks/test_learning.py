"""What the commands that train a model share: trees as plain lists, and one line without scikit-learn."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.support.learning import plain_tree
from benchmarks.train.__main__ import main as train
from benchmarks.train_confidence.__main__ import main as train_confidence
from benchmarks.train_kinds import study
from benchmarks.train_kinds.__main__ import main as train_kinds
from benchmarks.train_kinds.verdicts import main as verdicts

MISSING = "training a model needs scikit-learn: run `make peers`"


@pytest.fixture(autouse=True)
def _without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)


@pytest.mark.parametrize("command", [train, train_confidence, train_kinds])
def test_a_benchmark_that_trains_says_what_is_missing_in_one_line(command: click.Command, tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--shared", str(tmp_path)])
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"Error: {MISSING}"]


def test_verdicts_say_what_is_missing_before_they_read_pages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(study, "known_pages", lambda *_, **__: pytest.fail("pages were read"))
    done = CliRunner().invoke(verdicts, ["--shared", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [f"main: {MISSING}, or use --shipped"]


NODES = np.array(
    [(0, 3, 0.123456, 1, 2, 0.5), (1, 0, 0.0, 0, 0, -0.6), (1, 0, 0.0, 0, 0, 0.333333)],
    dtype=[
        ("is_leaf", "u1"),
        ("feature_idx", "i4"),
        ("num_threshold", "f8"),
        ("left", "u4"),
        ("right", "u4"),
        ("value", "f8"),
    ],
)


def test_a_tree_keeps_its_thresholds_and_scores_in_the_given_digits() -> None:
    tree = plain_tree(NODES, 3)
    assert tree == [3, 0.123, -0.6, 0.333]


def test_a_tree_of_an_average_has_a_share_of_its_scores_and_the_same_thresholds() -> None:
    tree = plain_tree(NODES, 3, share=0.5)
    assert tree == [3, 0.123, -0.3, 0.167]
