"""A corpus in the documented layout, written for these tests."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

ROWS: Sequence[Mapping[str, Any]] = (
    {"id": "bridge", "text": "The bridge opened on Monday.", "lang": "en", "domain": "example.org", "title": "Bridge"},
    {
        "id": "harbour",
        "text": "Harbour closed\n\nThe harbour stays closed.",
        "extra": {"text_no_title": "The harbour stays closed."},
        "authors": ["Ana Example"],
        "date_published": "2026-01-02",
    },
    {"id": "market", "text": "The market moves.", "extra": {"text_no_title": None}},
)


class MakeCorpus(Protocol):
    def __call__(self, name: str = ..., rows: Sequence[Mapping[str, Any]] = ...) -> Path: ...


@pytest.fixture
def make_corpus(tmp_path: Path) -> MakeCorpus:
    """Writes a corpus folder and gives its path."""

    def make(name: str = "small", rows: Sequence[Mapping[str, Any]] = ROWS) -> Path:
        folder = tmp_path / name
        (folder / "pages").mkdir(parents=True)
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (folder / "gold.jsonl").write_text("".join(lines), encoding="utf-8")
        for row in rows:
            body = f"<html><body><p>{row['text']}</p></body></html>"
            (folder / "pages" / f"{row['id']}.html").write_bytes(body.encode())
        return folder

    return make


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
