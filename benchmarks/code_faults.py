"""Do the tests catch faults? Puts one small fault at a time into a copy of the code, and runs the tests of its package.

    python -m benchmarks.code_faults                     # a table of which of the 40 faults a test catches
    python -m benchmarks.code_faults --only 3 --only 17

A fault is one changed line: a comparison turned, a bound moved by one, `and` and `or` swapped, a call of commit, wait,
flush and the like dropped. The faults were drawn by a seed (`draw` of this module in commit 540dd7d8) and stand in
code_faults.toml as text, so that a fault can be carried over by hand when its line moves. A fault whose line is not in
its function any more is refused.
"""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import click

from newscrawl.bench.documents import markdown

ROOT: Final = Path(__file__).parents[1]
FAULTS: Final = Path(__file__).with_suffix(".toml")
LIMIT: Final = 120.0
"""Seconds for the tests of one fault."""

PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "article": ("tests/golden/test_pages.py", "tests/article"),
    "extraction": ("tests/golden/test_pages.py", "tests/extraction"),
    "metadata": ("tests/golden/test_pages.py", "tests/metadata"),
    "discovery": ("tests/discovery",),
    "scheduling": ("tests/scheduling", "tests/crawling/downloader"),
    "storage/articles": ("tests/storage/articles", "tests/storage/duplicates"),
    "storage/duplicates": ("tests/storage/duplicates",),
    "storage/frontier": ("tests/storage/frontier", "tests/spiders"),
    "archive": ("tests/archive",),
    "feed": ("tests/feed",),
    "search": ("tests/search",),
    "cli": ("tests/cli",),
    "web": ("tests/web",),
}
"""The packages whose functions faults are drawn from, and their tests."""
OF_RUN: Final = "tests/golden/test_recorded_run.py"
"""The outputs of a run into a database, for packages that the golden pages do not reach."""

Outcome = Literal["caught", "escaped", "cut off"]
"""`cut off`: the tests did not end within their time."""
Kind = Literal["comparison", "bound", "and/or", "dropped call"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One changed line of one function."""

    number: int
    package: str
    file: str
    function: str
    kind: Kind
    line: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Result:
    """What the tests said to a fault; `test` is the one that failed."""

    fault: Fault
    outcome: Outcome
    test: str
    seconds: float


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{prefix}{node.name}", node


def read() -> list[Fault]:
    """Returns the stored faults."""
    return [Fault(**fault) for fault in tomllib.loads(FAULTS.read_text("utf-8"))["fault"]]


def _copy(folder: Path) -> None:
    """Copies the tracked files and the compiled core."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    built = [path.relative_to(ROOT).as_posix() for path in (ROOT / "newscrawl").rglob("*.so")]
    for name in [*tracked.splitlines(), *built]:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def with_fault(source: str, fault: Fault) -> str:
    """Returns a module's source with the fault. Raises click.ClickException if its line is not there."""
    lines = source.splitlines(keepends=True)
    for name, function in _functions(ast.parse(source)):
        own = range(function.lineno - 1, function.end_lineno or 0)
        if name == fault.function and len(at := [n for n in own if lines[n].rstrip("\n") == fault.line]) == 1:
            lines[at[0]] = fault.replacement + "\n"
            return "".join(lines)
    raise click.ClickException(f"fault {fault.number}: {fault.function} of {fault.file} has no line {fault.line!r}")


def _tests_of(fault: Fault) -> list[str]:
    """Returns the golden pages if its package has them, then the tests with the name of the fault's folder or module,
    then all of its package, then the recorded run."""
    golden = [test for test in PACKAGES[fault.package] if test.startswith("tests/golden/")]
    own = [test for test in PACKAGES[fault.package] if test not in golden]
    module = Path("tests") / Path(fault.file).relative_to("newscrawl")
    names = [module.with_name(f"test_{module.name}"), module.parent]
    near = [name.as_posix() for name in names if (ROOT / name).exists()]
    if not golden and (ROOT / OF_RUN).exists():
        own.append(OF_RUN)
    return list(dict.fromkeys([*golden, *near, *own]))


def _tested(folder: Path, fault: Fault, limit: float) -> Result:
    """Runs the tests of a fault in the copy, where the fault is put in and taken out again."""
    file = folder / fault.file
    whole = file.read_text("utf-8")
    file.write_text(with_fault(whole, fault), "utf-8")
    began = time.monotonic()
    try:
        outcome, test = _pytest(folder, _tests_of(fault), limit)
    finally:
        file.write_text(whole, "utf-8")
    return Result(fault, outcome, test, time.monotonic() - began)


def _pytest(folder: Path, tests: Sequence[str], limit: float) -> tuple[Outcome, str]:
    """Returns how the tests ended, and the first that failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-rf", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with (folder / "out.txt").open("w+") as out:
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code = child.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGTERM)
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
            return "cut off", ""
        out.seek(0)
        failed = [
            line.partition(" ")[2].partition(" - ")[0].strip() for line in out if line.startswith(("FAILED ", "ERROR "))
        ]
    if code == 0:
        return "escaped", ""
    if not failed:
        raise click.ClickException(f"pytest ended with {code} and names no test: {' '.join(tests)}")
    return "caught", failed[0]


@click.command()
@click.option("--only", multiple=True, type=int, help="The number of a fault; may be given several times.")
@click.option("--limit", default=LIMIT, show_default=True, help="Seconds for the tests of one fault.")
def main(only: Sequence[int], limit: float) -> None:
    """Put the stored faults into a copy of the code, one after the other, and print which of them a test catches."""
    with tempfile.TemporaryDirectory(prefix="code-faults-") as place:
        folder = Path(place)
        _copy(folder)
        chosen = [fault for fault in read() if not only or fault.number in only]
        for fault in chosen:
            with_fault((folder / fault.file).read_text("utf-8"), fault)  # before the first is tested
        results = []
        for fault in chosen:
            results.append(result := _tested(folder, fault, limit))
            click.echo(f"{fault.number} {fault.file} {result.outcome} {result.seconds:.0f} s {result.test}", err=True)
    rows = [
        [
            str(result.fault.number),
            f"`{result.fault.file.removeprefix('newscrawl/')}`",
            f"`{result.fault.function}`",
            result.fault.kind,
            result.outcome,
            f"`{result.test}`" if result.test else "",
            f"{result.seconds:.0f} s",
        ]
        for result in results
    ]
    click.echo(markdown(["", "file", "function", "fault", "outcome", "first test", "time"], rows))


if __name__ == "__main__":
    main()
