"""The reference of an exported article: types of its fields (change.schema.json), and their meanings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from docs._scripts.pages import NOTE, text

MEANINGS: Final[Mapping[str, str]] = {
    "id": "The id of the article. In the change feed and the views it is `article_id`.",
    "url": "The address of the page that is [shown first](../explanation/near-duplicates.md#whose-page-is-shown-first):"
    " any of `pages`. The fields about a page are this page's.",
    "canonical": "The address that the page states as its canonical one.",
    "site": "The site of the page.",
    "title": "The headline.",
    "authors": "The names of the authors.",
    "published": "When it was published, as the page states it.",
    "modified": "When it was last modified, as the page states it.",
    "language": "The language, such as `en` or `pt-BR`.",
    "text": "The text. Paragraphs are separated by an empty line.",
    "extractor": "The extractor that gave the text.",
    "content_hash": "The hash of the normalised text. Equal texts are one article.",
    "first_seen": "When a page first showed the text.",
    "pages": "The addresses of all pages that show the text, in that order.",
    "verdict": "`article`, `live`, `paywalled`, `short`, or another kind of `NEWSCRAWL_KINDS`.",
    "section": "The section of the site, as the page states it.",
    "tags": "The keywords, as the page states them.",
    "image": "The address of the lead image.",
    "site_name": "The name of the site, as the page states it.",
    "description": "The summary that the page states.",
    "cluster": "The number of the story. In the change feed and the views it is `story_id`.",
    "copies": "How many other articles of the story are shown: an exact copy on another page does not count.",
    "truncated": "Whether the text was too long and is stored cut.",
    "contained_in": "Ids of larger articles of other stories that contain the text, at most 20.",
    "contained_in_more": "How many further articles contain the text.",
    "sites": "The sites of `pages`.",
    "published_offset": "The offset from UTC that the page states with `published`, in minutes east ([the day that "
    "readers saw](../how-to/read-results.md#the-day-that-readers-saw)).",
    "modified_offset": "The same of `modified`.",
    "images": "The pictures, the lead image first: `url`, `caption`, `credit`, `width`, `height`, as stated.",
    "videos": "The addresses of the videos: files, or players.",
    "audio": "The addresses of the sounds.",
    "live_entries": "The [entries of a live report](../explanation/metadata.md#live-reports), in the page's order: "
    "`at`, `offset`, `title`, `text`, `id`.",
    "confidence": "How right and whole the text probably is, from 0 to 1 ([confidence](../explanation/confidence.md)).",
    "structure": "What the paragraphs of the text are, and its links; null for a text that JSON-LD states "
    "([structured text](../how-to/structured-text.md)). "
    "The change feed has it with `--with structure`.",
}


def schema() -> Mapping[str, Mapping[str, Any]]:
    """Name and schema of each field, in their order."""
    change = json.loads((files("newscrawl.publishing.feed") / "change.schema.json").read_text("utf-8"))
    fields: Mapping[str, Mapping[str, Any]] = change["properties"]["article"]["properties"]
    return fields


def page() -> str:
    """The page docs/reference/exported-article.md."""
    return text(
        [
            "# Fields of an exported article",
            "",
            NOTE,
            "",
            "`newscrawl export` writes these fields of each article. An `upsert` of the [change feed](change-feed.md)",
            "has them as `article`. Times are ISO 8601 in UTC. `?`: the field is null if the page states no value.",
            "",
            *(f"- `{name}` {_type(field)}: {MEANINGS[name]}" for name, field in schema().items()),
        ]
    )


def _type(field: Mapping[str, Any]) -> str:
    """The type of a field in words, such as `time?` where it may be null."""
    types = field["type"] if isinstance(field["type"], list) else [field["type"]]
    known = "time" if field.get("format") == "date-time" else types[0]
    words = f"array of {field['items']['type']}" if types == ["array"] else known
    return f"{words}?" if "null" in types else words
