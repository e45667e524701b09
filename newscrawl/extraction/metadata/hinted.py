"""Reads the fields that hints of the site name. An element without a usable value leaves the field to the other
sources."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from newscrawl.extraction.metadata.authors.names import names_in
from newscrawl.extraction.metadata.authors.select import MAX_AUTHORS
from newscrawl.extraction.metadata.dates.published import MAX_REFUSED, Dates, Stated, why_not
from newscrawl.extraction.metadata.text import clean
from newscrawl.model import PublishedDate, RefusedDate
from newscrawl.model.written_dates.parse_date import MAX_RAW, read_date

if TYPE_CHECKING:  # loaded for sites with hints
    from newscrawl.extraction.site_hints.apply import PageHints

SOURCE: Final = "hint"
"""The source of a date that a hint names."""


def hinted_title(hints: PageHints | None) -> str | None:
    """Returns the title that the hints name; None without one."""
    return clean(hints.title) if hints is not None else None


def hinted_authors(hints: PageHints | None) -> tuple[str, ...]:
    """Returns the names in the bylines that the hints name."""
    if hints is None:
        return ()
    names = dict.fromkeys(name for raw in hints.authors for name in names_in(raw))
    return tuple(names)[:MAX_AUTHORS]


def hinted_dates(hints: PageHints | None, dates: Dates, fetched_at: datetime, *, day_first: bool) -> Dates:
    """Returns the dates with the publication that the hints name, if it is credible."""
    raw = clean(hints.published, MAX_RAW) if hints is not None else None
    written = read_date(raw, day_first=day_first) if raw else None
    if raw is None or written is None:
        return dates
    if reason := why_not(written, Stated(raw, SOURCE), fetched_at):
        return replace(dates, refused=(RefusedDate(raw, SOURCE, reason), *dates.refused)[:MAX_REFUSED])
    date = PublishedDate(written.when, SOURCE, written.precision, written.zone_stated, written.offset)
    return replace(dates, published=date)
