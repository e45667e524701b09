"""`newscrawl export`: the articles as JSON Lines or CSV."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TextIO

import click
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from newscrawl.cli.project import project_reader
from newscrawl.errors import UsageError
from newscrawl.storage.reports import ExportedArticle, articles, site_names

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\0", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A cell that begins so is run as a formula by spreadsheets (OWASP ASVS 1.2.10); the full-width forms count as well."""

_PROGRESS_EVERY: Final = 100


@click.command(
    name="export",
    epilog="""\b
Examples:
  newscrawl export > news.jsonl
  newscrawl export --format csv -o news.csv --site elpais""",
)
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("-o", "--output", metavar="FILE", default="-", help="Where to write; standard output by default.")
@click.option("--site", help="Only articles of this site.")
def command(form: str, output: str, site: str | None) -> None:
    """Write every current article: JSON Lines is faithful; CSV is safe to open in a spreadsheet.

    An article that several pages show is written once. Its metadata are those of the first page, among the site's that
    showed it first, that states a publication date and an author.
    """
    write = {"jsonl": write_jsonl, "csv": write_csv}[form]
    with project_reader() as connection:
        if site is not None and site not in (known := site_names(connection)):
            raise UsageError(f"no site {site!r} in the database: there are {', '.join(known) or 'none yet'}")
        found = (article for article in articles(connection) if site is None or article.site == site)
        with _opened(output) as file:
            count = write(_counted(found, show=output != "-"), file)
    if output != "-":
        click.echo(f"{count} articles in {output}", err=True)


def write_jsonl(found: Iterable[ExportedArticle], file: TextIO) -> int:
    """One JSON object a line, dates as ISO 8601 in UTC; returns their number."""
    count = 0
    for count, article in enumerate(found, 1):  # noqa: B007  the last value is the number
        file.write(json.dumps(asdict(article), ensure_ascii=False, default=_iso) + "\n")
    return count


def write_csv(found: Iterable[ExportedArticle], file: TextIO) -> int:
    """RFC 4180 with a header line; lists joined by " | "; no cell can be a formula. Returns the number of articles."""
    writer = csv.writer(file, lineterminator="\r\n")
    names = [field.name for field in fields(ExportedArticle)]
    writer.writerow(names)
    count = 0
    for count, article in enumerate(found, 1):  # noqa: B007  the last value is the number
        writer.writerow([safe_cell(getattr(article, name)) for name in names])
    return count


def safe_cell(value: Any) -> str:
    """A value as a spreadsheet may read it: text that would be run as a formula begins with an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    text = " | ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
    text = text.replace("\0", "")
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def _iso(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


@contextlib.contextmanager
def _opened(output: str) -> Iterator[TextIO]:
    """Standard output, or a file that takes its place only when it is whole."""
    if output == "-":
        yield sys.stdout
        return
    target = Path(output)
    if target.is_dir():
        raise UsageError(f"cannot write {output}: it is a folder; name a file in it")
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise UsageError(
            f"cannot write {output}: {(error.strerror or str(error)).lower()}; give another file"
        ) from error
    scratch = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        scratch.chmod(0o666 & ~_umask())
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _counted(found: Iterable[ExportedArticle], *, show: bool) -> Iterator[ExportedArticle]:
    columns = (SpinnerColumn(), TextColumn("{task.completed} articles"), TimeElapsedColumn())
    with Progress(*columns, transient=True, disable=not show) as progress:
        advance: Callable[..., None] = progress.update
        task = progress.add_task("export")
        for number, article in enumerate(found, 1):
            yield article
            if number % _PROGRESS_EVERY == 0:
                advance(task, completed=number)
