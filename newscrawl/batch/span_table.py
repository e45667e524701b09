"""The table of a span: one row for each page, and for each record that should have given one (extra `parquet`). Its
rows are read again as the pages that they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from newscrawl.archive.warc import RecordPosition
from newscrawl.errors import UsageError
from newscrawl.ingest.pages import Skipped
from newscrawl.ingest.worker import BadRecord
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

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = Mapping[str, Any]
OF_ARTICLE: Final = ("text", "verdict", "extractor", "content_hash", "identity_key", "confidence")
STATED: Final = ("title", "language", "section", "image", "canonical", "site_name", "description")
DATE: Final = ("source", "precision", "zone_stated", "offset")
"""The parts of a date besides its time, as PublishedDate has them."""
SIGNATURE: Final = ("algorithm", "shingles", "sketch")
RIGHTS: Final = ("noindex", "noarchive", "nosnippet", "tdm_reservation", "tdm_policy")
MEANINGS: Final = {
    "file": "the address or path of the WARC file",
    "offset": "the byte of the file at which the record begins, or the gzip member that has it",
    "number": "the number of the record in that member, from 0",
    "url": "the address of the page; null for a record that cannot be read",
    "site": "the site of the page",
    "status": "the status of the answer; null for a record that cannot be read",
    "fetched_at": "when the page was fetched (UTC)",
    "time_unknown": "whether the time of fetching is unknown; `fetched_at` is then `as_of` of the options",
    "text": 'the text of the article; "" without one',
    "title": "title",
    "authors": "authors",
    "published": "date of publication (UTC)",
    "published_offset": "the offset from UTC that the page states with it, in minutes east",
    "published_source": "the part of the page that states the date of publication",
    "published_precision": "how exact the page states it: year, month, day, minute or second",
    "published_zone_stated": "whether the page states a zone with it; without one it is read as UTC",
    "modified": "date of the last change (UTC)",
    "modified_offset": "the same of that date",
    "modified_source": "the part of the page that states the date of the last change",
    "modified_precision": "how exact the page states it: year, month, day, minute or second",
    "modified_zone_stated": "whether the page states a zone with it; without one it is read as UTC",
    "refused_dates": "dates of the page that are not credible, with the reasons",
    "language": "language tag",
    "section": "section",
    "tags": "tags",
    "image": "address of the main image",
    "images": "pictures of the article with caption, credit, width and height as stated, the lead image first",
    "videos": "addresses of the article's videos",
    "audio": "addresses of the article's sounds",
    "live_entries": "entries of a live report: time (UTC), offset from UTC, title, text and the page's name for it",
    "canonical": "the address that the page states as its own",
    "site_name": "name of the site",
    "description": "description",
    "verdict": "what the page is: article, live, paywalled or short; null without an article",
    "extractor": "the step of the chain whose text is used",
    "trace": "every step that was run, and why its text was used or not",
    "problems": "problems of the page, and doubts about the text, such as `partial: page 1 of 3`",
    "confidence": "how right and whole the text probably is, from 0 to 1; null without an article",
    "content_hash": "hash of the normalised text",
    "identity_key": "the key under which the database has the article",
    "signature": "the signature by which nearly equal texts are found; null for a short text",
    "etag": "the validator ETag of the answer",
    "last_modified": "the header Last-Modified of the answer",
    "rights": "what the page states about its use; null if it was not read for that",
    "failure": "the reason code of a page without an article, or of a record without a page; null for an article",
    "reason": "the same in a sentence",
}
"""The columns in their order, with what they mean."""


def arrow() -> Any:
    """Returns the module pyarrow. Raises UsageError without it."""
    try:
        import pyarrow as pa
    except ModuleNotFoundError as error:
        raise UsageError("a table needs pyarrow: run `pip install '.[parquet]'` in newscrawl's clone") from error
    return pa


def schema() -> pa.Schema:
    """Returns the schema of a span's table. Raises UsageError without pyarrow."""
    kinds = arrow()
    text, number, flag, time = kinds.string(), kinds.int64(), kinds.bool_(), kinds.timestamp("us", tz="UTC")
    types: dict[str, Any] = dict.fromkeys(MEANINGS, text)
    types |= dict.fromkeys(("offset", "number", "status", "published_offset", "modified_offset"), number)
    types["confidence"] = kinds.float64()
    types |= dict.fromkeys(("fetched_at", "published", "modified"), time)
    types |= dict.fromkeys(("authors", "tags", "problems", "videos", "audio"), kinds.list_(text))
    picture = {field.name: number if field.name in {"width", "height"} else text for field in fields(Image)}
    types["images"] = kinds.list_(kinds.struct(list(picture.items())))
    entry = {field.name: {"at": time, "offset": number}.get(field.name, text) for field in fields(LiveEntry)}
    types["live_entries"] = kinds.list_(kinds.struct(list(entry.items())))
    step = {"extractor": text, "words": number, "characters": number, "accepted": flag, "reason": text}
    types |= dict.fromkeys(("time_unknown", "published_zone_stated", "modified_zone_stated"), flag)
    types["refused_dates"] = kinds.list_(kinds.struct([(name, text) for name in ("raw", "source", "reason")]))
    types["trace"] = kinds.list_(kinds.struct(list(step.items())))
    sketch = kinds.list_(kinds.uint64())
    types["signature"] = kinds.struct(list(zip(SIGNATURE, (text, number, sketch), strict=True)))
    types["rights"] = kinds.struct([(name, text if name == "tdm_policy" else flag) for name in RIGHTS])
    return kinds.schema([kinds.field(name, kind, metadata={"meaning": MEANINGS[name]}) for name, kind in types.items()])


def table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Returns the rows as a table, in the order of the file."""
    ordered = sorted(rows, key=lambda row: (row["offset"], row["number"]))
    make = arrow().Table.from_pylist
    try:
        found = make(ordered, schema=schema())
    except UnicodeEncodeError:  # half of a surrogate pair, which no UTF-8 can have
        found = make([_encodable(row) for row in ordered], schema=schema())
    return found


def _encodable(value: Any) -> Any:
    """Returns a value whose texts have U+FFFD in place of surrogates."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return {name: _encodable(item) for name, item in value.items()} if isinstance(value, dict) else value


def page_row(file: str, place: RecordPosition, page: ProcessedPage) -> dict[str, Any]:
    """Returns the row of a page."""
    raw, article, failure = page.raw, page.article, page.failure
    row = _place(file, place) | {
        "url": raw.final_url,
        "site": raw.site,
        "status": raw.status,
        "fetched_at": raw.fetched_at,
        "time_unknown": raw.undated,
        "text": "",
        "etag": raw.headers.get("etag"),
        "last_modified": raw.headers.get("last-modified"),
        "rights": asdict(page.use) if page.use is not None else None,
    }
    if failure is not None:
        row |= {"failure": failure.code, "reason": failure.reason}
    if article is None:
        return row
    stated = article.metadata
    row |= {name: getattr(article, name) for name in OF_ARTICLE}
    row |= {name: getattr(stated, name) for name in STATED}
    row |= {name: list(getattr(stated, name)) for name in ("authors", "tags", "videos", "audio")}
    row |= {"problems": list(article.problems)}
    row |= {"images": [asdict(image) for image in stated.images]}
    row |= {"live_entries": [asdict(entry) for entry in stated.live_entries]}
    row |= {"trace": [asdict(step) for step in article.trace]}
    row |= {"refused_dates": [asdict(date) for date in stated.refused_dates]}
    row |= _date_columns("published", stated.published) | _date_columns("modified", stated.modified)
    return row | {"signature": asdict(article.signature) if article.signature is not None else None}


def bad_row(file: str, record: BadRecord) -> dict[str, Any]:
    """Returns the row of a record that gives no page."""
    return _place(file, record.place) | {"failure": record.kind, "reason": record.reason or record.kind, "text": ""}


def _place(file: str, place: RecordPosition) -> dict[str, Any]:
    return {"file": file, "offset": place.offset, "number": place.number}


def _date_columns(name: str, date: PublishedDate | None) -> dict[str, Any]:
    if date is None:
        return {}
    return {name: date.when} | {f"{name}_{part}": getattr(date, part) for part in DATE}


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
        **{name: row[name] for name in STATED},
    )
    found = row["signature"]
    signature = Signature(found["algorithm"], found["shingles"], tuple(found["sketch"])) if found else None
    return Article(
        url=raw.final_url,
        site=raw.site,
        metadata=metadata,
        trace=tuple(Attempt(**step) for step in row["trace"] or ()),
        problems=tuple(row["problems"] or ()),
        signature=signature,
        **{name: row[name] for name in OF_ARTICLE},
    )


def _entry(entry: Row) -> LiveEntry:
    at = _time(entry["at"]) if entry["at"] is not None else None
    return LiveEntry(at, entry["offset"], entry["title"], entry["text"], entry["id"])


def _date(row: Row, name: str) -> PublishedDate | None:
    when = row[name]
    if when is None:
        return None
    return PublishedDate(_time(when), *(row[f"{name}_{part}"] for part in DATE))


def _time(moment: object) -> datetime:
    """Returns a time of a table with the zone that this package uses."""
    return cast("datetime", moment).replace(tzinfo=UTC)
