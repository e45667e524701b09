"""Names are terms of the field: the former words of newscrawl are not used again."""

from __future__ import annotations

import re
from pathlib import Path

from all_tables import metadata

ROOT = Path(__file__).parents[1]
RETIRED = frozenset(
    "aside landing turnstile turnstiles nursery crew keeper archivist clerk ledger spending starving prospect"
    " opinions packing unsigned quarantine quarantined shelf stars told believed anew".split()
)
"""Words of names before November 2026; docs/reference/glossary.md and the packages' docstrings have those of today."""
RETIRED_IN_CODES = RETIRED | frozenset("hold held lies fruitless told spent asked believed".split())
"""The same of codes and counters, where a word stands without a sentence around it."""
RETIRED_IN_TABLES = RETIRED_IN_CODES - {"asked"} | frozenset("memory tell touched fronts ties blocked".split())
"""The same of tables, columns and indexes."""
REVIEW = "held_for_review"
"""What a page is that waits for review: the one name in which `held` is a term of the field."""
DEFINED = re.compile(r"^ *(?:class|def|async def) (\w+)", re.MULTILINE)
ASSIGNED = re.compile(r"^(\w+)(?: =|:\s)", re.MULTILINE)
"""Outside of functions and classes. Expressions read a module in a twentieth of the time that its syntax tree takes."""
CODE = re.compile(r"""(?<=["'}])[a-z]+/[a-z0-9_]+(?=["'{])""")
"""A slash-name that is a whole text, or a whole part of one with braces: codes of events and failures, and counters."""


def words(name: str) -> set[str]:
    """The words of a name in either spelling: WorkerPool, worker_pool."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def defined(path: Path) -> set[str]:
    """The names of a module, its classes and its functions."""
    return {path.stem, path.parent.name, *DEFINED.findall(path.read_text(encoding="utf-8"))}


def test_no_name_has_a_retired_word() -> None:
    modules = [
        path for room in ("newscrawl", "pipelines", "settings", "spiders") for path in (ROOT / room).rglob("*.py")
    ]
    modules = [path for path in modules if not (path.parent.name == "versions" and path.stem.startswith("r00"))]
    assert len(modules) > 300
    found = {f"{path.relative_to(ROOT)}: {name}" for path in modules for name in defined(path) if words(name) & RETIRED}
    assert sorted(found) == []


def test_limits_are_named_min_and_max() -> None:
    modules = [path for room in ("newscrawl", "benchmarks", "tests") for path in (ROOT / room).rglob("*.py")]
    names = [(path, name) for path in modules for name in ASSIGNED.findall(path.read_text(encoding="utf-8"))]
    assert len(names) > 2_000
    assert [(path, name) for path, name in names if re.match(r"_?(LEAST|MOST)(_|$)", name)] == []


def test_no_stored_name_has_a_retired_word() -> None:
    tables = metadata.tables.values()
    names = {column.name for table in tables for column in table.columns} | set(metadata.tables)
    names |= {str(index.name) for table in tables for index in table.indexes}
    assert len(names) > 200
    assert sorted(name for name in names if words(name) & RETIRED_IN_TABLES) == []


def test_no_code_or_counter_has_a_retired_word() -> None:
    codes = {
        code
        for path in (ROOT / "newscrawl").rglob("*.py")
        if "versions" not in path.parts
        for code in CODE.findall(path.read_text(encoding="utf-8"))
    }
    assert {"stored/dead_letter", f"stored/{REVIEW}", "review/queued", "http/404"} <= codes
    assert sorted(code for code in codes if words(code.replace(REVIEW, "")) & RETIRED_IN_CODES) == []


def test_words_are_found_in_either_spelling() -> None:
    assert words("_WorkerPool") == words("worker_pool") == {"worker", "pool"}
    assert words("HTTPAnswer") == {"http", "answer"}
