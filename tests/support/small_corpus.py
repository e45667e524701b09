"""A corpus in the documented layout, written for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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


def write_corpus(parent: Path, name: str = "small", rows: Sequence[Mapping[str, Any]] = ROWS) -> Path:
    """Writes a corpus into a new folder of `parent`. Returns the folder."""
    folder = parent / name
    (folder / "pages").mkdir(parents=True)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (folder / "gold.jsonl").write_text("".join(lines), encoding="utf-8")
    for row in rows:
        body = f"<html><body><p>{row['text']}</p></body></html>"
        (folder / "pages" / f"{row['id']}.html").write_bytes(body.encode())
    return folder
