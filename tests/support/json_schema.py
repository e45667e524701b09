"""Checks values against newscrawl's own JSON schemas (draft 2020-12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files
from typing import Any, Final

from jsonschema import Draft202012Validator, FormatChecker

_FORMATS: Final = FormatChecker(())
"""Times have a zone, and days have none."""


@_FORMATS.checks("date-time", ValueError)
def _is_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@_FORMATS.checks("date", ValueError)
def _is_day(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is None


def stored_schema(name: str) -> dict[str, Any]:
    """The schema of a screen of `newscrawl web`, from its file in the package."""
    text = files("newscrawl.web").joinpath("schema_files", f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def problems(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """Returns the parts of the value that the schema forbids, with their places."""
    Draft202012Validator.check_schema(schema)
    found = Draft202012Validator(schema, format_checker=_FORMATS).iter_errors(value)
    return [f"{error.json_path}: {error.message:.150}" for error in found]
