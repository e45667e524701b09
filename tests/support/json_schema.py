"""Checks values against newscrawl's own JSON schemas (draft 2020-12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
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
    found = _validator(json.dumps(schema)).iter_errors(value)
    return [f"{error.json_path}: {error.message:.150}" for error in found]


@cache
def _validator(schema: str) -> Draft202012Validator:
    """The validator of a schema. To check a schema itself takes a hundred times as long as to check a value."""
    Draft202012Validator.check_schema(json.loads(schema))
    return Draft202012Validator(json.loads(schema), format_checker=_FORMATS)
