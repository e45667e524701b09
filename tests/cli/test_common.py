"""What commands share: files that they write, tables, names of operators, progress."""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
import warm
from patience import PATIENCE
from rich.progress import DownloadColumn

from newscrawl.cli.common import work
from newscrawl.cli.common.output import opened, require_folder_of, write_text
from newscrawl.cli.common.show import Column, show
from newscrawl.cli.common.words import MAX_NAME, operator_name
from newscrawl.cli.common.work import follow
from newscrawl.errors import OutputError


def test_a_file_takes_its_place_only_when_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "news.csv"
    file.write_text("yesterday's")
    with pytest.raises(TypeError), opened(str(file)) as out:
        out.write(7)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["yesterday's"]
    write_text(file, "today's")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["today's"]


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    write_text(link, "news")
    assert link.is_symlink()
    assert file.read_text() == "news"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "news")
    reader.join(10)
    assert read == ["news"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", [".", "nowhere/news.csv"])
def test_what_cannot_be_written_is_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*: "):
        write_text(tmp_path / name, "news")


def test_a_missing_folder_is_told_before_the_work(tmp_path: Path) -> None:
    require_folder_of(tmp_path / "report.html")
    with pytest.raises(OutputError, match="no folder"):
        require_folder_of(tmp_path / "nowhere" / "report.html")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
def test_a_full_device_is_one_line_and_stays_a_device() -> None:
    with pytest.raises(OutputError, match="no space left on device"):
        write_text(Path("/dev/full"), "news")
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
@pytest.mark.parametrize("command", [("extract", "-"), ("explain", "-"), ("sites",)])
def test_standard_output_that_takes_no_more_is_one_line(command: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = warm.run(
            [sys.executable, "-m", "newscrawl.cli", *command],
            cwd=Path(__file__).parents[2],
            input=b"<p>The council of the harbour town met on Tuesday evening.</p>" * 9,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"no space left on device" in done.stderr


@pytest.mark.parametrize("paragraphs", [9, 9_000])
def test_a_reader_that_has_read_enough_is_no_error(paragraphs: int) -> None:
    """As `head` is, also when it ends in the midst of a long output."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:  # noqa: PTH123  a descriptor
        done = warm.run(
            [sys.executable, "-m", "newscrawl.cli", "explain", "-"],
            cwd=Path(__file__).parents[2],
            input=b"<p>The council of the harbour town met on Tuesday evening.</p>" * paragraphs,
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@dataclass(frozen=True)
class Boat:
    name: str
    seats: int
    seen: datetime | None = None


def test_nothing_in_a_cell_is_markup_or_an_emoji(capsys: pytest.CaptureFixture[str]) -> None:
    show([Boat("[red]a[/] :boat:", 1)], (Column("name"),))
    assert "[red]a[/] :boat:" in capsys.readouterr().out


@pytest.mark.parametrize("error", [KeyError("uid not found: 4711"), OSError("no username set in the environment")])
def test_a_user_without_a_name_is_the_command_line(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def unknown() -> str:
        raise error

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert operator_name() == "the command line"


def test_a_name_is_of_bounded_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "a" * 1000)
    assert operator_name() == "a" * MAX_NAME


@dataclass
class Half:
    """A work of which half was done before and a quarter now."""

    total: int = 400
    done: int = 300
    fresh: int = 100


def _text(step: Half, seconds: float) -> str:
    return f"{step.done} done"


def test_without_a_terminal_lines_say_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time left is reckoned from what this run did, not from what it found done."""
    clock = iter([0.0, 5.0, 60.0, 61.0])
    monkeypatch.setattr(work.time, "monotonic", lambda: next(clock))
    assert follow([Half(), Half()], _text, DownloadColumn(), "stopped") == 61.0
    assert capsys.readouterr().err == "75%: 300 done, about 1 min left\n"


def test_ctrl_c_says_what_stays_and_ends_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    def steps() -> Iterator[Half]:
        yield Half()
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as end:
        follow(steps(), _text, DownloadColumn(), "stopped; what was done stays")
    assert end.value.code == 130
    assert "what was done stays" in capsys.readouterr().err
