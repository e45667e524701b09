"""What a round of the laboratory has: its machines, its sites' log and its database."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fleet_judgement import Plea, lost_pleas, stored_rests
from fleet_process import read_log
from fleet_stories import WorldOptions

from benchmarks.machines.machine import LabMachine

UNDER_WAY: Final = 0.3
"""Seconds in which the database ends what a killed process had sent."""


@dataclass(slots=True)
class Laboratory:
    """One round while it runs. `figures` are those of the round's own check, by name; those in `must_be_none` must be
    0. Articles of the sites `forgotten` need not be stored. `lost` are pleas for rest that no process knows."""

    machines: Sequence[LabMachine]
    seconds: float
    chance: random.Random
    options: WorldOptions
    database: str
    folder: Path
    figures: dict[str, float] = field(default_factory=dict)
    must_be_none: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    lost: dict[Plea, float] = field(default_factory=dict)
    after: list[Callable[[], None]] = field(default_factory=list)
    """Checks to make when all machines have ended."""

    def kill(self, machine: LabMachine) -> None:
        """Kills the machine's process, and notes which pleas for rest are lost with it."""
        machine.kill()
        time.sleep(UNDER_WAY)
        log = self.log()
        self.lost |= lost_pleas(log, stored_rests(self.database, log), f"{machine.name}@", time.time())

    def log(self) -> list[dict[str, Any]]:
        """Returns the requests of the sites' log so far."""
        return read_log(Path(self.options.log))

    def check(self, name: str, wrong: float) -> None:
        """Adds a figure that must be 0."""
        self.figures[name] = self.figures.get(name, 0.0) + wrong
        self.must_be_none.add(name)
