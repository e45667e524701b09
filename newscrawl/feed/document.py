"""An entry as JSON, as the sinks jsonl and webhook write it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newscrawl.feed.sink import Entry


def as_json(entry: Entry) -> dict[str, Any]:
    """Returns the entry as JSON values. `op` is `remove` if no page shows the article; else `article` has the fields of
    `newscrawl export`."""
    shown = entry.document is not None
    values: dict[str, Any] = {"seq": entry.seq, "op": entry.op if shown else "remove", "id": entry.article_id}
    if entry.document is not None and entry.op == "remove":
        values["op"] = "upsert"  # a page shows it again
    values["at"] = entry.at.isoformat()
    return values | ({"article": asdict(entry.document)} if entry.document is not None else {})


def plain(value: object) -> str:
    """Converts dates, and times in UTC, to ISO 8601; the `default` of json.dumps for all commands. Raises TypeError."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")
