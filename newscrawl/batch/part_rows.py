"""Reads the rows of a part as the pages that they were made of: the inverse of `span_table`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from newscrawl.ingest.pages import Skipped
from newscrawl.model import (
    Article,
    Attempt,
    Failure,
    Image,
    LiveEntry,
    Metadata,
    ProcessedPage,
    PublishedDate,
    RawPage,
    RefusedDate,
    Signature,
    UsageRights,
)

Row = Mapping[str, Any]
_STATED = ("title", "language", "section", "image", "canonical", "site_name", "description")


def page_of(row: Row) -> ProcessedPage | Skipped:
    """Returns the page of a row, without its body; the record of a row that has no page."""
    if row["url"] is None or row["fetched_at"] is None:
        return Skipped(row["failure"] or "", row["reason"] or "")
    headers = {"etag": row["etag"], "last-modified": row["last_modified"]}
    stated = {name: value for name, value in headers.items() if value is not None}
    url, undated = row["url"], bool(row["time_unknown"])
    raw = RawPage(url, url, row["status"], stated, None, _time(row["fetched_at"]), row["site"], undated=undated)
    use = UsageRights(**row["rights"]) if row["rights"] is not None else None
    if row["verdict"] is None:
        return ProcessedPage(raw, failure=Failure(row["failure"] or "", row["reason"] or ""), use=use)
    return ProcessedPage(raw, _article(row, raw), use=use)


def _article(row: Row, raw: RawPage) -> Article:
    metadata = Metadata(
        authors=tuple(row["authors"] or ()),
        published=_date(row, "published"),
        modified=_date(row, "modified"),
        refused_dates=tuple(RefusedDate(**date) for date in row["refused_dates"] or ()),
        tags=tuple(row["tags"] or ()),
        images=tuple(Image(**image) for image in row["images"] or ()),
        videos=tuple(row["videos"] or ()),
        audio=tuple(row["audio"] or ()),
        live_entries=tuple(_entry(entry) for entry in row["live_entries"] or ()),
        **{name: row[name] for name in _STATED},
    )
    found = row["signature"]
    signature = Signature(found["algorithm"], found["shingles"], tuple(found["sketch"])) if found else None
    return Article(
        url=raw.final_url,
        site=raw.site,
        metadata=metadata,
        text=row["text"],
        extractor=row["extractor"],
        verdict=row["verdict"],
        trace=tuple(Attempt(**step) for step in row["trace"] or ()),
        problems=tuple(row["problems"] or ()),
        content_hash=row["content_hash"],
        identity_key=row["identity_key"],
        signature=signature,
        confidence=row["confidence"],
    )


def _entry(entry: Row) -> LiveEntry:
    at = _time(entry["at"]) if entry["at"] is not None else None
    return LiveEntry(at, entry["offset"], entry["title"], entry["text"], entry["id"])


def _date(row: Row, name: str) -> PublishedDate | None:
    when = row[name]
    if when is None:
        return None
    parts = (row[f"{name}_{part}"] for part in ("source", "precision", "zone_stated", "offset"))
    return PublishedDate(_time(when), *parts)


def _time(moment: object) -> datetime:
    """Returns a time of a table with the zone that this package uses."""
    return cast("datetime", moment).replace(tzinfo=UTC)
