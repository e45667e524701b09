"""All that a page says of its article, in one value."""

from __future__ import annotations

from datetime import datetime

from newscrawl.metadata.addresses import canonical_address, image_address
from newscrawl.metadata.authors import authors_of
from newscrawl.metadata.dates import dates_of
from newscrawl.metadata.languages import language_of, writes_day_first
from newscrawl.metadata.microdata import Microdata
from newscrawl.metadata.nearby import Nearby
from newscrawl.metadata.sites import site_name_of, site_names
from newscrawl.metadata.structured import Structured, read_structured
from newscrawl.metadata.text import MAX_DESCRIPTION, clean
from newscrawl.metadata.titles import title_of
from newscrawl.metadata.topics import section_of, tags_of
from newscrawl.model import Metadata
from newscrawl.page import Page


def read_metadata(page: Page, *, fetched_at: datetime) -> Metadata:
    """Read JSON-LD, meta elements, microdata and mark-up, in this order of trust; never raises, whatever the page.

    `fetched_at` (aware) bounds the dates that are believed and is never taken for one. What the page does not say is
    None or empty. Every string is one line in NFC without control characters and of bounded length.
    """
    structured = read_structured(
        page.hints.json_ld, page.url, clean(page.head.first("og:title")) or page.hints.headline
    )
    microdata = Microdata(page)
    site = site_names(page, structured)
    title = title_of(page, structured, microdata, site)
    nearby = Nearby(page, title)
    dates = dates_of(structured, microdata, nearby, fetched_at=fetched_at, day_first=writes_day_first(page))
    return Metadata(
        title=title,
        authors=authors_of(structured, microdata, nearby, site),
        published=dates.published,
        modified=dates.modified,
        refused_dates=dates.refused,
        language=language_of(page, structured),
        section=section_of(page, structured),
        tags=tags_of(page, structured),
        image=image_address(page, structured),
        canonical=canonical_address(page),
        site_name=site_name_of(page, structured),
        description=_description(page, structured),
    )


def _description(page: Page, structured: Structured) -> str | None:
    stated = (page.head.first("og:description", "description", "twitter:description"), structured.get("description"))
    return next((text for raw in stated if (text := clean(raw, MAX_DESCRIPTION))), None)
