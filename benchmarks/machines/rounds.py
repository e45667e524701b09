"""The rounds of the measurement: faults of the machines while they crawl."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.machines.forgetting import forget_in_all_archives
from benchmarks.machines.laboratory import Laboratory
from benchmarks.machines.upgrading import upgrade_while_machines_crawl

Act = Callable[[Laboratory], None]
"""Does something to the machines of a round until its end."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round. `ahead` moves the wall clocks of the machines, in seconds; `world` has options of the sites, `scrapy`
    Scrapy's settings of the machines. `patience` are seconds after which an article is missed; None for the usual."""

    name: str
    act: Act
    machines: int = 3
    ahead: Sequence[float] = (0.0, 0.0, 0.0)
    world: Mapping[str, Any] = field(default_factory=dict)
    scrapy: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 90.0
    patience: float | None = None


def quiet(lab: Laboratory) -> None:
    """Nothing happens."""
    time.sleep(lab.seconds)


def killed(lab: Laboratory) -> None:
    """The first machine is killed, and starts again 45 seconds later."""
    time.sleep(lab.seconds / 3)
    lab.kill(lab.machines[0])
    time.sleep(min(45, lab.seconds / 2))
    lab.machines[0].start()
    time.sleep(lab.seconds - lab.seconds / 3 - min(45, lab.seconds / 2))


def frozen(lab: Laboratory) -> None:
    """The first machine is stopped for 100 seconds, and goes on."""
    time.sleep(lab.seconds / 3)
    lab.machines[0].freeze(is_frozen=True)
    time.sleep(100)
    lab.machines[0].freeze(is_frozen=False)
    time.sleep(lab.seconds * 2 / 3)


def cut_off(lab: Laboratory) -> None:
    """The first machine's way to the database drops all packets for a minute."""
    time.sleep(lab.seconds / 6)
    lab.machines[0].proxy.is_cut = True
    time.sleep(60)
    lab.machines[0].proxy.is_cut = False
    time.sleep(max(10.0, lab.seconds * 5 / 6 - 60))


def unanswered(lab: Laboratory) -> None:
    """The first two machines' connections to the database are acknowledged and not answered, and for a minute new ones.
    The statements of the second machine reach the database."""
    time.sleep(lab.seconds / 6)
    lab.machines[0].proxy.swallows, lab.machines[1].proxy.loses_answers = b"", True
    time.sleep(60)
    lab.machines[0].proxy.swallows, lab.machines[1].proxy.loses_answers = None, False
    time.sleep(max(10.0, lab.seconds * 5 / 6 - 60))


def cut_at_random(lab: Laboratory) -> None:
    """The connections of a machine to the database break, twelve times at random moments. Every second time the answers
    of a second are lost before."""
    for number, moment in enumerate(_gaps(12, lab.seconds, lab.chance)):
        time.sleep(moment)
        proxy = lab.chance.choice(lab.machines).proxy
        if number % 2:
            proxy.loses_answers = True
            time.sleep(1)
        proxy.disconnect()
        proxy.loses_answers = False


def far(lab: Laboratory) -> None:
    """The database is 20 ms away."""
    for machine in lab.machines:
        machine.proxy.distance = 0.02
    time.sleep(lab.seconds)


def disconnected(lab: Laboratory) -> None:
    """All connections to the database break, and it cannot be reached for ten seconds; twice."""
    for _ in range(2):
        time.sleep(lab.seconds / 3)
        for machine in lab.machines:
            machine.proxy.is_cut = True
            machine.proxy.disconnect()
        time.sleep(10)
        for machine in lab.machines:
            machine.proxy.is_cut = False
    time.sleep(max(1.0, lab.seconds / 3 - 20))


def moving(lab: Laboratory) -> None:
    """One machine after the other is stopped and started again, so that all sites move, and back."""
    for machine in (*lab.machines, lab.machines[0]):
        time.sleep(lab.seconds / (len(lab.machines) + 2))
        machine.stop()
        machine.start()
    time.sleep(lab.seconds / (len(lab.machines) + 2))


def random_kills(lab: Laboratory) -> None:
    """Twenty kills at random moments."""
    for moment in _gaps(20, lab.seconds, lab.chance):
        time.sleep(moment)
        machine = lab.chance.choice(lab.machines)
        lab.kill(machine)
        machine.start()


def _gaps(number: int, seconds: float, chance: random.Random) -> list[float]:
    moments = sorted(chance.uniform(5, seconds - 5) for _ in range(number))
    return [after - before for before, after in zip([0.0, *moments], moments, strict=False)]


SLOW: Final = {"hang": 30.0, "initial": 1, "mean_gap": 1e9, "pleas": 0.0}
"""Sites with one article each: at half a minute an answer, more would keep their hosts busy for the whole round."""

ROUNDS: Final[Mapping[str, Round]] = {
    found.name: found
    for found in (
        Round("nothing", quiet),
        Round("kill -9", killed),
        Round("stopped 100 s", frozen),
        Round("link down 60 s", cut_off),
        Round("no answers for 60 s", unanswered),
        Round("cut at random", cut_at_random),
        Round("clock +120 s", quiet, ahead=(120.0, 0.0, 0.0)),
        Round("clock -120 s", quiet, ahead=(-120.0, 0.0, 0.0)),
        Round("database 20 ms away", far),
        Round("database restarts", disconnected),
        Round("sites move and come back", moving),
        Round("rests of 45 s move", moving, world={"rests": (45,), "pleas": 0.06}, seconds=270.0, patience=120.0),
        Round("rests of 70 s", quiet, 2, world={"rests": (70,), "pleas": 0.06}, seconds=270.0, patience=180.0),
        Round("answers take 30 s", quiet, world=SLOW, scrapy={"DOWNLOAD_TIMEOUT": 60}),
        Round("20 kills", random_kills, seconds=180.0),
        Round("forget a word", forget_in_all_archives, world={"canary": "quillwort", "mean_gap": 10.0}, seconds=270.0),
        Round("upgrade", upgrade_while_machines_crawl, seconds=180.0),
    )
}
