"""The rounds of the measurement: faults of the machines while they crawl.

In two of them commands run meanwhile: `newscrawl forget` removes a word from the archives of all machines, and
`newscrawl db upgrade` of a newer newscrawl has to wait for machines that use the older schema.
"""

from __future__ import annotations

import gzip
import random
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import newscrawl
from benchmarks.machines.laboratory import LabMachine, Laboratory
from newscrawl.storage.migrations import HEAD

SITE: Final = "site0"
PATIENCE: Final = 180.0
"""Seconds, at most, until a machine has archived a page of the site, until all machines have removed it, and until an
upgrade is not refused any more: a process that is silent counts as ended after 75."""
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


NEWER: Final = "zebra"
"""The revision of the newer newscrawl, which changes no table."""
IN_USE: Final = 75
"""Exit code of an upgrade that is refused because somebody crawls, and of a process that finds a newer schema."""


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
