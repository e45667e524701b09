"""Corpora of tests as folders and as archives."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from small_corpus import write_corpus


@pytest.fixture
def make_corpus(tmp_path: Path) -> Callable[..., Path]:
    """Writes a corpus folder and gives its path."""
    return partial(write_corpus, tmp_path)


@pytest.fixture
def pack(tmp_path: Path) -> Any:
    """Packs a corpus folder as NAME.tar.xz in another folder and gives the archive's path."""

    def make(folder: Path) -> Path:
        archive = tmp_path / "archives" / f"{folder.name}.tar.xz"
        archive.parent.mkdir(exist_ok=True)
        with tarfile.open(archive, "w:xz") as tar:
            tar.add(folder, arcname=folder.name)
        return archive

    return make
