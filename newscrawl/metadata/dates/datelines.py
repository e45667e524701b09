"""Finds dates in the visible text of a page that states its publication nowhere else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Final

from newscrawl.metadata.dates.labels import BARE, DATED, PUBLISHED, UPDATED, change_part, is_sentence, publication_part
from newscrawl.metadata.dates.visible import VisibleDate
from newscrawl.metadata.nearby import Nearby, is_caption
from newscrawl.page import Page
from newscrawl.page.run import TextRun
from newscrawl.written_dates.parse_date import MAX_RAW, read_date

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

CHANGE_CHARACTERS: Final = 40
"""Characters at the beginning of a line in which its label says that it is about a change."""
MAX_CHANGE_WORDS: Final = 25
"""The most words of such a line."""


def changes_in_text(nearby: Nearby, *, day_first: bool) -> Iterator[VisibleDate]:
    """Yields the line of the page that says when it was changed, if all such lines name one day; comments do not count.
    Linear in the page.

    They stand at the end of the text or of the page: "Aktualisiert: 30.12.2016", "This page was last edited on ..."
    """
    changes: dict[date, VisibleDate] = {}
    for run in nearby.page.runs:
        if run.words > MAX_CHANGE_WORDS:
            continue
        start = run.text[:MAX_RAW]
        if DATED.search(start) is None or (part := change_part(start)) is None or nearby.is_comment(run.element):
            continue
        day = _day(part, day_first) if UPDATED.search(start[:CHANGE_CHARACTERS]) else None
        if day is not None:
            changes.setdefault(day, VisibleDate(part, "text:updated", run.element))
    if len(changes) == 1:
        yield from changes.values()


def dates_in_text(nearby: Nearby, *, day_first: bool) -> Iterator[VisibleDate]:
    """Yields lines that state the publication; without any, the lines with the day that the lines with a date agree on;
    else the lines that are only a day. Sentences are counted, but are no date lines. Comments do not count.

    Lines agree if all of them, or more than half of at least three, name the same day. Linear in the page.
    """
    labelled: list[VisibleDate] = []
    lines: list[VisibleDate] = []
    page = nearby.page
    for run in page.runs:
        start = run.text[:MAX_RAW]
        if DATED.search(start) is None or _SOMETHING_ELSE.search(start) or (part := publication_part(start)) is None:
            continue
        if nearby.is_comment(run.element):
            continue
        if PUBLISHED.search(part):
            labelled.append(VisibleDate(part, "text", run.element))
        elif _DATELINE.match(start) or _is_line(page, run):
            lines.append(VisibleDate(start, "text", run.element))
    yield from labelled[:MAX_LABELLED]
    if len(lines) > MAX_LINES:
        return
    days = [(day, line) for line in lines if (day := _day(line.raw, day_first)) is not None]
    agreed = _agreed(days) or _agreed([(day, line) for day, line in days if BARE.fullmatch(line.raw)])
    yield from (
        line for line in agreed if _DATELINE.match(line.raw) or not is_sentence(line.raw, len(line.raw.split()))
    )


def _is_line(page: Page, run: TextRun) -> bool:
    """Returns whether a run may be a date line: short, no caption, and not mostly links."""
    return run.words <= LINE_WORDS and 2 * run.linked_words <= run.words and not is_caption(page, run)


def _agreed(days: list[tuple[date, VisibleDate]]) -> tuple[VisibleDate, ...]:
    """Returns the lines with the day that all lines name, or more than half of at least three."""
    for day, count in Counter(day for day, _ in days).most_common(1):
        if count == len(days) or (len(days) > 2 and 2 * count > len(days)):
            return tuple([line for other, line in days if other == day])
    return ()


def _day(line: str, day_first: bool) -> date | None:
    written = read_date(line, day_first=day_first)
    return written.when.date() if written is not None and written.precision not in ("year", "month") else None
