"""Everything that is known of one URL, for `newscrawl why`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from newscrawl.crawling.scheduling.site_state import SiteDay
from newscrawl.model import Discovery
from newscrawl.model.identity import registrable_domain, url_key
from newscrawl.reports.history import StoredVersion
from newscrawl.reports.review import InReview, in_review
from newscrawl.reports.sources import Source, domain_of, host_rests, sources_at
from newscrawl.reports.story import NONE, FirstPage, Overlaps, first_page, overlaps
from newscrawl.storage import events
from newscrawl.storage.articles.lookup import page_at, select_pages
from newscrawl.storage.articles.rows import PAGE
from newscrawl.storage.engine.types import TEXT_LIMIT, is_cut
from newscrawl.storage.frontier import sightings
from newscrawl.storage.frontier.sightings import Brought
from newscrawl.storage.monitoring import hours
from newscrawl.storage.records import GENERIC_SITE, Event, PageRow
from newscrawl.storage.removal import blocklist
from newscrawl.storage.tables.articles import articles, pages, urls, versions
from newscrawl.storage.tables.operations import runs


@dataclass(frozen=True, slots=True)
class ArticleSummary:
    """The article that a page shows, without its text. `other_pages` are the other URLs that show it."""

    id: int
    content_hash: str
    characters: int
    language: str | None
    extractor: str
    first_seen: datetime
    other_pages: Sequence[str]
    truncated: bool = False
    """Whether the text was too long and is stored cut."""
    overlaps: Overlaps = NONE
    first_page: FirstPage | None = None
    """The page by which the article's story is shown."""


@dataclass(frozen=True, slots=True)
class PageReport:
    """The page that a URL leads to. `urls` are all known addresses that lead to it; `versions` has the oldest first."""

    page: PageRow
    urls: Sequence[str]
    discovery: Discovery | None
    article: ArticleSummary | None
    versions: Sequence[StoredVersion]
    brought_forward: Sequence[Brought] = ()
    """The announcements of edits for which the next visit was brought forward."""
    waits: SiteDay | None = None
    """Today's counts of its site, if the page was never fetched and waits because today's limit is reached."""


@dataclass(frozen=True, slots=True)
class UrlReport:
    """The stored data of a URL. `page` is None if it was never fetched. Events are in the order of time.

    `sources` has an entry for each site that reads the URL as a feed, a sitemap or a section; mostly none.
    """

    url: str
    url_key: str
    page: PageReport | None
    events: Sequence[Event]
    sources: Sequence[Source] = ()
    in_review: Sequence[InReview] = ()
    """Its entries in the review queue; mostly none."""
    blocked_since: datetime | None = None
    """When it was blocked (`newscrawl forget --block`); None for nearly all URLs."""
    host_rests_until: datetime | None = None
    """Until when its host gets no request (sources.Source)."""
    crawled_since: datetime | None = None
    """When the first known crawl of the page's site began; None if newscrawl has requested nothing of it."""


def url_report(connection: Connection, url: str, now: datetime | None = None) -> UrlReport | None:
    """Returns what is known of a URL in any spelling; None if nothing is. Without `now`, `waits` is left out.

    Raises InvalidUrl for anything but an http(s) URL.
    """
    key = url_key(url)
    page, read = page_at(connection, url), sources_at(connection, [key])
    barred = blocklist.since(connection, [blocklist.key_of_url(key)])
    _, rests = host_rests(connection, [url]).get(domain_of(url), (0, None))
    if page is None:
        happened = events.load_urls(connection, [key])
        kept = in_review(connection, keys=[key])
        known = happened or read or kept or barred
        return UrlReport(url, key, None, happened, read, kept, barred, rests) if known else None
    addresses = connection.execute(select(urls).where(urls.c.page_id == page.id).order_by(urls.c.url_key)).all()
    spellings = list(dict.fromkeys([page.url, *(row.url for row in addresses)]))
    past = select(versions).where(versions.c.page_id == page.id)
    page_story = PageReport(
        page,
        spellings,
        page.discovery,
        _article(connection, page),
        list(map(StoredVersion.of, connection.execute(past.order_by(versions.c.seen_at, versions.c.id)))),
        sightings.load_brought(connection, page),
        _waits(connection, page, now),
    )
    keys = [key, *(row.url_key for row in addresses)]
    kept = in_review(connection, keys=keys)
    crawled = connection.execute(select(func.min(runs.c.started)).where(runs.c.site == page.site)).scalar_one()
    return UrlReport(url, key, page_story, events.load_urls(connection, keys), read, kept, barred, rests, crawled)


def _waits(connection: Connection, page: PageRow, now: datetime | None) -> SiteDay | None:
    if page.state != "found" or now is None:
        return None
    name = page.site if page.site != GENERIC_SITE else f"{GENERIC_SITE}:{registrable_domain(page.url)}"
    return hours.full(connection, now, name).get(name)


def _article(connection: Connection, page: PageRow) -> ArticleSummary | None:
    if page.article_id is None:
        return None
    row = connection.execute(select(articles).where(articles.c.id == page.article_id)).one()
    showing = connection.execute(select_pages().where(pages.c.article_id == row.id).order_by(pages.c.id))
    others = [other.url for other in map(PAGE.read, showing) if other.id != page.id]
    return ArticleSummary(
        row.id,
        row.content_hash,
        len(row.text),
        row.language,
        row.extractor,
        row.first_seen,
        others,
        is_cut(row.text, TEXT_LIMIT),
        overlaps(connection, row.id),
        first_page(connection, row.id),
    )
