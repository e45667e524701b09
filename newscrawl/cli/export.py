"""`newscrawl export`: writes the articles as JSON Lines, CSV or Parquet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from operator import attrgetter
from pathlib import PurePath
from typing import Any, BinaryIO, Final, TextIO, get_type_hints

import click
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from newscrawl.cli.common.options import LOCAL_DAY, Moment, by_option, period
from newscrawl.cli.common.output import BOM, opened
from newscrawl.cli.common.project import database_option, project_reader
from newscrawl.cli.common.show import Column, progress_bar, write_rows
from newscrawl.cli.common.sites import check_known
from newscrawl.cli.common.words import counted
from newscrawl.errors import UsageError
from newscrawl.model.flat import COLUMNS, arrow_type
from newscrawl.model.jsonable import Names, builtins, to_text, view
from newscrawl.reports import ArticleSelection, ExportedArticle, Period, articles
from newscrawl.reports.views import EXPORT_KEYS

_PROGRESS_EVERY: Final = 100
PARQUET: Final = "parquet"
ROWS: Final = 2_000
"""Articles of a row group of Parquet. Only one group (a few megabytes) is in memory."""


def write_jsonl(found: Iterable[ExportedArticle], file: TextIO, keys: Names = EXPORT_KEYS) -> int:
    """Writes one JSON object per line, with dates as ISO 8601 in UTC. Returns their number."""
    count = 0
    for count, article in enumerate(found, 1):  # noqa: B007  the last value is the number
        file.write(to_text(view(article, keys)) + "\n")
    return count


def write_csv(found: Iterable[ExportedArticle], file: TextIO, keys: Names = EXPORT_KEYS) -> int:
    """Writes RFC 4180 with a header line. Lists are joined by " | ", and no cell can be a formula. Returns the number
    of articles."""
    return write_rows(found, [Column(name, value) for name, value in keys], file)


def write_parquet(found: Iterable[ExportedArticle], file: BinaryIO, keys: Names = EXPORT_KEYS) -> int:
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
        while part := [builtins(view(article, keys)) for article in islice(articles, ROWS)]:
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


FORMATS: Final[dict[str, Callable[[Iterable[ExportedArticle], Any, Names], int]]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    PARQUET: write_parquet,
}
"""Writers by format. The file is binary for Parquet and text for the others."""
_TEXTS: Final[dict[str, Names]] = {
    "plain": EXPORT_KEYS,
    "markdown": tuple((name, attrgetter("markdown") if name == "text" else get) for name, get in EXPORT_KEYS),
}
"""The keys by the form of the text."""


@click.command(
    epilog="""\b
Examples:
  newscrawl export > news.jsonl
  newscrawl export -o news.csv --site elpais --bom
  newscrawl export -o may.parquet --since 2026-05-01 --until 2026-06-01 --lang es
  newscrawl export --min-confidence 0.9 > sure.jsonl
  newscrawl export --text markdown -o news.parquet""",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    help="Default: by the ending of FILE (.csv, .parquet), else jsonl.",
)
@click.option("-o", "--output", metavar="FILE", default="-", help="File to write (default: standard output).")
@click.option("--site", help="Only articles of this site.")
@click.option("--since", type=Moment(), help="Only articles of this day (see --by) or later, or of the last 3d or 12h.")
@click.option("--until", type=Moment(), help="Only articles from before this day (see --by).")
@by_option
@click.option("--lang", "language", help="Only articles in this language; de includes de-AT.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    help="Only articles whose text has this confidence (0 to 1) or more. Those stored without one are left out.",
)
@click.option(
    "--text",
    "text_form",
    type=click.Choice(list(_TEXTS)),
    default="plain",
    show_default=True,
    help="markdown: `text` has headings, lists, quotations, tables and links.",
)
@click.option("--bom", is_flag=True, help="Begin CSV with a byte order mark: Excel reads it as UTF-8 then.")
@database_option
def command(
    form: str | None,
    output: str,
    site: str | None,
    since: datetime | None,
    until: datetime | None,
    by: str,
    language: str | None,
    min_confidence: float | None,
    text_form: str,
    bom: bool,
) -> None:
    """Write every current article. JSON Lines keeps every value unchanged. CSV is safe to open in a spreadsheet.
    Parquet needs pyarrow.

    An article that several pages show is written once. --site, --since and --until may match any of these pages. Its
    address and metadata are those of the page that is shown first (docs/explanation/near-duplicates.md). The date of a
    page is its publication date; if it states none, the day on which it first showed the text. With --by local-day the
    publication is compared in the publisher's local time, if the page states its offset from UTC.
    """
    times = Period(*period(since, until), by == LOCAL_DAY)
    selection = ArticleSelection(site, language, period=times, min_confidence=min_confidence)
    form = _format(form, output)
    if bom and form != "csv":
        raise UsageError(f"--bom belongs to CSV, and this is {form}: leave it out, or give --format csv")
    with project_reader() as connection:
        check_known(connection, [site] if site is not None else [])
        found = articles(connection, selection)
        with opened(output, binary=form == PARQUET) as file:
            if bom:
                file.write(BOM)
            count = FORMATS[form](_counted(found, show=output != "-"), file, _TEXTS[text_form])
    if output != "-":
        click.echo(f"{counted(count, 'article')} in {output}", err=True)


def _format(form: str | None, output: str) -> str:
    """The given format, else that of the file's ending, else JSON Lines. Raises UsageError."""
    form = form or (_of_name(output) if output != "-" else None) or "jsonl"
    if form == PARQUET and output == "-" and sys.stdout.isatty():
        raise UsageError("Parquet is a binary format: name a file with -o")
    return form


def _of_name(output: str) -> str | None:
    ending = PurePath(output).suffix.removeprefix(".").lower()
    return ending if ending in FORMATS else None


def _counted(found: Iterable[ExportedArticle], *, show: bool) -> Iterator[ExportedArticle]:
    columns = (SpinnerColumn(), TextColumn("{task.completed} articles"), TimeElapsedColumn())
    with progress_bar(*columns, wanted=show) as progress:
        advance: Callable[..., None] = progress.update
        task = progress.add_task("export")
        for number, article in enumerate(found, 1):
            yield article
            if number % _PROGRESS_EVERY == 0:
                advance(task, completed=number)
