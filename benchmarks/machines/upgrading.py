"""A round in which the schema is upgraded while machines crawl with it."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path
from typing import Final

import newscrawl
from benchmarks.machines.laboratory import Laboratory
from benchmarks.machines.machine import LabMachine
from newscrawl.storage.migrations import HEAD

NEWER: Final = "zebra"
"""The revision of the newer newscrawl, which changes no table."""
IN_USE: Final = 75
"""Exit code of an upgrade that is refused because somebody crawls, and of a process that finds a newer schema."""
PATIENCE: Final = 150.0
"""Seconds, at most, until the upgrade is not refused any more: a process that is silent counts as ended after 75."""
LOOK: Final = 5.0
"""Seconds between two attempts."""


def upgrade_while_machines_crawl(lab: Laboratory) -> None:
    """`newscrawl db upgrade` of a newer newscrawl is refused while the machines crawl, and names one. One machine is
    stopped without ending, the others end. Once the silent one counts as ended, the schema is upgraded and the others
    crawl with the newer newscrawl. The silent one goes on, finds the newer schema and ends with one line."""
    time.sleep(lab.seconds / 6)
    newer = newer_code(lab.folder)
    old, *others = lab.machines
    admin = others[0]
    refused = admin.run("db", "upgrade", code=newer)
    named = any(f"on {machine.name} " in refused.stderr + refused.stdout for machine in lab.machines)
    lab.check("upgrades that were not refused", refused.returncode != IN_USE)
    lab.check("upgrades that named no machine", not named)
    old.freeze(is_frozen=True)
    for machine in others:
        machine.stop()
    begun = time.monotonic()
    while (code := admin.run("db", "upgrade", code=newer).returncode) and time.monotonic() - begun < PATIENCE:
        time.sleep(LOOK)
    lab.figures["seconds until upgraded"] = time.monotonic() - begun
    lab.check("upgrades refused for too long", code)
    for machine in others:
        machine.use(newer)
        machine.start()
    time.sleep(lab.seconds / 6)
    _let_old_one_end(lab, old)
    old.use(newer)
    old.start()
    time.sleep(lab.seconds / 3)


def _let_old_one_end(lab: Laboratory, old: LabMachine) -> None:
    before = len(old.log)
    process = old.fleet.process
    old.freeze(is_frozen=False)
    begun = time.monotonic()
    code = process.wait(PATIENCE) if process is not None else 0
    lab.figures["seconds until the old process ended"] = time.monotonic() - begun
    lab.check("old processes with another exit code", code != IN_USE)
    lab.check("old processes that did not say why", not re.search(rf"schema {NEWER}", old.log[before:]))


def newer_code(folder: Path) -> Path:
    """Makes a copy of newscrawl with one more revision; returns the folder to import it from."""
    code, package = folder / "newer", Path(newscrawl.__file__).parent
    shutil.copytree(package, code / "newscrawl", ignore=shutil.ignore_patterns("__pycache__"))
    migrations = code / "newscrawl" / "storage" / "migrations"
    (migrations / "versions" / "r9999_nothing.py").write_text(
        f'"""Changes nothing."""\n\nrevision = "{NEWER}"\ndown_revision = "{HEAD}"\nbranch_labels = None\n'
        "depends_on = None\n\n\ndef upgrade() -> None:\n    pass\n",
        encoding="utf-8",
    )
    start = migrations / "__init__.py"
    start.write_text(start.read_text("utf-8").replace(f'HEAD: Final = "{HEAD}"', f'HEAD: Final = "{NEWER}"'), "utf-8")
    return code
