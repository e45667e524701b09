"""An entry as JSON: what the jsonl and webhook sinks write."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newscrawl.feed.sink import Entry


def as_json(entry: Entry) -> dict[str, Any]:
    """`op` is `remove` for what is shown no longer; else `article` has the fields of `newscrawl export`."""
    shown = entry.document is not None
    told: dict[str, Any] = {"seq": entry.seq, "op": entry.op if shown else "remove", "id": entry.article_id}
    if entry.document is not None and entry.op == "remove":
        told["op"] = "upsert"  # it came back since
    told["at"] = entry.at.isoformat()
    return told | ({"article": asdict(entry.document)} if entry.document is not None else {})


def plain(value: object) -> str:
    """For json.dumps, of every command: days, and moments in UTC, as ISO 8601."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")
