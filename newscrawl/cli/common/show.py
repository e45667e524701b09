"""Tables, CSV and JSON of commands: a command has rows and columns, and `show` prints them in the form asked for.

The only place of the commands that draws tables and writes CSV and JSON documents. Texts are masked and escaped for
people; JSON and CSV have complete addresses.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from datetime import date
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from newscrawl.cli.common.words import say
from newscrawl.model.jsonable import to_text

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\0", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Spreadsheets run a cell with one of these beginnings as a formula (OWASP ASVS 1.2.10), also the full-width forms."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table or of CSV. `value` returns the cell of a row; without it, the cell is the attribute `head`.

    A cell that is None is empty. `whole` cells stay on one line, and are cut if the table is too wide; `fold` breaks
    words that are too long, which are cut otherwise. `style` is one of rich, for all cells or by row.
    """

    head: str
    value: Callable[[Any], object] | None = None
    right: bool = False
    whole: bool = False
    fold: bool = False
    style: str | Callable[[Any], str] = ""

    def cell(self, row: Any) -> Any:
        """Returns the value of a row."""
        return (self.value or attrgetter(self.head))(row)

    def text(self, row: Any) -> str:
        """Returns the cell of a row for people."""
        value = self.cell(row)
        return "" if value is None else str(value)


COUNTS: Final = (Column("", itemgetter(0)), Column("", itemgetter(1), right=True))
"""Pairs of what was counted and its number, without headings."""
Lines = Callable[[Sequence[Any]], Iterable[str]]
"""Makes the lines of rows, for lists that are no tables."""


def show(
    rows: Iterable[Any],
    columns: Sequence[Column] | Lines,
    *,
    as_json: bool | Callable[[Any], object] = False,
    as_lines: bool | Callable[[Any], object] = False,
    as_csv: Sequence[Column] = (),
    ascii_only: bool = False,
    empty: str = "",
    few: Sequence[Column] = (),
    width: int = 0,
    boxed: bool = False,
    caption: str = "",
    err: bool = False,
) -> None:
    """Prints the rows as a table, or as lines if `columns` makes lines.

    `as_json` prints a JSON list in place of it: the rows, or what it makes of each. `as_lines` prints one JSON object a
    line, and nothing without rows. `as_csv` prints CSV with these columns. `empty` is said if there is no row. `few`
    are the columns in a pipe or file, with two blanks between them, so that a line fits an e-mail. `width` is the least
    width of the table, in characters. `boxed` draws lines around the cells, `caption` stands below them, `err` prints
    on standard error.
    """
    rows = list(rows)
    if as_json:
        print_json([as_json(row) for row in rows] if callable(as_json) else rows, ascii_only=ascii_only)
    elif as_lines:
        for row in rows:
            click.echo(to_text(as_lines(row) if callable(as_lines) else row))
    elif as_csv:
        write_rows(rows, as_csv, sys.stdout, end="\n")
    elif empty and not rows:
        say(empty, err=err)
    elif callable(columns):
        for line in columns(rows):
            say(line, err=err)
    else:
        _draw(rows, columns, few, width=width, boxed=boxed, caption=caption, err=err)


def print_json(value: object, *, ascii_only: bool = False) -> None:
    """Prints a value as one JSON document. Records become objects, times ISO 8601."""
    click.echo(to_text(value, indent=2, ascii_only=ascii_only))


def write_rows(rows: Iterable[Any], columns: Sequence[Column], file: TextIO, *, end: str = "\r\n") -> int:
    """Writes RFC 4180 with a line of headings. Lists are joined by " | ", and no cell can be a formula. Returns the
    number of rows."""
    writer = csv.writer(file, lineterminator=end)
    writer.writerow([column.head for column in columns])
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007  the last value is the number
        writer.writerow([safe_cell(column.cell(row)) for column in columns])
    return count


def safe_cell(value: Any) -> str:
    """Returns the value as a safe cell: an apostrophe is put before text that spreadsheets would run as a formula."""
    if value is None:
        return ""
    if isinstance(value, date):
        return value.isoformat()
    text = " | ".join(map(_member, value)) if isinstance(value, (tuple, list)) else _member(value)
    text = text.replace("\0", "")
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def progress_bar(*columns: ProgressColumn, transient: bool = True, wanted: bool = True) -> Progress:
    """Returns a progress bar on standard error, which only a terminal shows."""
    from rich.progress import Progress

    from newscrawl.config.logs.console import SafeConsole

    console = SafeConsole(stderr=True)
    return Progress(*columns, console=console, transient=transient, disable=not (wanted and console.is_terminal))


def _member(value: Any) -> str:
    return to_text(value) if isinstance(value, Mapping) or is_dataclass(value) else str(value)


def _draw(
    rows: Sequence[Any],
    columns: Sequence[Column],
    few: Sequence[Column],
    *,
    width: int,
    boxed: bool,
    caption: str,
    err: bool,
) -> None:
    # Loaded for tables only: a command that prints a text or JSON need not wait for rich.
    from rich.table import Table
    from rich.text import Text

    from newscrawl.config.logs.console import SafeConsole

    console = SafeConsole(stderr=err, highlight=False)
    if few and not console.is_terminal:
        for line in _aligned(rows, few):
            say(line, err=err)
        return
    console.width = max(console.width, width)
    table = Table(header_style="bold", show_header=any(column.head for column in columns), caption=caption or None)
    if not boxed:
        table.box, table.padding = None, (0, 2, 0, 0)
    for column in columns:
        table.add_column(
            column.head,
            justify="right" if column.right else "left",
            no_wrap=column.whole,
            overflow="fold" if column.fold else "ellipsis",
        )
    for row in rows:
        styles = (column.style(row) if callable(column.style) else column.style for column in columns)
        table.add_row(*(Text(column.text(row), style) for column, style in zip(columns, styles, strict=True)))
    console.print(table)


def _aligned(rows: Sequence[Any], columns: Sequence[Column]) -> Iterable[str]:
    """Yields lines with two blanks between the columns, and none at their ends."""
    cells = [[column.head for column in columns], *([column.text(row) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
