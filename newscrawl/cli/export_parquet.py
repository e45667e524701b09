"""Articles as Apache Parquet, for the extra `parquet` (pyarrow)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from itertools import islice
from typing import Any, BinaryIO, Final

from newscrawl.errors import UsageError
from newscrawl.model import Image, LiveEntry
from newscrawl.reports import ExportedArticle

ROWS: Final = 2_000
"""Articles of a row group. Only one group (a few megabytes) is in memory."""

_TEXTS: Final = ("authors", "pages", "sites", "tags", "videos", "audio")
_TIMES: Final = ("published", "modified", "first_seen")
_NUMBERS: Final = ("id", "cluster", "copies", "contained_in_more", "published_offset", "modified_offset")
_LISTS_OF_NUMBERS: Final = ("contained_in",)
IMAGE: Final = tuple(field.name for field in fields(Image))
ENTRY: Final = tuple(field.name for field in fields(LiveEntry))
_FLAGS: Final = ("truncated",)
_SHARES: Final = ("confidence",)


def write_parquet(found: Iterable[ExportedArticle], file: BinaryIO) -> int:
    """Writes one row for each article with the columns of `newscrawl export`. Dates are timestamps in UTC. Returns the
    number of articles. Raises UsageError without pyarrow."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise UsageError("Parquet needs pyarrow: run `pip install '.[parquet]'` in newscrawl's clone") from error
    names = [field.name for field in fields(ExportedArticle)]
    schema = pa.schema([(name, _type(pa, name)) for name in names])
    articles, count = iter(found), 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while part := list(islice(articles, ROWS)):
            columns = {name: [getattr(article, name) for article in part] for name in names}
            writer.write_table(pa.table(columns, schema=schema))
            count += len(part)
    return count


def image_type(pa: Any) -> Any:
    """Returns the type of a picture in a table."""
    return pa.struct([(name, pa.int64() if name in ("width", "height") else pa.string()) for name in IMAGE])


def entry_type(pa: Any) -> Any:
    """Returns the type of an entry of a live report in a table. Times are ISO 8601, as in JSON lines."""
    return pa.struct([(name, pa.int64() if name == "offset" else pa.string()) for name in ENTRY])


def _type(pa: Any, name: str) -> Any:
    if name in _NUMBERS:
        return pa.int64()
    if name in _FLAGS:
        return pa.bool_()
    if name in _SHARES:
        return pa.float64()
    if name in _TIMES:
        return pa.timestamp("us", tz="UTC")
    if name in _LISTS_OF_NUMBERS:
        return pa.list_(pa.int64())
    if name == "images":
        return pa.list_(image_type(pa))
    if name == "live_entries":
        return pa.list_(entry_type(pa))
    return pa.list_(pa.string()) if name in _TEXTS else pa.string()
