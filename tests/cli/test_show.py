"""One module prints the tables, CSV and JSON of all commands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pytest

from newscrawl.cli.common.show import Column, show


@dataclass(frozen=True)
class Boat:
    name: str
    seats: int
    seen: datetime | None = None


def test_nothing_in_a_cell_is_markup_or_an_emoji(capsys: pytest.CaptureFixture[str]) -> None:
    show([Boat("[red]a[/] :boat:", 1)], (Column("name"),))
    assert "[red]a[/] :boat:" in capsys.readouterr().out
