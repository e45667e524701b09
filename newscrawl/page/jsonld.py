"""JSON-LD scripts, broken ones included."""

from __future__ import annotations

import json
from typing import Any


def parse_json_ld(script: str) -> list[dict[str, Any]]:
    """Objects in one script, `@graph` and arrays flattened; never raises."""
    try:
        value = json.loads(script, strict=False)
    except (ValueError, RecursionError):
        return []
    return (
        [value]
        if isinstance(value, dict)
        else [v for v in value if isinstance(v, dict)]
        if isinstance(value, list)
        else []
    )
