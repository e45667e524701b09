"""Golden files: stored outputs of newscrawl that a change must not alter without being asked to.

A test calls `check(name, text)`. It fails if the stored file in tests/golden differs. `make golden` runs the same tests
with NEWSCRAWL_GOLDEN=write: each output replaces its file, and git shows what changed.
"""

from __future__ import annotations

import difflib
import json
import os
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[1] / "golden"
LONGEST_DIFF: Final = 60
"""Lines of a difference that a failing test prints. `make golden` shows all of it."""


def check(name: str, text: str) -> None:
    """Compares an output with its golden file, or writes the file if NEWSCRAWL_GOLDEN is `write`.

    Args:
        name: The path of the file in tests/golden.
        text: The output. Times, paths, ports and random names must be fixed or replaced before.

    Raises:
        AssertionError: The output differs, or no such file is stored. The message has the differing lines.
    """
    path = FOLDER / name
    if os.environ.get("NEWSCRAWL_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return
    stored = path.read_text("utf-8") if path.exists() else ""
    if stored == text:
        return
    lines = list(difflib.unified_diff(stored.splitlines(), text.splitlines(), "stored", "now", n=1, lineterm=""))
    more = f"\n... {len(lines) - LONGEST_DIFF} lines more" if len(lines) > LONGEST_DIFF else ""
    shown = "\n".join(lines[:LONGEST_DIFF])
    raise AssertionError(f"tests/golden/{name} differs; `make golden` writes it anew\n{shown}{more}")


def readable(value: Any) -> str:
    """Returns a value as JSON that shows its differences line by line: one value a line, keys in their order."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
