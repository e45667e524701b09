"""Names are the field's terms: words that newscrawl once had of its own do not come back."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
RETIRED = frozenset(
    "aside landing turnstile turnstiles nursery crew keeper archivist clerk ledger spending starving prospect"
    " opinions packing unsigned".split()
)
"""Words of names before November 2026; docs/design.md and the packages' docstrings have those of today."""


def words(name: str) -> set[str]:
    """The words of a name in either spelling: WorkerPool, worker_pool."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def defined(path: Path) -> set[str]:
    """The names of a module, its classes and its functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {path.stem, path.parent.name} | {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def test_no_name_has_a_retired_word() -> None:
    modules = [
        path for room in ("newscrawl", "pipelines", "settings", "spiders") for path in (ROOT / room).rglob("*.py")
    ]
    assert len(modules) > 300
    found = {f"{path.relative_to(ROOT)}: {name}" for path in modules for name in defined(path) if words(name) & RETIRED}
    assert sorted(found) == []


def test_words_are_found_in_either_spelling() -> None:
    assert words("_WorkerPool") == words("worker_pool") == {"worker", "pool"}
    assert words("HTTPAnswer") == {"http", "answer"}
