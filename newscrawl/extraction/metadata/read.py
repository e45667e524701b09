"""Reads all that a page states about its article into one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from newscrawl.extraction.metadata.author_names import names_in
from newscrawl.extraction.metadata.authors import MAX_AUTHORS, authors_of
from newscrawl.extraction.metadata.dates import MAX_REFUSED, Dates, Stated, dates_of, why_not
from newscrawl.extraction.metadata.fields import (
    canonical_address,
    language_of,
    lead_image,
    section_of,
    site_name_of,
    site_names,
    tags_of,
    writes_day_first,
)
from newscrawl.extraction.metadata.nearby import Nearby
from newscrawl.extraction.metadata.structured import Microdata, Structured, read_structured
from newscrawl.extraction.metadata.text import MAX_DESCRIPTION, clean
from newscrawl.extraction.metadata.titles import title_of
from newscrawl.model import LiveEntry, Metadata, PublishedDate, RefusedDate
from newscrawl.model.written_dates.parse_date import MAX_RAW, read_date
from newscrawl.page import Page

if TYPE_CHECKING:
    from newscrawl.extraction.metadata.media import Media
    from newscrawl.extraction.site_hints.apply import PageHints


class MetadataReader:
    """The metadata of one page. Each part is read when it is first needed, and only once.

    Order of trust: JSON-LD, meta elements, microdata, mark-up. Never raises. `fetched_at` (aware) limits the credible
    dates and is never used as a date of the article. What `hints` of the site find goes before all of these. What reads
    media and live reports is loaded when they are: many programs want neither.
    """

    def __init__(self, page: Page, *, fetched_at: datetime, hints: PageHints | None = None) -> None:
        self._page = page
        self._fetched_at = fetched_at
        self._hints = hints

    @cached_property
    def structured(self) -> Structured:
        """The JSON-LD objects about the article and the page."""
        return read_structured(self._page.hints.json_ld, self._page.url, self._headline)

    @cached_property
    def structured_by_title(self) -> Structured:
        """The same, chosen by the title that is read of the page: mostly the headline, by which it is read."""
        if self.title == self._headline:
            return self.structured
        return read_structured(self._page.hints.json_ld, self._page.url, self.title)

    @cached_property
    def _headline(self) -> str | None:
        return clean(self._page.head.first("og:title")) or self._page.hints.headline

    @cached_property
    def title(self) -> str | None:
        hinted = clean(self._hints.title) if self._hints is not None else None
        return hinted or title_of(self._page, self.structured, self._microdata, self._site)

    @cached_property
    def authors(self) -> tuple[str, ...]:
        return hinted_authors(self._hints) or authors_of(self.structured, self._microdata, self._nearby, self._site)

    @cached_property
    def dates(self) -> Dates:
        """The published, modified and rejected dates."""
        day_first = writes_day_first(self._page)
        dates = dates_of(
            self.structured, self._microdata, self._nearby, fetched_at=self._fetched_at, day_first=day_first
        )
        return hinted_dates(self._hints, dates, self._fetched_at, day_first=day_first)

    def media(self, kept: Sequence[int]) -> Media:
        """Returns the images, videos and sounds of the article whose text are these runs of the page."""
        from newscrawl.extraction.metadata.media import media_of

        return media_of(self._page, self.structured, self._nearby.headline, kept)

    def live_entries(self, kept: Sequence[int]) -> tuple[LiveEntry, ...]:
        """Returns the entries of a live report whose text are these runs of the page."""
        from newscrawl.extraction.metadata.live_entries import live_entries_of

        return live_entries_of(
            self._page,
            self.structured,
            kept,
            fetched_at=self._fetched_at,
            day_first=writes_day_first(self._page),
            published=self.dates.published,
        )

    @cached_property
    def metadata(self) -> Metadata:
        """All of the metadata except the media and live entries, which depend on the text."""
        page, structured = self._page, self.structured
        return Metadata(
            title=self.title,
            authors=self.authors,
            published=self.dates.published,
            modified=self.dates.modified,
            refused_dates=self.dates.refused,
            language=language_of(page, structured),
            section=section_of(page, structured),
            tags=tags_of(page, structured),
            image=lead_image(page, structured),
            canonical=canonical_address(page),
            site_name=site_name_of(page, structured),
            description=_description(page, structured),
        )

    @cached_property
    def _microdata(self) -> Microdata:
        return Microdata(self._page)

    @cached_property
    def _site(self) -> frozenset[str]:
        return site_names(self._page, self.structured)

    @cached_property
    def _nearby(self) -> Nearby:
        return Nearby(self._page, self.title)


def read_metadata(page: Page, *, fetched_at: datetime) -> Metadata:
    """Returns everything that `MetadataReader` reads. Missing values are None or empty. Every string is one line in NFC
    without control characters and of limited length."""
    return MetadataReader(page, fetched_at=fetched_at).metadata


def _description(page: Page, structured: Structured) -> str | None:
    stated = (page.head.first("og:description", "description", "twitter:description"), structured.get("description"))
    return next((text for raw in stated if (text := clean(raw, MAX_DESCRIPTION))), None)


SOURCE: Final = "hint"
"""The source of a date that a hint names."""


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
