"""The JSON schema of each screen, made from its value's class. `python -m docs._scripts` writes them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from newscrawl.web.captures import AnswerHeaders, Comparison, FieldsScreen
from newscrawl.web.screen_list import SCREENS
from newscrawl.web.values import schema_of

FOLDER: Final = "schema_files"
OF_CAPTURES: Final[dict[str, type[Any]]] = {"headers": AnswerHeaders, "compare": Comparison, "fields": FieldsScreen}
"""The screens of one capture: the name of its address, and its class."""


def schema_text(name: str, value: type[Any]) -> str:
    """Returns the schema of a screen as its file has it."""
    return json.dumps(schema_of(value, f"newscrawl web: {name}.json"), indent=1) + "\n"


def generated() -> dict[Path, str]:
    """Returns path and text of every schema."""
    folder = Path(__file__).parent / FOLDER
    values = {screen.name: screen.value for screen in SCREENS} | OF_CAPTURES
    return {folder / f"{name}.schema.json": schema_text(name, value) for name, value in values.items()}
