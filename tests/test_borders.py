"""Only storage and reports use the database: other packages name its functions and pass its connections on.

What newscrawl.storage.reader promises and types cannot say alone. Types do the rest: mypy compares the arguments of
every call of `run` with the parameters of the function that runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STORAGE, REPORTS = "newscrawl.storage", "newscrawl.reports"
DRIVERS = frozenset({"sqlalchemy", "alembic", "psycopg", "sqlite3"})
INDEXES = {ROOT / "newscrawl/publishing/search/postgresql.py", ROOT / "newscrawl/publishing/search/sqlite.py"}
"""Full-text indexes: tables, connections, transactions of their own, behind newscrawl.publishing.search.index.Index."""
CONNECTION, READER = f"{STORAGE}.reader.Connection", f"{STORAGE}.reader.Reader"
OPENERS = frozenset({"reading", "_reading", "open_reader", "project_reader", "reader_of"})
"""What opens a view of the database."""
RUNNERS = {"stored": frozenset({"self", "spider"}), "run": frozenset({"store", "_store", "database", "_database"})}
"""Methods that run a transaction, with the names of the objects that have them."""
CONCERNED = re.compile(f"[Cc]onnection|Reader|{'|'.join(sorted(DRIVERS | OPENERS | RUNNERS.keys()))}")
"""A module without any of these words can break no rule here, and is not read further."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*rooms: str) -> list[Path]:
    """The modules of the rooms, but for worlds for tests and benchmarks."""
    found = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    return [path for path in found if not path.is_relative_to(ROOT / "newscrawl/testing")]


INSIDE = modules("newscrawl/storage", "newscrawl/reports")
OUTSIDE = sorted(set(modules("newscrawl", "pipelines", "settings", "spiders")) - set(INSIDE) - INDEXES)


class Module:
    """A module's tree with what its names stand for."""

    def __init__(self, source: str) -> None:
        self.nodes = list(ast.walk(ast.parse(source)))
        self.origins: dict[str, str] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        for node in self.nodes:
            self.parents.update(dict.fromkeys(ast.iter_child_nodes(node), node))
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                self.origins |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                self.origins |= {alias.asname or alias.name: alias.name for alias in node.names}

    def origin(self, node: ast.expr) -> str:
        """The imported name that an expression stands for; "" for anything else."""
        first, _, rest = ast.unparse(node).partition(".")
        return ".".join(filter(None, (self.origins.get(first, ""), rest))) if first in self.origins else ""

    def functions(self) -> Iterator[Function]:
        """All functions, however deep."""
        yield from (node for node in self.nodes if isinstance(node, Function))

    def around(self, node: ast.AST) -> Iterator[Function]:
        """The functions around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, Function):
                yield node


def parameters(function: Function) -> list[ast.arg]:
    """The parameters of every kind."""
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]


def annotation(parameter: ast.arg) -> str:
    """The type of a parameter as it is written."""
    return ast.unparse(parameter.annotation) if parameter.annotation is not None else ""


def untyped(module: Module) -> Iterator[str]:
    """Connections of which mypy knows nothing."""
    for node in module.nodes:
        if isinstance(node, ast.arg) and node.arg == "connection" and annotation(node) in {"", "Any", "object"}:
            if not isinstance(module.parents[module.parents[node]], ast.Lambda):  # its type is told by where it goes
                yield "connection without a type"
        elif isinstance(node, ast.Assign | ast.Subscript):
            written = ast.unparse(node)
            if written.endswith("Connection = Any") or written.startswith("Concatenate[Any"):
                yield written


def drivers(module: Module) -> Iterator[str]:
    """Imports of what speaks SQL."""
    yield from (name for name in module.origins.values() if name.partition(".")[0] in DRIVERS)


def views(module: Module) -> Iterator[tuple[str, ast.AST]]:
    """The names that hold a connection, each with the block in which they do."""
    for node in module.nodes:
        if isinstance(node, ast.With):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and name_of(call.func) in OPENERS and item.optional_vars is not None:
                    yield ast.unparse(item.optional_vars), node
        elif isinstance(node, Function):
            of_storage = (one for one in parameters(node) if module.origins.get(annotation(one)) == CONNECTION)
            yield from ((one.arg, node) for one in of_storage)


def name_of(node: ast.expr) -> str:
    """The last part of a name with dots."""
    return ast.unparse(node).rpartition(".")[2]


def opened(module: Module) -> Iterator[str]:
    """Uses of a connection other than as an argument of a call."""
    for name, block in views(module):
        for node in ast.walk(block):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                parent = module.parents[node]
                if not (isinstance(parent, ast.Call) and node in parent.args):
                    yield ast.unparse(parent)


def runs(module: Module) -> Iterator[ast.Call]:
    """The calls that run a transaction."""
    calls = (node for node in module.nodes if isinstance(node, ast.Call) and node.args)
    for call in calls:
        if isinstance(call.func, ast.Attribute) and name_of(call.func.value) in RUNNERS.get(call.func.attr, ()):
            yield call


def foreign(module: Module) -> Iterator[str]:
    """Transactions that are no function of storage. A function may pass on one that it was given with its type."""
    for call in runs(module):
        transaction = call.args[0]
        given = {one.arg: annotation(one) for function in module.around(call) for one in parameters(function)}
        passed_on = given.get(ast.unparse(transaction), "").startswith("Callable[Concatenate[Connection, P]")
        if not (passed_on or module.origin(transaction).startswith((f"{STORAGE}.", f"{REPORTS}."))):
            yield ast.unparse(call)


def openers(module: Module) -> Iterator[str]:
    """Functions and parameters that give a view of the database by another name than the checks above know."""
    if READER not in module.origins.values():
        return
    for function in module.functions():
        names = {function.name: ast.unparse(function.returns) if function.returns else ""}
        names |= {one.arg: annotation(one) for one in parameters(function)}
        for name, kind in names.items():
            if kind in {"Reader", "OpenReader", "Callable[[], Reader]"} and name not in OPENERS:
                yield f"{function.name}: {name}"


CHECKS = {check.__name__: check for check in (untyped, drivers, opened, foreign, openers)}


def broken(module: Module) -> Mapping[str, list[str]]:
    """What each check says against a module."""
    return {name: found for name, check in CHECKS.items() if (found := list(check(module)))}


@pytest.fixture(scope="module")
def outside() -> Mapping[Path, Module]:
    """The modules outside of storage that are concerned, read once."""
    sources = {path: path.read_text(encoding="utf-8") for path in OUTSIDE}
    return {path: Module(source) for path, source in sources.items() if CONCERNED.search(source)}


def test_modules_and_what_they_pass_on_are_seen(outside: Mapping[Path, Module]) -> None:
    assert {"cli", "crawling", "pipelines", "web"} <= {part for path in OUTSIDE for part in path.parts}
    assert {path.name for path in (ROOT / "newscrawl/storage").glob("*.py")} < {path.name for path in INSIDE}
    assert sum(len(list(views(module))) for module in outside.values()) > 30
    assert sum(len(list(runs(module))) for module in outside.values()) > 60


def test_storage_knows_the_type_of_every_connection() -> None:
    found = {path: list(untyped(Module(path.read_text(encoding="utf-8")))) for path in INSIDE}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_nothing_outside_storage_looks_into_a_database(outside: Mapping[Path, Module]) -> None:
    found = {str(path.relative_to(ROOT)): broken(module) for path, module in outside.items()}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("check", "source"),
    [
        ("untyped", "def begin(connection: Any, site: str) -> None: ..."),
        ("untyped", "def begin(connection): ..."),
        ("untyped", "Connection = Any"),
        ("untyped", "def stored(self, operation: Callable[Concatenate[Any, P], T]) -> T: ..."),
        ("drivers", "from sqlalchemy import select"),
        ("drivers", "def look() -> None:\n    import sqlite3"),
        ("opened", "with store.reading() as connection:\n    connection.execute('SELECT 1')"),
        ("opened", "def look():\n    with open_reader(url) as view:\n        return view"),
        ("opened", f"from {STORAGE}.reader import Connection\ndef look(c: Connection) -> None:\n    c.commit()"),
        ("opened", "with store.reading() as connection:\n    self.connection = connection"),
        ("foreign", "store.run(lambda connection: connection.execute('SELECT 1'))"),
        ("foreign", "self._store.run(begin, site)"),
        ("foreign", "from newscrawl.crawling.fleet import crawl\nself.shared.store.run(crawl.begin, site)"),
        ("foreign", "def stored(self, transaction: Any) -> None:\n    self.store.run(transaction)"),
        ("foreign", "await spider.stored(_named, spider.name)"),
        ("openers", f"from {STORAGE}.reader import Reader\ndef database() -> Reader: ..."),
        ("openers", f"from {STORAGE}.reader import Reader\ndef look(made: Callable[[], Reader]) -> None: ..."),
    ],
)
def test_a_module_that_looks_into_a_database_is_found(check: str, source: str) -> None:
    assert check in broken(Module(source))


@pytest.mark.parametrize(
    "source",
    [
        "with store.reading() as connection:\n    rows = sites.due(connection, now)",
        f"from {STORAGE}.frontier import sites\nself.shared.store.run(sites.note_start, site, now)",
        f"from {STORAGE}.probe import probe\nstore.run(probe)",
        "def stored(self, one: Callable[Concatenate[Connection, P], T], *a: P.args) -> T:\n    self.store.run(one, *a)",
        "work.run()",
        "step.run(page)",
    ],
)
def test_what_passes_a_connection_on_is_left_alone(source: str) -> None:
    assert broken(Module(source)) == {}
