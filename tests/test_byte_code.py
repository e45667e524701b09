"""The byte code that is written before a run is the one that pytest looks for."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import byte_code
import pytest
from hypothesis.internal import charmap

TEST = "def test_it():\n    assert sorted([2, 1]) == [2, 1]\n"


def imported(file: Path, hook: Any) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file, loader=hook)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    hook.exec_module(module)
    return module


def test_pytest_takes_the_byte_code(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Including the text that says what was compared."""
    file = tmp_path / "test_it.py"
    file.write_text(TEST)
    byte_code.rewrite_all([file])
    (written,) = (tmp_path / "__pycache__").iterdir()
    before = written.stat()
    module = imported(file, pytestconfig.pluginmanager.rewrite_hook)
    assert [path.stat() for path in (tmp_path / "__pycache__").iterdir()] == [before]
    with pytest.raises(AssertionError, match=r"assert \[1, 2\] == \[2, 1\]"):
        module.test_it()


def test_byte_code_of_another_source_is_written_again(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(TEST.replace("test_it", "test_other"))
    byte_code.rewrite_all([file])
    file.write_text(TEST)
    byte_code.rewrite_all([file])
    (written,) = (tmp_path / "__pycache__").iterdir()
    before = written.stat()
    assert imported(file, pytestconfig.pluginmanager.rewrite_hook).test_it
    assert written.stat() == before


def test_hypothesis_takes_the_constants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored under the hash of the source is what it reads from the source."""
    home = tmp_path / "home"
    monkeypatch.setattr("hypothesis.configuration.__hypothesis_home_directory", home)
    file = tmp_path / "limits.py"
    file.write_text("LIMIT = 4711\nNAME = 'a name'\n")
    byte_code.read_constants([file])
    (stored,) = (home / "constants").iterdir()
    assert "4711" in stored.read_text()
    assert "'a name'" in stored.read_text()


def test_hypothesis_takes_the_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are those that it reads, here with 300 characters."""
    monkeypatch.setattr("hypothesis.configuration.__hypothesis_home_directory", tmp_path)
    monkeypatch.setattr(charmap, "sys", SimpleNamespace(maxunicode=299))
    monkeypatch.setattr(charmap, "_charmap", None)
    monkeypatch.setattr(charmap, "intervals_from_codec", cache(charmap.intervals_from_codec.__wrapped__))
    byte_code.list_characters()
    stored = sorted(tmp_path.rglob("*.json.gz"))
    assert stored == sorted(charmap.charmap_file(name) for name in ("charmap", "codec-v2-utf-8"))
