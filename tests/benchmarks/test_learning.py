"""Commands that train a model, without scikit-learn."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks.train.__main__ import main as train
from benchmarks.train_confidence.__main__ import main as train_confidence
from benchmarks.train_kinds.__main__ import main as train_kinds
from newscrawl.bench.verdicts import study
from newscrawl.cli.bench_verdicts import verdicts
from newscrawl.errors import UsageError

MISSING = "training a model needs scikit-learn: install newscrawl[bench]"


@pytest.fixture(autouse=True)
def _without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)


@pytest.mark.parametrize("command", [train, train_confidence, train_kinds])
def test_a_benchmark_that_trains_says_what_is_missing_in_one_line(command: click.Command, tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--shared", str(tmp_path)])
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"Error: {MISSING}"]


def test_bench_verdicts_says_what_is_missing_before_it_reads_pages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(study, "known_pages", lambda *_, **__: pytest.fail("pages were read"))
    error = CliRunner().invoke(verdicts, ["--corpora", str(tmp_path)]).exception
    assert isinstance(error, UsageError)
    assert str(error) == f"{MISSING}, or use --shipped"
