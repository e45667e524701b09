"""A package as pip installs it: a module and a folder of metadata with entry points."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest


def write_package(folder: Path, points: Mapping[str, Mapping[str, str]], name: str = "house-rules") -> None:
    """Write the metadata of the package `name` into `folder`: groups such as "extractors" with their entry points."""
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = []
    for group, declared in points.items():
        lines += [f"[newscrawl.{group}]", *(f"{point} = {path}" for point, path in declared.items()), ""]
    (metadata / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def write_module(folder: Path, name: str, source: str) -> None:
    """Write a module of the user's into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(dedent(source), encoding="utf-8")


def install(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Put the folder on the search path for one test."""
    folder.mkdir(parents=True, exist_ok=True)
    monkeypatch.syspath_prepend(str(folder))
