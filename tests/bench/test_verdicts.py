"""The comparison of verdicts with kinds of pages, without scikit-learn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from newscrawl.bench.verdicts import study
from newscrawl.cli.bench_verdicts import verdicts
from newscrawl.errors import UsageError


def test_a_missing_scikit_learn_is_said_in_one_line_before_pages_are_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "newscrawl.bench.verdicts.fit", None)
    monkeypatch.setattr(study, "known_pages", lambda *_, **__: pytest.fail("pages were read"))
    error = CliRunner().invoke(verdicts, ["--corpora", str(tmp_path)]).exception
    assert isinstance(error, UsageError)
    assert str(error) == "cross-validation needs scikit-learn: install newscrawl[bench], or use --shipped"
