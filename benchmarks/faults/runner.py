"""Runs a command for benchmarks.faults in a process of its own, in which a fault is armed before the command begins."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from benchmarks.faults.inject import COUNT, Fault, arm

ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 120.0
"""A command of this site that takes longer hangs."""
TIMED_OUT: Final = -1
COUNTED: Final = ("statements", "writes", "commits")
CHILD: Final = "from benchmarks.faults.runner import be_command; be_command()"


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


def run(words: Sequence[str], folder: Path, settings: Mapping[str, str], fault: Fault, library: Path | None) -> Done:
    """Runs `scrapy ...` or `newscrawl ...` in the project beside the folder. Faults affect databases, and files in the
    folder. Nothing of the command's session is left at its end."""
    log = folder.parent / "logs" / f"{folder.name}{'' if fault.first else '-afterwards'}.txt"
    log.parent.mkdir(exist_ok=True)
    counts = log.with_suffix(".counts")
    counts.write_bytes(bytes(mmap.PAGESIZE))
    environment = {
        **os.environ,
        **settings,
        "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", ""))),
    }
    if library is not None:
        environment["LD_PRELOAD"] = str(library)
    command = [sys.executable, "-c", CHILD, str(folder), str(counts), *map(str, astuple(fault)), *words]
    begun = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder.parent / "project",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = TIMED_OUT
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    seconds, counted = time.monotonic() - begun, counts.read_bytes()
    statements, writes, commits = (COUNT.from_buffer_copy(counted, 64 * place).value for place in range(len(COUNTED)))
    return Done(code, seconds, statements, writes, commits, log.read_text("utf-8", errors="replace"))


def be_command() -> None:
    """Arms the fault of this process's arguments, and becomes the command that follows them."""
    folder, counts, kind, first, last, *words = sys.argv[1:]
    with open(counts, "r+b") as file:  # noqa: PTH123  mmap needs its number
        shared = mmap.mmap(file.fileno(), mmap.PAGESIZE)
    of = {name: COUNT.from_buffer(shared, 64 * place) for place, name in enumerate(COUNTED)}
    arm(Fault(kind, int(first), int(last)), folder, **of)
    sys.argv = words
    if words[0] == "scrapy":
        from scrapy.cmdline import execute

        execute(words)
    else:
        from newscrawl.cli.main import main

        main(words[1:])


def disk_library(folder: Path) -> Path | None:
    """Returns the compiled library that makes writes fail; None without a C compiler."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None or sys.platform != "linux":
        return None
    library = folder / "faults_disk.so"
    source = Path(__file__).with_name("disk.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl"], check=True)
    return library
