"""Articles as Apache Parquet, for the extra `parquet` (pyarrow)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, BinaryIO, Final, get_type_hints

from newscrawl.errors import UsageError
from newscrawl.jsonable import view
from newscrawl.model.flat import COLUMNS, arrow_type
from newscrawl.reports import ExportedArticle
from newscrawl.reports.views import EXPORT_KEYS

ROWS: Final = 2_000
"""Articles of a row group. Only one group (a few megabytes) is in memory."""


def write_parquet(found: Iterable[ExportedArticle], file: BinaryIO) -> int:
    """Writes one row for each article with the columns of `newscrawl export`. Dates are timestamps in UTC. Returns the
    number of articles. Raises UsageError without pyarrow."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise UsageError("Parquet needs pyarrow: run `pip install '.[parquet]'` in newscrawl's clone") from error
    schema = _schema(pa)
    articles, count = iter(found), 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while part := [view(article, EXPORT_KEYS) for article in islice(articles, ROWS)]:
            writer.write_table(pa.Table.from_pylist(part, schema=schema))
            count += len(part)
    return count


def _schema(pa: Any) -> Any:
    hints = {**COLUMNS, **get_type_hints(ExportedArticle)}
    types = {name: arrow_type(pa, hints[name]) for name, _ in EXPORT_KEYS}
    entry = types["live_entries"].value_type
    # Times of entries are ISO 8601, as in JSON lines.
    texts = pa.struct([(one.name, pa.string() if one.name == "at" else one.type) for one in entry])
    return pa.schema([*(types | {"live_entries": pa.list_(texts)}).items()])
