"""An entry as JSON, as the sinks jsonl and webhook write it."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from newscrawl.model.jsonable import builtins, view
from newscrawl.reports.views import ARTICLE_KEYS, EXPORT_KEYS

if TYPE_CHECKING:
    from newscrawl.publishing.feed.sink import Entry


VERSION: Final = 2
"""The version of the format of a change. It increases when a field is removed or changes its meaning, not when a field
is added."""


def change_schema() -> str:
    """Returns the JSON schema (draft 2020-12) of a change, as the file change.schema.json of this package has it."""
    return files("newscrawl.publishing.feed").joinpath("change.schema.json").read_text(encoding="utf-8")


def as_json(entry: Entry, *, with_structure: bool = False) -> dict[str, Any]:
    """Returns the entry as JSON values, with all fields of docs/reference/change-feed.md. `article` has the fields of
    `newscrawl export`, `structure` only if it is asked for."""
    keys = EXPORT_KEYS if with_structure else ARTICLE_KEYS
    return {
        "version": VERSION,
        "seq": entry.seq,
        "op": entry.op,
        "reason": entry.reason,
        "change_class": entry.change_class,
        "at": entry.at.isoformat(),
        "story_id": entry.story_id,
        "into": entry.into,
        "article_id": entry.article_id if entry.op != "merge" else None,
        "pages": [
            {"page_id": page.page_id, "url": page.url, "first_seen": page.first_seen.isoformat()}
            for page in entry.pages
        ],
        "replaces": list(entry.replaces),
        "replaced_by": list(entry.replaced_by),
        "new_entries": [dict(one) for one in entry.new_entries],
        "article": (builtins(view(entry.document, keys)) if entry.document is not None else None),
    }


def plain(value: object) -> str:
    """Converts dates, and times in UTC, to ISO 8601; the `default` of json.dumps for what `as_json` returns. Raises
    TypeError."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")
