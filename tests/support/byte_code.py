"""Writes, once for all processes of `make test`, what each of them would make by itself at its first run.

That is the byte code of the test modules, in which pytest rewrites every `assert` (11 s of CPU), the constants that
Hypothesis reads from the modules of newscrawl (4 s), and its tables of all characters (4 s). On a clean checkout all
processes of pytest-xdist made them at the same time. Later runs find them. The folder of the project is the working
directory:

    python tests/support/byte_code.py
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Final

from _pytest.assertion import AssertionState, rewrite
from _pytest.config import get_config
from hypothesis.internal import charmap
from hypothesis.internal.constants_ast import constants_from_module

ROOT: Final = Path(__file__).parents[2]
REWRITTEN: Final = ("test_*.py", "conftest.py")
"""What pytest rewrites: `python_files`, which pyproject.toml leaves as it is, and conftest.py."""
READ_BY_HYPOTHESIS: Final = ("newscrawl", "benchmarks")
FILES_AT_ONCE: Final = 20


def main() -> None:
    tests = [path for pattern in REWRITTEN for path in (ROOT / "tests").rglob(pattern)]
    sources = [path for folder in READ_BY_HYPOTHESIS for path in (ROOT / folder).rglob("*.py")]
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        work = [processes.submit(list_characters), *(processes.submit(rewrite_all, some) for some in _parts(tests))]
        work += [processes.submit(read_constants, some) for some in _parts(sources)]
        for done in work:
            done.result()


def _parts(files: list[Path]) -> Iterable[list[Path]]:
    return (files[start : start + FILES_AT_ONCE] for start in range(0, len(files), FILES_AT_ONCE))


def rewrite_all(files: Iterable[Path]) -> None:
    """Writes the byte code of test modules where it is missing or of another source."""
    config = get_config([])
    for file in files:
        byte_code = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
        if rewrite._read_pyc(file, byte_code) is None and rewrite.try_makedirs(byte_code.parent):
            source_hash, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(AssertionState(config, "rewrite"), code, source_hash, byte_code)


def read_constants(files: Iterable[Path]) -> None:
    """Has Hypothesis read the constants of modules, which it stores by the hash of their source."""
    for file in files:
        module = ModuleType(file.stem)
        module.__file__ = str(file)
        constants_from_module(module)


def list_characters() -> None:
    """Has Hypothesis list the characters of each category, and those that UTF-8 has: `text()` draws from them."""
    charmap.charmap()
    charmap.intervals_from_codec("utf-8")


if __name__ == "__main__":
    main()
