"""One module prints the tables, CSV and JSON of all commands."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newscrawl.cli.common.show import Column, print_json, show

COMMANDS = Path(__file__).parents[2] / "newscrawl/cli"
OWN = ("indent=2", "csv.writer", "csv.DictWriter", " Table(", "=Table(", "import Table")
"""What no other module of the commands has."""


@dataclass(frozen=True)
class Boat:
    name: str
    seats: int
    seen: datetime | None = None


BOATS = [Boat("Möwe", 12, datetime(2026, 11, 21, tzinfo=UTC)), Boat("=cmd", 3)]
COLUMNS = (
    Column("name"),
    Column("seats", right=True),
    Column("seen", lambda boat: boat.seen and f"{boat.seen:%d.%m.}"),
)


@pytest.mark.parametrize("path", sorted(COMMANDS.rglob("*.py")), ids=lambda path: str(path.relative_to(COMMANDS)))
def test_no_other_module_of_the_commands_draws_tables_or_writes_documents(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [words for words in OWN if words in text]
    assert not found or path.name == "show.py"


def test_a_table_has_headings_and_empty_cells_for_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    show(BOATS, COLUMNS)
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["name", "seats", "seen"],
        ["Möwe", "12", "21.11."],
        ["=cmd", "3"],
    ]


def test_nothing_in_a_cell_is_markup_or_an_emoji(capsys: pytest.CaptureFixture[str]) -> None:
    show([Boat("[red]a[/] :boat:", 1)], (Column("name"),))
    assert "[red]a[/] :boat:" in capsys.readouterr().out


def test_a_table_without_headings_has_lines_around_it_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    show(BOATS, (Column("", lambda boat: boat.name),), boxed=True, err=True)
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == len(BOATS) + 2


def test_pipes_get_the_few_columns_without_blanks_at_the_ends(capsys: pytest.CaptureFixture[str]) -> None:
    show(BOATS, COLUMNS, few=(Column("name"), Column("seats")))
    assert capsys.readouterr().out == "name  seats\nMöwe  12\n=cmd  3\n"


def test_lines_and_what_is_said_of_no_rows(capsys: pytest.CaptureFixture[str]) -> None:
    show(BOATS, lambda boats: (f"{boat.name} is there" for boat in boats), empty="no boat")
    show([], COLUMNS, empty="no boat")
    assert capsys.readouterr().out == "Möwe is there\n=cmd is there\nno boat\n"


def test_json_has_the_whole_records_or_a_view_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    show(BOATS, COLUMNS, as_json=True, empty="no boat")
    out = capsys.readouterr().out
    assert out.startswith('[\n  {\n    "name": "Möwe",\n')
    assert json.loads(out)[0] == {"name": "Möwe", "seats": 12, "seen": "2026-11-21T00:00:00+00:00"}
    show([], COLUMNS, as_json=True, empty="no boat")
    show(BOATS, COLUMNS, as_json=lambda boat: boat.seats)
    assert capsys.readouterr().out == "[]\n[\n  12,\n  3\n]\n"
    print_json({"of": BOATS[1]}, ascii_only=True)
    assert json.loads(capsys.readouterr().out) == {"of": {"name": "=cmd", "seats": 3, "seen": None}}


def test_csv_has_safe_cells(capsys: pytest.CaptureFixture[str]) -> None:
    show(BOATS, COLUMNS, as_csv=(Column("name"), Column("seen")))
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows == [["name", "seen"], ["Möwe", "2026-11-21T00:00:00+00:00"], ["'=cmd", ""]]
