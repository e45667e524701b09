"""The JSON schema of each screen, made from its value's class: `python -m newscrawl.web.schemas` writes them all."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from newscrawl.web.screens.listed import SCREENS
from newscrawl.web.screens.screen import Screen
from newscrawl.web.values import schema_of

FOLDER: Final = "schema_files"


def schema_text(screen: Screen) -> str:
    """Returns the schema of a screen as its file has it."""
    return json.dumps(schema_of(screen.value, f"newscrawl web: {screen.name}.json"), indent=1) + "\n"


def stored_schema(name: str) -> dict[str, Any]:
    """Returns the schema of a screen from the file of the package."""
    text = files("newscrawl.web").joinpath(FOLDER, f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def generated() -> dict[Path, str]:
    """Returns path and text of every schema."""
    folder = Path(__file__).parent / FOLDER
    return {folder / f"{screen.name}.schema.json": schema_text(screen) for screen in SCREENS}


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
