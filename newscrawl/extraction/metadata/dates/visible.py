"""Finds the days that readers see: lines and <time> elements around the headline, elements with a class for dates, and
lines anywhere in the text of a page that states its publication nowhere else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from newscrawl.extraction.metadata.dates.labels import (
    BARE,
    EVENT,
    OTHER,
    PUBLISHED,
    UPDATED,
    change_part,
    is_dated,
    is_sentence,
    publication_part,
)
from newscrawl.extraction.metadata.nearby import Nearby, ShortLine, is_caption
from newscrawl.model.written_dates.parse_date import MAX_RAW, read_date
from newscrawl.page import Page
from newscrawl.page.head import Marked
from newscrawl.page.run import TextRun

BESIDE_HEADLINE: Final = 40
"""Elements after the headline in which a day is the article's. Further down there are other articles with theirs."""

_BYLINES: Final = 4
"""Lines after the headline with standfirst, byline and day. After them come text, captions and other articles."""

PUBLISHED_CLASS: Final = re.compile(
    r"(?:entry|post|article|story|publish(?:ed)?|publication|news|blog|release)[-_]{0,2}(?:date|time)|(?:date|time)[-_]{0,2}publi|pubdate",
    re.IGNORECASE,
)
DATE_CLASS: Final = re.compile(r"date|publish|byline", re.IGNORECASE)
_OTHERS_CLASS: Final = re.compile(r"updat|modif|teaser|related", re.IGNORECASE)
"""Classes of dates that are no publication, or of another article."""
_CHANGE: Final = re.compile(r"updat|modif")
_PUBLISHED_TIME: Final = re.compile(r"publi|entry-date")

MAX_LABEL: Final = 30
"""The most characters of a label on its own line or in its own element."""
_INLINE_LEVELS: Final = 6
"""The most elements between a <time> and the block that it is part of."""


class VisibleDate(NamedTuple):
    """A day on the page, its source, and the element in which it is."""

    raw: str
    source: str
    element: int


def beside_headline(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields the days around the headline in the page's order, those after it first: short lines that are not about a
    change, and <time> elements, which are exact where the line only says "an hour ago"."""
    waiting = [m for m in nearby.ordered(_times(nearby)) if m.element > (nearby.headline or 0)][::-1]
    for line in nearby.lines:
        while waiting and _stands_before(waiting[-1], line.run, nearby):
            time = waiting.pop()
            is_in_line = bool(time.text) and time.text in line.text
            part = publication_part(labelled(line) if is_in_line else time.text)
            if part is not None and (not is_in_line or time.text in part):
                yield VisibleDate(time.attributes.get("datetime") or time.text, "time", time.element)
        if not is_dated(line.text) or is_sentence(line.text, line.run.words):
            continue
        if part := publication_part(labelled(line)):
            yield VisibleDate(part, "headline", line.run.element)


def labelled(line: ShortLine) -> str:
    """Returns the line with the text before it, if that is a label such as "Updated" or "Joined"."""
    before = line.before
    if len(before) > MAX_LABEL or is_dated(before):
        return line.text
    is_label = UPDATED.search(before) or OTHER.search(before) or EVENT.fullmatch(before)
    return f"{before} {line.text}" if is_label else line.text


def bare_days(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields days on a line of their own right after the headline, except links to other articles."""
    for line in nearby.lines[:_BYLINES]:
        run, part = line.run, publication_part(labelled(line)) if is_dated(line.text) else None
        if part and BARE.fullmatch(part) and not run.linked_words and run.element > (nearby.headline or 0):
            yield VisibleDate(part, "headline", run.element)


def changes_beside_headline(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields lines around the headline that say when the article was changed."""
    for line in nearby.lines:
        if is_dated(line.text) and (part := change_part(labelled(line))):
            yield VisibleDate(part, "headline:updated", line.run.element)


def marked_changes(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields the same from elements with a class for dates."""
    for m in _marked(nearby, DATE_CLASS):
        if part := change_part(m.text):
            yield VisibleDate(part, "class:updated", m.element)


def marked_days(nearby: Nearby, names: re.Pattern[str], within: int | None = None) -> Iterator[VisibleDate]:
    """Yields the text of elements with a class for dates; with `within`, only so many elements after the headline."""
    start = nearby.headline
    if within is not None and start is None:
        return
    for m in _marked(nearby, names):
        if (within is None or (start or 0) <= m.element <= (start or 0) + within) and (day := _day_of(m)):
            yield VisibleDate(day, "class", m.element)


def _marked(nearby: Nearby, names: re.Pattern[str]) -> list[Marked]:
    """Returns elements with such a class, those after the headline first."""
    marked = nearby.page.hints.marked
    return nearby.ordered(
        m
        for m in marked
        if m.tag != "time" and (of := m.attributes.get("class")) and names.search(of) and not _OTHERS_CLASS.search(of)
    )


def published_times(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields <time> elements that are marked as the publication."""
    for m in nearby.ordered(_times(nearby)):
        if _is_published(m):
            yield VisibleDate(m.attributes.get("datetime") or m.text, "time:published", m.element)


def all_times(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields <time> elements, those after the headline first."""
    for m in nearby.ordered(_times(nearby)):
        if publication_part(m.text) is not None:
            yield VisibleDate(m.attributes.get("datetime") or m.text, "time", m.element)


def _times(nearby: Nearby) -> Iterator[Marked]:
    """Yields <time> elements except those of a change. A class that names both is of an unchanged article."""
    for m in nearby.page.hints.marked:
        if m.tag == "time" and (_is_published(m) or not _CHANGE.search(_names(m))):
            yield m


def _is_published(time: Marked) -> bool:
    return "pubdate" in time.attributes or _PUBLISHED_TIME.search(_names(time)) is not None


def _names(marked: Marked) -> str:
    return f"{marked.attributes.get('class', '')} {marked.attributes.get('itemprop', '')}".lower()


def _stands_before(time: Marked, run: TextRun, nearby: Nearby) -> bool:
    """Returns whether the page shows the element before the run or inside it."""
    if time.element < run.element:
        return True
    if not time.text or time.text not in run.text:
        return False
    parent, element = nearby.page.elements.parent, time.element
    for _ in range(_INLINE_LEVELS):
        if element <= run.element:
            break
        element = parent[element]
    return element == run.element


def _day_of(marked: Marked) -> str | None:
    """Returns the date of the element: its attribute for machines, its tooltip (as in hAtom), else its text if that is
    about the publication."""
    get = marked.attributes.get
    stated = get("content") or get("datetime")
    if stated:
        return stated
    tooltip = get("title", "")
    return tooltip if is_dated(tooltip) else publication_part(marked.text)


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
        if not is_dated(start) or (part := change_part(start)) is None or nearby.is_comment(run.element):
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
        if not is_dated(start) or _SOMETHING_ELSE.search(start) or (part := publication_part(start)) is None:
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
