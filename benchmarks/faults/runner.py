"""Commands for benchmarks.faults, each forked from a process that has imported everything."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from benchmarks.faults.inject import Fault
from benchmarks.faults.template import TIMED_OUT

ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 120.0
"""A command of this site that takes longer hangs."""


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a command. `said` is its output on both standard streams."""

    code: int
    seconds: float
    statements: int
    writes: int
    commits: int
    said: str

    @property
    def is_hung(self) -> bool:
        """Whether the command had to be killed."""
        return self.code == TIMED_OUT


class Runner:
    """A process from which commands are forked, one at a time."""

    def __init__(self, environment: Mapping[str, str], library: Path | None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.faults.template"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **environment, **({"LD_PRELOAD": str(library)} if library else {})},
            text=True,
        )

    def run(self, words: Sequence[str], folder: Path, settings: Mapping[str, str], fault: Fault | None = None) -> Done:
        """Runs `scrapy ...` or `newscrawl ...`. Faults affect databases, and files in the folder."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        log = folder.parent / "logs" / f"{folder.name}{'' if fault and fault.first else '-afterwards'}.txt"
        log.parent.mkdir(exist_ok=True)
        log.unlink(missing_ok=True)
        order = {
            "words": list(words),
            "cwd": str(folder.parent / "project"),
            "environment": dict(settings),
            "log": str(log),
            "folder": str(folder),
            "fault": astuple(fault or Fault()),
            "seconds": SECONDS,
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the process that commands are forked from has ended")
        return Done(**json.loads(answer), said=log.read_text("utf-8", errors="replace"))

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(SECONDS)
        self._process.stdout.close()


def disk_library(folder: Path) -> Path | None:
    """Returns the compiled library that makes writes fail; None without a C compiler."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None or sys.platform != "linux":
        return None
    library = folder / "faults_disk.so"
    source = Path(__file__).with_name("disk.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl"], check=True)
    return library
