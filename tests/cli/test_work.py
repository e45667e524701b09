"""The parts that the commands over many pages share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from rich.progress import DownloadColumn

from newscrawl.cli.common import work
from newscrawl.cli.common.work import follow


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
