"""A round in which `newscrawl forget` removes a word from the archives of all machines while they crawl."""

from __future__ import annotations

import gzip
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from benchmarks.machines.laboratory import Laboratory
from benchmarks.machines.machine import LabMachine

SITE: Final = "site0"
PATIENCE: Final = 180.0
"""Seconds, at most, until a machine has archived a page of the site, and until all machines have removed it."""
LOOK: Final = 2.0
"""Seconds between two looks."""


def forget_in_all_archives(lab: Laboratory) -> None:
    """Each machine alone archives pages of a site that have a word. Then all crawl, and the second machine forgets and
    blocks the site. Afterwards no archive has the word."""
    for machine in lab.machines:
        _crawl_alone(lab, machine)
    for machine in lab.machines:
        machine.start()
    lab.check("archives without the word before", len(lab.machines) - len(_with_word(lab)))
    begun = time.monotonic()
    asking = lab.machines[1]
    code = 1
    while code and time.monotonic() - begun < PATIENCE:
        code = asking.run("forget", "--site", SITE, "--block", "--yes").returncode
        time.sleep(LOOK)
    lab.figures["seconds until all have confirmed"] = time.monotonic() - begun
    lab.check("not confirmed", code)
    lab.forgotten.add(SITE)
    lab.after.append(lambda: lab.check("archives with the word afterwards", len(_with_word(lab))))
    time.sleep(lab.seconds / 10)


def _crawl_alone(lab: Laboratory, machine: LabMachine) -> None:
    """Waits until the machine, which then crawls alone, has fetched a page of the site."""
    for other in lab.machines:
        if other is not machine:
            other.stop()
    begun, until = time.time(), time.monotonic() + PATIENCE
    if not machine.is_running:
        machine.start()
    while time.monotonic() < until and not _fetched(lab, machine, begun):
        time.sleep(LOOK)
    machine.stop()


def _fetched(lab: Laboratory, machine: LabMachine, since: float) -> bool:
    return any(
        request["begun"] >= since
        and request.get("status") == 200
        and request["host"].startswith(f"{SITE}.")
        and request["path"].endswith(".html")
        and f"{machine.name}@" in request["agent"]
        for request in lab.log()
    )


def _with_word(lab: Laboratory) -> Sequence[str]:
    """Returns the names of the machines whose archive has the word."""
    word = lab.options.canary.encode()
    return [machine.name for machine in lab.machines if any(word in read for read in map(_content, _files(machine)))]


def _files(machine: LabMachine) -> list[Path]:
    return [path for path in (machine.fleet.folder / "archive").rglob("*") if path.is_file()]


def _content(file: Path) -> bytes:
    """Returns a file's bytes and what they are decompressed. The last record of a file may be incomplete."""
    content = bytearray(file.read_bytes())
    if content.startswith(b"\x1f\x8b"):
        with suppress(EOFError, OSError), gzip.open(file) as unpacked:
            while chunk := unpacked.read(65_536):
                content += chunk
    return bytes(content)
