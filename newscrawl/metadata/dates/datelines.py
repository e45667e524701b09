"""Finds dates in the visible text of a page that states its publication nowhere else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Final

from newscrawl.metadata.dates.labels import BARE, DATED, PUBLISHED, publication_part
from newscrawl.metadata.dates.parse_date import MAX_RAW, read_date
from newscrawl.page import Page

LINE_WORDS: Final = 15
"""The most words of a date line. A longer run is a sentence, which may be about any day unless it has a label."""

MAX_LINES: Final = 40
"""The most lines with a date. A page with more is a list or a forum."""

MAX_LABELLED: Final = 3

_SOMETHING_ELSE: Final = re.compile(
    r"last |nächste|termin|événement|calendar|calendario|veranstaltung|\bevents?\b", re.IGNORECASE
)
"""Lines about the future. Lines of a change or a copyright are recognised by `labels`."""
_DATELINE: Final = re.compile(
    r"\W*(?:[^\W\d_]{2,20}(?:[ -][^\W\d_]{2,20}){0,2}\s?[,(]\s?)?"
    r"(?:\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}|\d{1,2}\.? [^\W\d_]{3,12}\.? \d{4}|[^\W\d_]{3,12}\.? \d{1,2}, \d{4})\)?"
    r"(?:\s\([^\W\d_]{2,20}\))?\s*[-–—:|]"
)
"""The beginning of a text: "Lyon, 12 mai 2024 (AFP) – "."""


def dates_in_text(page: Page, *, day_first: bool) -> Iterator[str]:
    """Yields lines that state the publication; without any, a line with the day that the lines with a date agree on;
    else the lines that are only a day.

    Lines agree if all of them, or more than half of at least three, name the same day. Linear in the page.
    """
    labelled: list[str] = []
    lines: list[str] = []
    for run in page.runs:
        start = run.text[:MAX_RAW]
        if DATED.search(start) is None or _SOMETHING_ELSE.search(start) or (part := publication_part(start)) is None:
            continue
        if PUBLISHED.search(part):
            labelled.append(part)
        elif (run.words <= LINE_WORDS and 2 * run.linked_words <= run.words) or _DATELINE.match(start):
            lines.append(start)
    yield from labelled[:MAX_LABELLED]
    if len(lines) > MAX_LINES:
        return
    days = [(day, line) for line in lines if (day := _day(line, day_first)) is not None]
    yield from _agreed(days) or _agreed([(day, line) for day, line in days if BARE.fullmatch(line)])


def _agreed(days: list[tuple[date, str]]) -> tuple[str, ...]:
    """Returns the first line with the day that all lines name, or more than half of at least three."""
    for day, count in Counter(day for day, _ in days).most_common(1):
        if count == len(days) or (len(days) > 2 and 2 * count > len(days)):
            return (next(line for other, line in days if other == day),)
    return ()


def _day(line: str, day_first: bool) -> date | None:
    written = read_date(line, day_first=day_first)
    return written.when.date() if written is not None and written.precision not in ("year", "month") else None
