"""The keys of reports as JSON objects and columns, in their order: what programs that read newscrawl's output rely on.

A key may be added. None may be removed or change its meaning (docs/reference/change-feed.md).
"""

from __future__ import annotations

from typing import Final

from newscrawl.jsonable import each, names

EXPORT_KEYS: Final = names(
    "id url canonical site title authors published modified language text extractor content_hash first_seen pages",
    "verdict section tags image site_name description cluster copies truncated contained_in contained_in_more sites",
    "published_offset modified_offset images videos audio live_entries confidence",
)
"""An article in exports and in the change feed (reports.export.ExportedArticle)."""

HISTORY_KEYS: Final = names(
    "url site state current",
    each(
        "versions",
        names(
            "article_id seen_at last_seen change_class verdict title authors published published_offset modified",
            "extractor text new_entries diff confidence",
        ),
    ),
    "overlaps first_page",
)
"""`newscrawl history --json` (reports.history.History)."""

VERSION_KEYS: Final = names(
    "article_id seen_at last_seen change_class verdict title authors published modified canonical extractor fallback",
    "trace problems metadata.refused_dates confidence",
)
"""A version in `newscrawl why --json` (reports.history.StoredVersion)."""
