"""The days that readers see: lines and <time> elements around the headline, elements whose class speaks of a day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from newscrawl.metadata.dates.labels import BARE, DATED, OTHER, UPDATED, of_change, of_publication
from newscrawl.metadata.dates.nearby import Nearby, ShortLine
from newscrawl.page.head import Marked
from newscrawl.page.run import Run

BESIDE_HEADLINE: Final = 40
"""Elements behind the headline among which a day is the article's; further on stand other articles with theirs."""

_BYLINES: Final = 4
"""Lines behind the headline that hold standfirst, byline and day; then come text, captions and other articles."""

PUBLISHED_CLASS: Final = re.compile(
    r"(?:entry|post|article|story|publish(?:ed)?|publication|news|blog|release)[-_]{0,2}(?:date|time)|(?:date|time)[-_]{0,2}publi|pubdate",
    re.IGNORECASE,
)
DATE_CLASS: Final = re.compile(r"date|publish|byline", re.IGNORECASE)
_OTHERS_CLASS: Final = re.compile(r"updat|modif|teaser|related", re.IGNORECASE)
"""Classes of dates that are no publication, or another article's."""
_CHANGE: Final = re.compile(r"updat|modif")
_PUBLISHED_TIME: Final = re.compile(r"publi|entry-date")

MAX_LABEL: Final = 30
"""Characters of a label that stands in a line or an element of its own."""
_INLINE_LEVELS: Final = 6
"""Elements between a <time> and the block whose text it is part of."""


class VisibleDate(NamedTuple):
    """A day on the page, and where."""

    raw: str
    source: str


def beside_headline(nearby: Nearby) -> Iterator[VisibleDate]:
    """Days around the headline in the page's order, those after it first: short lines that are not about a change, and
    <time> elements, which say exactly what the line may only say as "an hour ago"."""
    waiting = [m for m in nearby.ordered(_times(nearby)) if m.element > (nearby.headline or 0)][::-1]
    for line in nearby.lines:
        while waiting and _stands_before(waiting[-1], line.run, nearby):
            time = waiting.pop()
            if of_publication(labelled(line) if time.text and time.text in line.text else time.text) is not None:
                yield VisibleDate(time.attributes.get("datetime") or time.text, "time")
        if DATED.search(line.text) and (part := of_publication(labelled(line))):
            yield VisibleDate(part, "headline")


def labelled(line: ShortLine) -> str:
    """The line behind what stands before it, if that is no more than a label: "Updated", "Joined"."""
    before = line.before
    if len(before) > MAX_LABEL or DATED.search(before) or not (UPDATED.search(before) or OTHER.search(before)):
        return line.text
    return f"{before} {line.text}"


def bare_days(nearby: Nearby) -> Iterator[VisibleDate]:
    """Days that stand in a line of their own right behind the headline, not in a link to another article."""
    for line in nearby.lines[:_BYLINES]:
        run, part = line.run, of_publication(labelled(line)) if DATED.search(line.text) else None
        if part and BARE.fullmatch(part) and not run.linked_words and run.element > (nearby.headline or 0):
            yield VisibleDate(part, "headline")


def changes_beside_headline(nearby: Nearby) -> Iterator[VisibleDate]:
    """Lines around the headline that say when the article was changed."""
    for line in nearby.lines:
        if DATED.search(line.text) and (part := of_change(labelled(line))):
            yield VisibleDate(part, "headline:updated")


def marked_changes(nearby: Nearby) -> Iterator[VisibleDate]:
    """The same of elements whose class says that they hold a day."""
    for m in _marked(nearby, DATE_CLASS):
        if part := of_change(m.text):
            yield VisibleDate(part, "class:updated")


def marked_days(nearby: Nearby, names: re.Pattern[str], within: int | None = None) -> Iterator[VisibleDate]:
    """Text of elements whose class says that it is a day; with `within`, so many elements behind the headline only."""
    start = nearby.headline
    if within is not None and start is None:
        return
    for m in _marked(nearby, names):
        if (within is None or (start or 0) <= m.element <= (start or 0) + within) and (day := _day_of(m)):
            yield VisibleDate(day, "class")


def _marked(nearby: Nearby, names: re.Pattern[str]) -> list[Marked]:
    """Elements with such a class, those after the headline first."""
    marked = nearby.page.hints.marked
    return nearby.ordered(
        m
        for m in marked
        if m.tag != "time" and (of := m.attributes.get("class")) and names.search(of) and not _OTHERS_CLASS.search(of)
    )


def published_times(nearby: Nearby) -> Iterator[VisibleDate]:
    """<time> elements that are said to be the publication."""
    for m in nearby.ordered(_times(nearby)):
        if _is_published(m):
            yield VisibleDate(m.attributes.get("datetime") or m.text, "time:published")


def all_times(nearby: Nearby) -> Iterator[VisibleDate]:
    """<time> elements, those after the headline first."""
    for m in nearby.ordered(_times(nearby)):
        if of_publication(m.text) is not None:
            yield VisibleDate(m.attributes.get("datetime") or m.text, "time")


def _times(nearby: Nearby) -> Iterator[Marked]:
    """<time> elements but those of a change; a class may name both, where there was no change."""
    for m in nearby.page.hints.marked:
        if m.tag == "time" and (_is_published(m) or not _CHANGE.search(_names(m))):
            yield m


def _is_published(time: Marked) -> bool:
    return "pubdate" in time.attributes or _PUBLISHED_TIME.search(_names(time)) is not None


def _names(marked: Marked) -> str:
    return f"{marked.attributes.get('class', '')} {marked.attributes.get('itemprop', '')}".lower()


def _stands_before(time: Marked, run: Run, nearby: Nearby) -> bool:
    """Whether the page shows the element before the run or inside it."""
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
    """What the element states: for machines, in a tooltip (as hAtom has it), else in its text if that is about the
    publication."""
    get = marked.attributes.get
    stated = get("content") or get("datetime")
    if stated:
        return stated
    tooltip = get("title", "")
    return tooltip if DATED.search(tooltip) else of_publication(marked.text)
