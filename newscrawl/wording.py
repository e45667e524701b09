"""Numbers with their nouns, wherever a person reads them: tables, messages, log lines."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """ "1 page", "2 pages"; `many` where an s does not make the plural."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
