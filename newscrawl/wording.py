"""Numbers with their nouns, for tables, messages and log lines."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """Returns the number with its noun: "1 page", "2 pages". `many` is the plural if it is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
