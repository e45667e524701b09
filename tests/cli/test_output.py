"""Files that commands write."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import warm
from patience import PATIENCE

from newscrawl.cli.common.output import opened, require_folder_of, write_text
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
