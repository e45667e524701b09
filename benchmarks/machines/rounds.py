"""The rounds of the measurement: faults of the machines while they crawl."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.machines.machine import LabMachine

Act = Callable[[Sequence[LabMachine], float, random.Random], None]
"""Does something to the machines for so many seconds."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round. `ahead` moves the wall clocks of the machines, in seconds; `hang` is how long an article's answer
    takes; `settings` are those of the machines."""

    name: str
    act: Act
    machines: int = 3
    ahead: Sequence[float] = (0.0, 0.0, 0.0)
    hang: float = 0.0
    seconds: float = 90.0


def quiet(_machines: Sequence[LabMachine], seconds: float, _chance: random.Random) -> None:
    """No fault."""
    time.sleep(seconds)


def killed(machines: Sequence[LabMachine], seconds: float, _chance: random.Random) -> None:
    """The first machine is killed, and starts again 45 seconds later."""
    time.sleep(seconds / 3)
    machines[0].kill()
    time.sleep(min(45, seconds / 2))
    machines[0].start()
    time.sleep(seconds - seconds / 3 - min(45, seconds / 2))


def frozen(machines: Sequence[LabMachine], seconds: float, _chance: random.Random) -> None:
    """The first machine is stopped for 100 seconds, and then continues."""
    time.sleep(seconds / 3)
    machines[0].freeze(is_frozen=True)
    time.sleep(100)
    machines[0].freeze(is_frozen=False)
    time.sleep(seconds * 2 / 3)


def cut_off(machines: Sequence[LabMachine], seconds: float, _chance: random.Random) -> None:
    """The connection of the first machine to the database drops all packets for a minute."""
    time.sleep(seconds / 6)
    machines[0].proxy.is_cut = True
    time.sleep(60)
    machines[0].proxy.is_cut = False
    time.sleep(max(10.0, seconds * 5 / 6 - 60))


def far(machines: Sequence[LabMachine], seconds: float, _chance: random.Random) -> None:
    """A round trip to the database takes 20 ms."""
    for machine in machines:
        machine.proxy.distance = 0.02
    time.sleep(seconds)


def disconnected(machines: Sequence[LabMachine], seconds: float, _chance: random.Random) -> None:
    """All connections to the database break, and it cannot be reached for ten seconds; twice."""
    for _ in range(2):
        time.sleep(seconds / 3)
        for machine in machines:
            machine.proxy.is_cut = True
            machine.proxy.disconnect()
        time.sleep(10)
        for machine in machines:
            machine.proxy.is_cut = False
    time.sleep(max(1.0, seconds / 3 - 20))


def moving(machines: Sequence[LabMachine], seconds: float, _chance: random.Random) -> None:
    """The machines are stopped and started again one after the other, so that all sites move to other machines."""
    for machine in (*machines, machines[0]):
        time.sleep(seconds / (len(machines) + 2))
        machine.stop()
        machine.start()
    time.sleep(seconds / (len(machines) + 2))


def random_kills(machines: Sequence[LabMachine], seconds: float, chance: random.Random) -> None:
    """Twenty kills at random moments."""
    for moment in _gaps(20, seconds, chance):
        time.sleep(moment)
        machine = chance.choice(machines)
        machine.kill()
        machine.start()


def _gaps(number: int, seconds: float, chance: random.Random) -> list[float]:
    moments = sorted(chance.uniform(5, seconds - 5) for _ in range(number))
    return [after - before for before, after in zip([0.0, *moments], moments, strict=False)]


ROUNDS: Final[Mapping[str, Round]] = {
    found.name: found
    for found in (
        Round("nothing", quiet),
        Round("kill -9", killed),
        Round("stopped 100 s", frozen),
        Round("link down 60 s", cut_off),
        Round("clock +120 s", quiet, ahead=(120.0, 0.0, 0.0)),
        Round("clock -120 s", quiet, ahead=(-120.0, 0.0, 0.0)),
        Round("database 20 ms away", far),
        Round("database restarts", disconnected),
        Round("sites move and come back", moving),
        Round("answers take 30 s", quiet, hang=30.0),
        Round("20 kills", random_kills, seconds=180.0),
    )
}
