"""The measurement of the pages runs over a small fleet."""

from __future__ import annotations

from click.testing import CliRunner

from benchmarks.web.__main__ import main


def test_each_screen_is_measured() -> None:
    done = CliRunner().invoke(main, ["--sites", "6", "--articles", "5", "--views", "2"])
    assert done.exit_code == 0, done.output
    lines = [line for line in done.output.splitlines() if "median" in line]
    assert len(lines) == 14
