"""Compares the server log and the database of a run of a fleet with the requirements."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.table import Table

from newscrawl.console import SafeConsole
from newscrawl.scheduling.announced_edits import DEFAULT
from newscrawl.storage.engine.database import make_reader, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.reports import articles
from newscrawl.testing.fleet.announced_edits import announced_edits
from newscrawl.testing.fleet.coverage import coverage
from newscrawl.testing.fleet.lost_pleas import Plea
from newscrawl.testing.fleet.manners import NO_PLEAS, answered, check
from newscrawl.testing.fleet.process import SCALE
from newscrawl.testing.fleet.serving import Request, read_log
from newscrawl.testing.fleet.stories import WorldOptions, stories_of

PATIENCE: Final = 75.0
"""Seconds for which an article must have been listed to be missed: an hour and a quarter of the compressed clock."""
TO_STOP: Final = 30.0
ORDER: Final = 99.9
LATE: Final = 0.05
"""Part of the announced edits that may be fetched late: the host asked for rest, or the source was not trusted yet."""
GROWTH_MB: Final = 40.0
"""Memory that a process may have gained between the first third of a run and its end: allocators are no clocks."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one run: figures and violated requirements."""

    figures: dict[str, float]
    problems: list[str]

    def report(self) -> None:
        """Prints the result. Ends the process with 1 if a requirement is violated."""
        console = SafeConsole(highlight=False)
        table = Table("what", "number")
        for name, number in self.figures.items():
            table.add_row(name, f"{number:,.2f}".removesuffix(".00"))
        console.print(table)
        for problem in self.problems:
            console.print(problem)
        sys.exit(1 if self.problems else 0)


def judge(
    options: WorldOptions,
    database: str,
    times: tuple[float, float],
    ends: Sequence[tuple[int, float]],
    *,
    kills: int = 0,
    patience: float = PATIENCE,
    to_stop: float = TO_STOP,
    memory: Sequence[Sequence[tuple[float, float]]] = (),
    lost: Mapping[Plea, float] = NO_PLEAS,
    forgotten: Collection[str] = (),
) -> Trial:
    """The evidence of a run, from the server's log and the database. `times` are the moment in which the world began
    and the seconds until the run was told to end; `ends` are its processes' exit codes and the seconds they took for
    that. `lost` are pleas for rest that no process knows (lost_pleas). Articles of the sites `forgotten` need not be
    stored."""
    log = answered(read_log(Path(options.log)))
    manners = check(log, options.delay, lost)
    hosts = {f"site{n}.localhost": n for n in range(options.sites) if f"site{n}" not in forgotten}
    stories = {host: stories_of(number, options) for host, number in hosts.items()}
    of_sites = [request for request in log if request["host"] in stories]
    seen = coverage(of_sites, stories, *times, patience)
    announced = announced_edits(of_sites, stories, *times, patience, DEFAULT.gap.total_seconds() / SCALE)
    figures = {
        **manners.numbers,
        **seen.numbers,
        **announced.numbers,
        **_stored(database, log, stories),
        **_memory(memory),
    }
    figures["sites asked"] = len({request["host"] for request in log})
    figures["seconds to stop"] = max(seconds for _, seconds in ends)
    problems = [
        f"{name}: {example}" for found in (manners, seen, announced) for name, example in found.examples.items()
    ]
    return Trial(figures, _failed(figures, [code for code, _ in ends], problems, kills, to_stop))


def _failed(
    figures: dict[str, float], codes: Sequence[int], examples: list[str], kills: int, to_stop: float
) -> list[str]:
    """Returns the violated requirements, each with an example if there is one."""
    must = {
        f"in order at least {ORDER} %": figures["in order %"] >= ORDER,
        "Retry-After kept": not figures["before Retry-After"],
        "nothing forbidden fetched": not figures["forbidden"],
        "no request doubled": not figures["doubled"],
        "exit code 0": not any(codes),
        f"stopped within {to_stop:g} s": figures["seconds to stop"] <= to_stop,
        "no article missed": not figures["missed"],
        "no article stored twice": not figures["stored twice"],
        "all that was fetched is stored": not figures["fetched, not stored"],
        "no article fetched again unchanged": kills > 0 or not figures["fetched again"],
        "unchanged answered 304": kills > 0 or not figures["unchanged and not 304"],
        "edits picked up": figures["edits missed"] <= 0.02 * figures["edits"],
        f"announced edits fetched within one reading, but {LATE:.0%}": kills > 0
        or figures["announced, fetched late"] <= LATE * figures["edits announced"],
        f"memory grew by at most {GROWTH_MB:g} MB": figures.get("memory growth MB", 0) <= GROWTH_MB,
    }
    wrong = [f"not met: {name}" for name, holds in must.items() if not holds]
    return [*wrong, *(f"for example {example}" for example in examples)] if wrong else []


def _stored(database: str, log: Sequence[Request], hosts: Collection[str]) -> dict[str, float]:
    """The stored rows, beside the pages that were fetched of these hosts."""
    fetched = {
        f"http://{request['host']}{request['path']}"
        for request in log
        if request["status"] == 200 and request["path"].endswith(".html") and request["host"] in hosts
    }
    with begin_read(make_reader(parse_url(database))) as connection:  # also one of a newer schema
        urls = [_without_port(article.url) for article in articles(connection)]
    return {
        "stored": len(urls),
        "stored twice": len(urls) - len(set(urls)),
        "fetched, not stored": len(fetched - set(urls)),
    }


def _without_port(url: str) -> str:
    scheme, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    return f"{scheme}://{host.partition(':')[0]}/{path}"


def _memory(looks: Sequence[Sequence[tuple[float, float]]]) -> dict[str, float]:
    """Returns the megabytes of the largest process, and its growth after the first third of the run."""
    most, growth = 0.0, 0.0
    for of_one in looks:
        sizes = [size for _, size in of_one]
        if len(sizes) >= 6:
            third = len(sizes) // 3
            growth = max(growth, max(sizes[-third:]) - max(sizes[third : 2 * third]))
            most = max(most, *sizes)
    return {"memory MB": most, "memory growth MB": growth} if most else {}
