"""Do the tests catch faults? Puts one small fault at a time into a copy of the code, and runs the tests of its package.

    python -m benchmarks.code_faults draw                    # draws the faults of benchmarks/code_faults.toml
    python -m benchmarks.code_faults run                     # a table of which of them a test catches
    python -m benchmarks.code_faults run --only 3 --only 17

A fault is one changed line: a comparison turned, a bound moved by one, `and` and `or` swapped, a call of commit, wait,
flush and the like dropped. The file has the faults as text, so that a fault can be carried over by hand when its line
moves; `run` refuses a fault whose line is not in its function any more.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final, Literal

import click

from newscrawl.bench.documents import markdown
from newscrawl.compiled import SOURCES

ROOT: Final = Path(__file__).parents[1]
FAULTS: Final = Path(__file__).with_suffix(".toml")
SEED: Final = 40
NUMBER: Final = 40
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
LEAVING: Final = ("storage/frontier/former_keys.py", "scheduling/clock_skew.py", "cli/bench_verdicts.py")
"""Modules of mechanisms that the second edition takes out: their faults could not be carried over."""

Outcome = Literal["caught", "escaped", "cut off"]
"""`cut off`: the tests did not end within their time."""
Kind = Literal["comparison", "bound", "and/or", "dropped call"]
TURNED: Final = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
    "is": "is not", "is not": "is",
}  # fmt: skip
MOVED: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
DROPPED: Final = frozenset({"commit", "wait", "flush", "fsync", "join", "close", "release", "rollback", "sync"})


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


def drawn(seed: int, number: int) -> list[Fault]:
    """Returns faults drawn by a seed: as many of each package, and a kind before one of its places."""
    random, faults = Random(seed), list[Fault]()
    places = {package: list(_places(package)) for package in PACKAGES}
    while len(faults) < number:
        package = list(PACKAGES)[len(faults) % len(PACKAGES)]
        found = places[package]
        kind = random.choice(sorted({fault.kind for fault in found}))
        fault = random.choice([fault for fault in found if fault.kind == kind])
        found[:] = [other for other in found if (other.file, other.function) != (fault.file, fault.function)]
        faults.append(Fault(len(faults) + 1, *list(asdict(fault).values())[1:]))
    return faults


def _places(package: str) -> Iterator[Fault]:
    """Yields every possible fault of a package, in the order of its files and lines."""
    compiled = {path for paths in SOURCES.values() for path in paths}
    for path in sorted((ROOT / "newscrawl" / package).rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        if file in compiled or file.removeprefix("newscrawl/") in LEAVING:
            continue
        for name, kind, line, replacement in changes_of(path.read_text("utf-8")):
            yield Fault(0, package, file, name, kind, line, replacement)


def changes_of(source: str) -> Iterator[tuple[str, Kind, str, str]]:
    """Yields every possible fault of a module: function, kind, line and its replacement. Left out are lines that are
    twice in their function."""
    lines = source.splitlines()
    for name, function in _functions(ast.parse(source)):
        own = lines[function.lineno - 1 : function.end_lineno]
        for kind, number, start, end, new in _changes(function, lines):
            line = lines[number]
            changed = line.encode()[:start] + new.encode() + line.encode()[end:]
            if own.count(line) == 1:
                yield name, kind, line, changed.decode()


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{prefix}{node.name}", node


def _changes(function: ast.AST, lines: Sequence[str]) -> Iterator[tuple[Kind, int, int, int, str]]:
    """Yields kind, index of the line, first and last byte in it, and what replaces them."""
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            if (place := _between(node.left, node.comparators[0], lines)) is not None:
                number, start, end, operator = place
                if operator in TURNED:
                    yield "comparison", number, start, end, TURNED[operator]
                if operator in MOVED:
                    yield "bound", number, start, end, MOVED[operator]
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                if (place := _between(left, right, lines)) is not None and place[3] in {"and", "or"}:
                    number, start, end, operator = place
                    yield "and/or", number, start, end, "or" if operator == "and" else "and"
        elif isinstance(node, ast.Slice):
            for bound in (node.lower, node.upper):
                if isinstance(bound, ast.Constant) and isinstance(bound.value, int):
                    yield "bound", bound.lineno - 1, bound.col_offset, bound.end_col_offset or 0, str(bound.value + 1)
        elif isinstance(node, ast.Expr) and node.lineno == node.end_lineno:
            call = node.value.value if isinstance(node.value, ast.Await) else node.value
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in DROPPED:
                yield "dropped call", node.lineno - 1, node.col_offset, node.end_col_offset or 0, "pass"


def _between(left: ast.expr, right: ast.expr, lines: Sequence[str]) -> tuple[int, int, int, str] | None:
    """Returns where the operator of two operands is and what it is; None if they are not on one line."""
    if left.end_lineno != right.lineno or left.end_col_offset is None:
        return None
    number = right.lineno - 1
    text = lines[number].encode()[left.end_col_offset : right.col_offset].decode()
    operator = text.strip(" ()")
    start = left.end_col_offset + text.index(operator)
    return number, start, start + len(operator), operator


def read() -> list[Fault]:
    """Returns the stored faults."""
    return [Fault(**fault) for fault in tomllib.loads(FAULTS.read_text("utf-8"))["fault"]]


def _write(faults: Sequence[Fault], seed: int) -> None:
    text = [
        f"# Drawn by `python -m benchmarks.code_faults draw --seed {seed}`; lines that move are carried over by hand."
    ]
    for fault in faults:
        values = (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in asdict(fault).items())
        text += ["", "[[fault]]", *values]
    FAULTS.write_text("\n".join(text) + "\n", "utf-8")


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


@click.group()
def main() -> None:
    """Put small faults into a copy of the code, and see whether tests catch them."""


@main.command()
@click.option("--seed", default=SEED, show_default=True)
@click.option("--number", default=NUMBER, show_default=True)
def draw(seed: int, number: int) -> None:
    """Draw faults and store them."""
    _write(drawn(seed, number), seed)
    click.echo(f"{number} faults in {FAULTS.relative_to(ROOT)}")


@main.command()
@click.option("--only", multiple=True, type=int, help="The number of a fault; may be given several times.")
@click.option("--limit", default=LIMIT, show_default=True, help="Seconds for the tests of one fault.")
def run(only: Sequence[int], limit: float) -> None:
    """Test the stored faults one after the other, and print a table."""
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
