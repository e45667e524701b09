"""Commands with a database error or a kill at every statement, and a full disk at every write, on SQLite or PostgreSQL.
The results show what is lost, stored twice or unreadable.

    python -m benchmarks.faults                                  # all of it: hours on two cores
    python -m benchmarks.faults --every 10 --commands crawl,feed --kinds io,enospc --lengths once
    python -m benchmarks.faults --postgresql --commands crawl --kinds lost,unanswered

Each trial runs one command on a copy of the same state with a fault at its k-th statement (or write), once or from
there on, then runs the same command without one, and compares the end with that of an undisturbed run. Pauses between
the product's attempts are shortened. Exits with 1 when anything was lost, doubled or shown as a traceback.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.faults.commands import COMMANDS, Command, Ended, World, difference
from benchmarks.faults.inject import ALWAYS, DISK, KILL, KINDS, LINK, UNANSWERED, Fault
from benchmarks.faults.runner import Done, disk_library, run
from newscrawl.testing.services import postgresql

LENGTHS: Final = ("once", "lasting")
CODES: Final = frozenset({0, 2, 75})
"""Exit codes that a fault may end a command with (newscrawl/errors.py)."""
SHOWN: Final = CODES | {-signal.SIGKILL}
REPEATS: Final = 4
"""Runs without a fault that a command gets to make good what one with a fault left: a lease has to end first, say."""
MAX_CHARACTERS: Final = 900
"""Characters of a problem that are shown."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One fault in one command."""

    command: Command
    fault: Fault

    def __str__(self) -> str:
        length = "once" if self.fault.last == self.fault.first else "lasting"
        return f"{self.command.name} {self.fault.kind} {length} k={self.fault.first}"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a trial: its problems by kind, and how the command with the fault ended."""

    trial: Trial
    code: int
    problems: dict[str, list[str]]
    again: int = 0
    """Changes that the sink was given more than once, which it is told to expect."""


@dataclass
class Sums:
    """The results of one command, kind and length."""

    tried: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    again: int = 0
    problems: Counter[str] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        """Adds one result."""
        self.tried += 1
        self.codes[result.code] += 1
        self.again += result.again
        self.problems.update(result.problems.keys())


COLUMNS: Final = ("lost", "doubled", "traceback", "exit code", "no line", "hung", "silent")


class Sweep:
    """Runs trials, several at once."""

    def __init__(self, world: World, folder: Path, jobs: int, library: Path | None) -> None:
        self._world = world
        self._folder = folder
        self._library = library
        self.jobs = jobs
        self._reference: dict[str, Ended] = {}
        self.counts: dict[str, Done] = {}

    def prepare(self, commands: Sequence[Command]) -> None:
        """Makes the initial states, and runs each command once without a fault."""
        seeds = {one.seed for one in commands} | {one.needs for one in commands}
        self._world.prepare(lambda words, folder: self._run(words, folder, Fault()), seeds)
        for command in commands:
            folder = self._folder / f"reference-{command.name}"
            self._world.begin(folder, command.seed)
            done = self._run(command.words(self._world, folder), folder, Fault())
            if done.code != 0:
                raise click.ClickException(f"{command.name} without a fault ends with {done.code}: {done.said}")
            self.counts[command.name] = done
            self._reference[command.name] = command.end(self._world, folder)

    def trials(self, commands: Sequence[Command], kinds: Sequence[str], lengths: Sequence[str]) -> Iterator[Trial]:
        """Runs all trials in the order of k."""
        for command in commands:
            for kind in kinds:
                for k in range(1, number(self.counts[command.name], kind) + 1):
                    for length in ("once",) if kind == KILL else lengths:
                        yield Trial(command, Fault(kind, k, k if length == "once" else ALWAYS))

    def play(self, trial: Trial) -> Result:
        """Runs one trial in a folder of its own, which is kept if there is a problem."""
        folder = self._folder / str(trial).replace(" ", "-")
        self._world.begin(folder, trial.command.seed)
        words = trial.command.words(self._world, folder)
        first = self._run(words, folder, trial.fault)
        problems = _judge(first, trial.fault.kind)
        reference = self._reference[trial.command.name]
        end = trial.command.end(self._world, folder)
        if first.code == 0 and (missing := difference(reference, end)) and "WARNING" not in first.said:
            problems.setdefault("silent", [str(missing)])
        for _ in range(REPEATS):
            then = self._run(words, folder, Fault())
            end = trial.command.end(self._world, folder)
            if then.code == 0 and not difference(reference, end):
                break
        for kind, found in _judge(then).items():
            problems.setdefault(kind, []).extend(f"afterwards: {line}" for line in found)
        if then.code != 0:
            problems.setdefault("exit code", []).append(f"afterwards: {then.code}: {then.said[-300:]}")
        for kind, found in difference(reference, end).items():
            problems.setdefault(kind, []).extend(found)
        if not problems:
            self._world.end(folder)
        return Result(trial, first.code, problems, end.again)

    def _run(self, words: Sequence[str], folder: Path, fault: Fault) -> Done:
        settings = self._world.environment | self._world.of(folder)
        return run(words, folder, settings, fault, self._library)


def number(done: Done, kind: str) -> int:
    """Returns how many places a command has for a fault of this kind."""
    return done.writes if kind in DISK else done.commits if kind == UNANSWERED else done.statements


def _judge(done: Done, kind: str = "none", temporary: Collection[str] = ("locked", *LINK)) -> dict[str, list[str]]:
    """Returns what is wrong with the end of a command under a fault of this kind. Exit code 2 is wrong for those that
    are `temporary`."""
    problems: dict[str, list[str]] = {}
    if kind == KILL and done.code == -signal.SIGKILL:
        return problems
    if done.is_hung:
        return {"hung": [done.said[-300:]]}
    if "Traceback (most recent call last)" in done.said:
        problems["traceback"] = [done.said.split("Traceback (most recent call last)")[1][-600:]]
    if done.code not in (CODES - {2} if kind in temporary else CODES):
        problems["exit code"] = [f"{done.code}: {done.said[-300:]}"]
    elif done.code and not any(line.startswith("newscrawl: ") for line in done.said.splitlines()):
        problems["no line"] = [done.said[-300:]]
    return problems


def report(sums: dict[tuple[str, str, str], Sums], counts: dict[str, Done]) -> Table:
    """Prints the table of all sums."""
    table = Table(
        "command",
        "fault",
        "length",
        "of k",
        "tried",
        *(f"exit {code}" for code in sorted(SHOWN)),
        "given again",
        *COLUMNS,
    )
    for (name, kind, length), one in sums.items():
        codes = (one.codes[code] for code in sorted(SHOWN))
        figures = (
            number(counts[name], kind),
            one.tried,
            *codes,
            one.again,
            *(one.problems[column] for column in COLUMNS),
        )
        table.add_row(name, kind, length, *(f"{figure:,}" for figure in figures))
    return table


def _names(_context: object, parameter: click.Parameter, value: str) -> list[str]:
    known = {"commands": tuple(COMMANDS), "kinds": KINDS, "lengths": LENGTHS}[parameter.name or ""]
    names = value.split(",") if value else list(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.BadParameter(f"{', '.join(unknown)}: choose one of {', '.join(known)}")
    return names


def _span(_context: object, _parameter: click.Parameter, value: str) -> tuple[int, int]:
    first, _, last = value.partition("-")
    try:
        return int(first or 1), int(last or ALWAYS)
    except ValueError as error:
        raise click.BadParameter("write FROM-TO") from error


@click.command()
@click.option("--every", default=1, show_default=True, help="Only every N-th statement or write.")
@click.option("--statements", default="1-", callback=_span, help="Only k from FROM to TO.", metavar="FROM-TO")
@click.option("--kinds", default="", callback=_names, help=f"Of {', '.join(KINDS)}.", metavar="KIND,...")
@click.option("--commands", default="", callback=_names, help=f"Of {', '.join(COMMANDS)}.", metavar="NAME,...")
@click.option("--lengths", default="", callback=_names, help=f"Of {', '.join(LENGTHS)}.", metavar="LENGTH,...")
@click.option("--postgresql", "on_postgresql", is_flag=True, help="PostgreSQL instead of SQLite.")
@click.option("--articles", default=12, show_default=True, help="Articles of the site.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Number of parallel trials.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the files of trials with problems in this folder.")
def main(
    every: int,
    statements: tuple[int, int],
    kinds: list[str],
    commands: list[str],
    lengths: list[str],
    on_postgresql: bool,
    articles: int,
    jobs: int,
    keep: Path | None,
) -> None:
    """Faults at every statement and write, and what they cost.

    Example: python -m benchmarks.faults --every 5 --commands crawl --kinds io
    """
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 190)
    with tempfile.TemporaryDirectory(prefix="newscrawl-faults-") as temporary, contextlib.ExitStack() as stack:
        folder = Path(keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        library = disk_library(folder)
        if library is None:
            console.print("no C compiler: failures of writes are not tested")
            kinds = [kind for kind in kinds if kind not in DISK]
        if not on_postgresql:
            kinds = [kind for kind in kinds if kind not in LINK]
        server = stack.enter_context(postgresql.server(durable=False)) if on_postgresql else ""
        with World.served(folder, articles, server) as world:
            trials = Sweep(world, folder, jobs, library)
            sums, results = _play(trials, [COMMANDS[name] for name in commands], kinds, lengths, every, statements)
    bad = [result for result in results if result.problems]
    console.print(report(sums, trials.counts))
    sys.exit(bool(bad))


def _play(
    trials: Sweep, commands: list[Command], kinds: list[str], lengths: list[str], every: int, span: tuple[int, int]
) -> tuple[dict[tuple[str, str, str], Sums], list[Result]]:
    trials.prepare(commands)
    chosen = [one for one in trials.trials(commands, kinds, lengths) if span[0] <= one.fault.first <= span[1]]
    chosen = [one for one in chosen if not (one.fault.first - span[0]) % every]
    sums: dict[tuple[str, str, str], Sums] = {}
    results = []
    console = Console(stderr=True)
    with ThreadPoolExecutor(trials.jobs) as threads:
        waiting = [threads.submit(trials.play, trial) for trial in chosen]
        for done in track(as_completed(waiting), "faults", len(chosen), console=console):
            result = done.result()
            length = "once" if result.trial.fault.last == result.trial.fault.first else "lasting"
            sums.setdefault((result.trial.command.name, result.trial.fault.kind, length), Sums()).add(result)
            results.append(result)
            for kind, lines in result.problems.items():
                print(f"{result.trial}: {kind}: {'; '.join(lines)[:MAX_CHARACTERS]}", flush=True)
    return sums, results


if __name__ == "__main__":
    main()
