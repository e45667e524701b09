"""Benchmarks that write into documents, as commands; and the commands of newscrawl that they replace."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks.crawl.__main__ import main as crawl
from benchmarks.freshness.__main__ import main as freshness
from newscrawl.cli.main import main as newscrawl

BENCHMARKS = {"crawl": crawl, "freshness": freshness}


@pytest.mark.parametrize("command", BENCHMARKS.values(), ids=BENCHMARKS)
def test_a_document_without_the_section_is_told_before_anything_is_measured(
    command: click.Command, tmp_path: Path
) -> None:
    document = tmp_path / "performance.md"
    for complaint in (f"cannot read {document}", f"{document} has no section between <!-- x --> and <!-- /x -->"):
        done = CliRunner().invoke(command, ["--markdown", str(document), "--section", "x"])
        assert done.exit_code == 2
        assert complaint in done.stderr
        assert len(done.stderr.splitlines()) == 1
        document.write_text("nothing generated here\n", encoding="utf-8")


@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.parametrize("words", [[], ["--quick"], ["--help"]], ids=" ".join)
def test_the_command_of_earlier_versions_names_the_benchmark(
    name: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        newscrawl(["bench", name, *words])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"run `python -m benchmarks.{name}` in a checkout" in line


def test_the_help_of_bench_names_neither(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        newscrawl(["bench", "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "quality" in shown
    assert not any(f"\n  {name}" in shown for name in BENCHMARKS)
