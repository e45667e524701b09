"""Runs benchmarks on this tree and on the commit before the second edition, in turns, and prints the ratios.

\b
    python -m benchmarks.before --markdown FILE --section first
    python -m benchmarks.before --only crawl --only ingest --rounds 5 --json figures.json
    python -m benchmarks.before --quick                        # tiny sizes, to see that everything runs

The tree of before is checked out and set up once, which takes some minutes. A figure of it says how fast the machine is
at that time: only the ratio of a pair is compared. About 25 minutes on two cores, which must have nothing else to do.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import click

from benchmarks.support import common
from benchmarks.support.common import Benchmark
from newscrawl.bench.documents import around_section, markdown
from newscrawl.errors import UsageError

BEFORE: Final = "fa7e4883181ef7c4a937eb9539b8cd546b995b55"
ROOT: Final = Path(__file__).resolve().parents[1]
NEWER: Final = (
    "benchmarks/crawl/__main__.py",
    "benchmarks/crawl/measure.py",
    "benchmarks/ingest/__main__.py",
    "newscrawl/testing/services/database_proxy.py",
)
"""Files that the tree of before gets from the commit that added this module: they measure more, or write JSON."""
RUNS_ON_BOTH: Final = "benchmarks/machines/distance.py"
"""The tree of before gets that of this checkout, which measures alike on both."""
CORPORA: Final = ("naeb", "wcxb", "fundus_tests")
SHORT_RUNS: Final = 5
"""Runs of a command that takes about a second, of which a round takes the median."""
DISTANCE_MS: Final = 20
WRITERS: Final = 3

Figures = Mapping[str, float]
"""Name with its unit -> value."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A checkout, and the folder of its commands."""

    name: str
    folder: Path
    commands: Path

    def run(self, *words: object, **environment: object) -> str:
        """Runs a command of the tree in its folder and returns what it prints. Raises UsageError if it fails.

        The environment has no setting of newscrawl. Byte code is written, as users have it.
        """
        left_out = ("NEWSCRAWL_", "PYTHON", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
        path = f"{self.commands}{os.pathsep}{kept.get('PATH', '')}"
        given = {name: str(value) for name, value in environment.items()}
        command, *rest = map(str, words)
        own = self.commands / command
        done = subprocess.run(
            [str(own) if own.exists() else command, *rest],
            cwd=self.folder,
            env={**kept, "PATH": path, **given},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            said = (done.stderr or done.stdout).strip()[-800:]
            raise UsageError(f"{self.name}: {' '.join(map(str, words))} ended with {done.returncode}: {said}")
        return done.stdout


@dataclass(frozen=True, slots=True)
class Task:
    """What the benchmarks need: sizes, where the corpora and tools are, a folder for what they write."""

    quick: bool
    shared: Path
    folder: Path

    def size(self, whole: int, quick: int) -> int:
        return quick if self.quick else whole

    @property
    def corpora(self) -> list[Path]:
        return [self.shared / "corpora" / f"{name}.tar.xz" for name in CORPORA]

    def figures(self, tree: Tree, *words: object) -> Any:
        """Runs a benchmark of the tree that writes JSON."""
        target = self.folder / "figures.json"
        tree.run("python", "-m", *words, "--json", target)
        return json.loads(target.read_text("utf-8"))


def crawl(tree: Tree, task: Task) -> Figures:
    rows = task.figures(tree, "benchmarks.crawl", "--databases-only", "--rounds", 1, "--pages", task.size(2000, 100))
    found: dict[str, float] = {}
    for row in rows:
        name = f"crawl into {row['crawl']}"
        found[f"{name}: pages/s"] = row["pages"] / row["seconds"]
        found[f"{name}: lag p99, ms"] = 1000 * row["lag_p99"]
        found[f"{name}: CPU ms a page, main process"] = 1000 * row["cpu_main"] / row["pages"]
        found[f"{name}: CPU ms a page, all processes"] = 1000 * row["cpu_all"] / row["asked"]
    return found


def ingest(tree: Tree, task: Task) -> Figures:
    words = ["benchmarks.ingest", *task.corpora, "--rounds", 1, "--pages", task.size(2000, 20)]
    return {f"{name}: pages/s": run["pages"] / run["seconds"][0] for name, run in task.figures(tree, *words).items()}


def distance(tree: Tree, task: Task) -> Figures:
    words = ["benchmarks.machines.distance", "--distances", DISTANCE_MS, "--writers", WRITERS]
    found: dict[str, float] = {}
    for row in task.figures(tree, *words, "--seconds", task.size(30, 2)):
        name = f"{WRITERS} writers at {DISTANCE_MS} ms, {row['kind']}"
        found[f"{name}: batches/s"] = row["batches"]
        if row["offered"]:
            found |= {f"{name}: {figure}/s": row[figure] for figure in ("offered", "answers")}
            found[f"{name}: wait of an answer, s"] = row["wait"]
    return found


def page_cost(tree: Tree, task: Task) -> Figures:
    found: dict[str, float] = {}
    for chain in ("classic", "best"):
        words = ["--pages", task.size(600, 10), "--rounds", 1, "--chain", chain]
        said = tree.run("python", task.shared / "tools" / "page_cost.py", *words, *task.corpora)
        times, milliseconds = _numbers(r"([\d.-]+) x the parse: ([\d.-]+) ms a page", said)
        found |= {f"a page, {chain}: x lxml's parse": times, f"a page, {chain}: CPU ms": milliseconds}
    return found


def start(tree: Tree, task: Task) -> Figures:
    tree.run("newscrawl", "--help")  # writes byte code
    runs = [_timed(tree, "newscrawl", "--help") for _ in range(task.size(SHORT_RUNS, 1))]
    wall, cpu = map(median, zip(*runs, strict=True))
    return {"`newscrawl --help`: s": wall, "`newscrawl --help`: CPU s": cpu}


def demo(tree: Tree, task: Task) -> Figures:
    with tempfile.TemporaryDirectory(dir=task.folder) as folder:
        own = {"NEWSCRAWL_DATABASE_URL": f"sqlite:///{folder}/demo.db", "NEWSCRAWL_ARCHIVE_URL": "off"}
        return {"`scrapy crawl demo`: s": _timed(tree, "scrapy", "crawl", "demo", **own)[0]}


def tests(tree: Tree, task: Task) -> Figures:
    return {"`make test`: s": _timed(tree, "make", "quick" if task.quick else "test")[0]}


def mass(tree: Tree, task: Task) -> Figures:
    said = tree.run("python", task.shared / "tools" / "mass.py", tree.folder)
    found: dict[str, float] = {}
    for folder in ("newscrawl", "tests", "benchmarks"):
        modules, lines = _numbers(rf"{folder} +(\d+) modules +(\d+) lines of code", said)
        found |= {f"{folder}/: modules": modules, f"{folder}/: lines of code": lines}
    tables, settings, pages, words = _numbers(r"tables (\d+); settings (\d+); docs (\d+) pages, (\d+) words", said)
    return {**found, "tables": tables, "settings": settings, "docs: pages": pages, "docs: words": words}


BENCHMARKS: Final[Mapping[str, Callable[[Tree, Task], Figures]]] = {
    one.__name__: one for one in (crawl, ingest, distance, page_cost, start, demo, mass, tests)
}
ONLY_IF_NAMED: Final = "tests"
"""It takes ten minutes a run."""
ONCE: Final = "mass"
"""Its figures are the same each time."""


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", "names", multiple=True, type=click.Choice(list(BENCHMARKS)), help="Only these benchmarks.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(min=1), help="Pairs of runs.")
@click.option("--quick", is_flag=True, help="Tiny sizes and one round.")
@click.option(
    "--before",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(tempfile.gettempdir()) / f"newscrawl-{BEFORE[:8]}",
    help="Folder of the tree of before; it is made if it is missing (default: one in the temporary directory).",
)
@common.shared_option
@click.option("--markdown", "target", type=click.Path(path_type=Path), help="Write the table into this document.")
@click.option("--section", default="first", show_default=True, help="Name of the section for --markdown.")
@common.json_option
def main(
    *,
    names: tuple[str, ...],
    rounds: int,
    quick: bool,
    folder: Path,
    shared: Path,
    target: Path | None,
    section: str,
    json_path: Path | None,
) -> None:
    if target is not None:
        around_section(target, section)
    shared = common.require_shared(shared).resolve()
    trees = [check_out(folder.resolve()), own_tree()]
    chosen = names or [name for name in BENCHMARKS if name != ONLY_IF_NAMED]
    with tempfile.TemporaryDirectory(prefix="newscrawl-before-") as scratch:
        found = measured(trees, chosen, Task(quick, shared, Path(scratch)), 1 if quick else rounds)
    if json_path is not None:
        json_path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    common.write_or_print(target, section, table(found), "before")


def own_tree() -> Tree:
    """This checkout, with the interpreter that runs this."""
    return Tree("now", ROOT, Path(sys.executable).parent)


def check_out(folder: Path) -> Tree:
    """Returns the tree of before; checks it out and sets it up if that was not done. Raises UsageError."""
    tree, git = Tree("before", folder, folder / ".venv" / "bin"), ["git", "-C", str(ROOT)]
    if not (folder / ".venv" / ".ready").exists():
        click.echo(f"setting up {BEFORE[:8]} in {folder}, two to five minutes", err=True)
        try:
            if not folder.exists():
                subprocess.run([*git, "worktree", "prune"], check=True)
                subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(folder), BEFORE], check=True)
            log = [*git, "log", "--diff-filter=A", "--format=%H", "--", str(Path(__file__).relative_to(ROOT))]
            added = (subprocess.check_output(log, text=True).split() or [""])[
                -1
            ]  # the index, while nothing is committed
            for name in NEWER:
                (folder / name).write_bytes(subprocess.check_output([*git, "show", f"{added}:{name}"]))
        except (OSError, subprocess.CalledProcessError) as error:
            raise UsageError(f"cannot check out {BEFORE[:8]} in {folder}: {error}") from error
        tree.run("make", ".venv/.ready", f"PYTHON={sys.base_prefix}/bin/python3")
    (folder / RUNS_ON_BOTH).write_bytes((ROOT / RUNS_ON_BOTH).read_bytes())
    return tree


def measured(trees: Sequence[Tree], names: Sequence[str], task: Task, rounds: int) -> dict[str, dict[str, list[float]]]:
    """Runs each benchmark on the trees in turns. Returns the values of each figure, by tree. A benchmark that fails is
    told on standard error and has no figures."""
    found: dict[str, dict[str, list[float]]] = {}
    for name in names:
        for number in range(1 if name == ONCE else rounds):
            for tree in trees:
                began = time.monotonic()
                try:
                    figures = BENCHMARKS[name](tree, task)
                except UsageError as error:
                    click.echo(f"{name}: {error}", err=True)
                    continue
                for figure, value in figures.items():
                    found.setdefault(figure, {one.name: [] for one in trees})[tree.name].append(value)
                told = f"{name}, round {number + 1}, {tree.name}: {time.monotonic() - began:.0f} s"
                click.echo(told, err=True)
    return found


def table(found: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Medians of both trees, and the median of the ratios of the pairs with the least and the greatest."""
    rows = []
    for figure, values in found.items():
        before, now = values["before"], values["now"]
        ratios = [new / old for old, new in zip(before, now, strict=False) if old]
        spread = f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else ""
        rows.append([figure, _middle(before), _middle(now), spread])
    return markdown(["figure", "before", "now", "now / before (range)"], rows)


def _middle(values: Sequence[float]) -> str:
    if not values:
        return ""
    middle = median(values)
    return f"{middle:,.0f}" if middle >= 100 else f"{middle:.3g}"


def _numbers(pattern: str, text: str) -> list[float]:
    """The groups of a pattern in a text, as numbers. Raises UsageError if it is not there."""
    if (match := re.search(pattern, text)) is None:
        raise UsageError(f"no {pattern!r} in {text[-400:]!r}")
    return [float(number) for number in match.groups()]


def _timed(tree: Tree, *words: object, **environment: object) -> tuple[float, float]:
    """Runs a command. Returns its seconds and its CPU seconds, with those of its children that it waited for."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    tree.run(*words, **environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, cpu


if __name__ == "__main__":
    main()
