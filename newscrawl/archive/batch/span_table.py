"""The table of a span: one row for each page, and for each record that should have given one (extra `parquet`). Its
rows are read again as the pages that they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, get_type_hints

import msgspec

from newscrawl.archive.ingest.pages import Skipped
from newscrawl.archive.warc import RecordPosition
from newscrawl.errors import UsageError
from newscrawl.model import Article, Attempt, Failure, ProcessedPage, RawPage, Signature, Structure, UsageRights
from newscrawl.model.flat import COLUMNS, arrow_type, flat, of_row, reader_of

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = Mapping[str, Any]
OF_ARTICLE: Final = ("text", "verdict", "extractor", "content_hash", "identity_key", "confidence")
_KEPT: Final = {*OF_ARTICLE, "trace", "problems", "signature", "structure"}
_TYPES: Final[Mapping[str, Any]] = {
    **get_type_hints(RecordPosition),
    **dict.fromkeys(("file", "url", "site", "etag", "last_modified", "failure", "reason"), str),
    **COLUMNS,
    **{name: hint for name, hint in get_type_hints(Article).items() if name in _KEPT},
    "status": int,
    "fetched_at": datetime,
    "time_unknown": bool,
    "rights": UsageRights,
}
"""The type of each column."""
_TRACE: Final = reader_of(Attempt)
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
    "structure": "what the paragraphs of the text are, and its links; null without an article, and for a stated text",
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
    types = {name: arrow_type(kinds, hint) for name, hint in _TYPES.items()}
    *described, _ = types["signature"]
    types["signature"] = kinds.struct([*described, ("sketch", kinds.list_(kinds.uint64()))])  # hashes of 64 bits
    return kinds.schema([kinds.field(name, types[name], metadata={"meaning": MEANINGS[name]}) for name in MEANINGS])


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
    row |= {name: getattr(article, name) for name in OF_ARTICLE}
    row |= {"problems": list(article.problems), "trace": [asdict(step) for step in article.trace]}
    signature = asdict(article.signature) if article.signature is not None else None
    structure = asdict(article.structure) if article.structure is not None else None
    return row | flat(article.metadata) | {"signature": signature, "structure": structure}


def bad_row(file: str, place: RecordPosition, record: Skipped) -> dict[str, Any]:
    """Returns the row of a record that gives no page."""
    return _place(file, place) | {"failure": record.kind, "reason": record.reason or record.kind, "text": ""}


def _place(file: str, place: RecordPosition) -> dict[str, Any]:
    return {"file": file, "offset": place.offset, "number": place.number}


def page_of(row: Row) -> ProcessedPage | Skipped:
    """Returns the page of a row, without its body; the record of a row that has no page."""
    if row["url"] is None or row["fetched_at"] is None:
        return Skipped(row["failure"] or "", row["reason"] or "")
    headers = {"etag": row["etag"], "last-modified": row["last_modified"]}
    stated = {name: value for name, value in headers.items() if value is not None}
    url, undated = row["url"], bool(row["time_unknown"])
    at = cast("datetime", row["fetched_at"]).replace(tzinfo=UTC)
    raw = RawPage(url, url, row["status"], stated, None, at, row["site"], undated=undated)
    use = UsageRights(**row["rights"]) if row["rights"] is not None else None
    if row["verdict"] is None:
        return ProcessedPage(raw, failure=Failure(row["failure"] or "", row["reason"] or ""), use=use)
    return ProcessedPage(raw, _article(row, raw), use=use)


def _article(row: Row, raw: RawPage) -> Article:
    found = row["signature"]
    signature = Signature(found["algorithm"], found["shingles"], tuple(found["sketch"])) if found else None
    return Article(
        url=raw.final_url,
        site=raw.site,
        metadata=of_row(row),
        trace=_TRACE(row["trace"]),
        problems=tuple(row["problems"] or ()),
        signature=signature,
        structure=msgspec.convert(row["structure"], Structure | None),
        **{name: row[name] for name in OF_ARTICLE},
    )
