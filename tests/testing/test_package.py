"""Only tests of benchmarks import benchmarks, and a missing package of the extra `testing` is named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from newscrawl.errors import UsageError
from newscrawl.testing.services import local

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
NAMES_STARTERS = TESTS / "support" / "processes.py"
"""Lists functions of benchmarks by name."""


def benchmarks_named_in(path: Path) -> Iterator[str]:
    """Imports of benchmarks, and texts that are the name of one of their modules."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if "benchmarks" in source else ():
        match node:
            case ast.ImportFrom(module=str(module)):
                names = [module]
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.Constant(value=str(text)) if re.fullmatch(r"benchmarks(\.\w+)+", text):
                names = [text]
            case _:
                names = []
        if any(name.partition(".")[0] == "benchmarks" for name in names):
            yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_only_tests_of_benchmarks_import_or_start_them() -> None:
    elsewhere = [
        path for path in TESTS.rglob("*.py") if TESTS / "benchmarks" not in path.parents and path != NAMES_STARTERS
    ]
    assert len(elsewhere) > 100
    assert [place for path in elsewhere for place in benchmarks_named_in(path)] == []


def test_no_module_of_newscrawl_imports_benchmarks() -> None:
    modules = [*(ROOT / "newscrawl").rglob("*.py")]
    assert [place for path in modules for place in benchmarks_named_in(path)] == []


def test_a_missing_package_is_named_with_the_extra_that_brings_it() -> None:
    with pytest.raises(UsageError) as missing:
        local.required("no_such_package.inner", "a local thing")
    run = "run `pip install '.[testing]'` in newscrawl's clone"
    assert str(missing.value) == f"a local thing needs no_such_package: {run}"


def test_a_package_that_is_there_is_imported() -> None:
    assert local.required("json.decoder", "a test").JSONDecodeError is not None


def test_an_import_that_fails_inside_of_the_package_keeps_its_own_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package_of_a_test.py").write_text("import no_such_package\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        local.required("package_of_a_test", "a test")
