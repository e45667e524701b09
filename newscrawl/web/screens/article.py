"""The screen of one page: the article that it shows, where each date was stated, the trace, copies and captures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from newscrawl.errors import NotFoundError, UsageError
from newscrawl.model import Structure
from newscrawl.model.identity import url_key
from newscrawl.reports import article as stored_article
from newscrawl.reports import url_report
from newscrawl.reports.history import CaptureLine, ShownVersion, best_capture, capture_lines, shown_version
from newscrawl.reports.story import NONE, Copy, FirstPage, Overlaps, copies
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen


@dataclass(frozen=True, slots=True)
class ArticleQuery:
    """Which page: by its address in any spelling, or the first page of an article by its id."""

    url: str | None = None
    id: int | None = None


@dataclass(frozen=True, slots=True)
class ArticleScreen:
    """A page. `state` is found, fetched, failed, gone or expired; `failure` is the reason code of the latest visit if
    that failed. `version` is what the page shows, `text` its text with its `structure`; they are None if it shows no
    article. `copies` are the articles of the same story, `overlaps` larger and smaller texts of other stories."""

    url: str
    site: str
    state: str
    verdict: str | None
    failure: str | None
    first_seen: datetime
    last_fetched: datetime | None
    next_due: datetime | None
    article_id: int | None
    text: str | None
    structure: Structure | None
    version: ShownVersion | None
    addresses: Sequence[str]
    other_pages: Sequence[str]
    first_page: FirstPage | None
    copies: Sequence[Copy]
    overlaps: Overlaps
    captures: Sequence[CaptureLine]
    capture: CaptureLine | None


def load(connection: Connection, query: ArticleQuery, context: Context) -> ArticleScreen:
    """Returns a page. Raises NotFoundError, UsageError, and InvalidUrl for what is no address."""
    url = address_of(connection, query.url, query.id)
    page = page_at(connection, url)
    if page is None or page.id is None:
        raise NotFoundError(f"no page is stored for {url[:200]}")
    report = url_report(connection, url, context.now)
    known = report.page if report is not None else None
    shown = known.article if known is not None else None
    found = stored_article(connection, page.article_id) if page.article_id is not None else None
    addresses = known.urls if known is not None else (page.url,)
    captures = tuple(capture_lines(connection, set(map(url_key, addresses))))
    return ArticleScreen(
        url=page.url,
        site=page.site,
        state=page.state,
        verdict=page.verdict,
        failure=page.failure_kind,
        first_seen=page.first_seen,
        last_fetched=page.last_fetched,
        next_due=page.next_due,
        article_id=page.article_id,
        text=found.text if found is not None else None,
        structure=found.structure if found is not None else None,
        version=shown_version(connection, page.id),
        addresses=tuple(addresses),
        other_pages=tuple(shown.other_pages) if shown is not None else (),
        first_page=shown.first_page if shown is not None else None,
        copies=tuple(copies(connection, page.article_id)) if page.article_id is not None else (),
        overlaps=shown.overlaps if shown is not None else NONE,
        captures=captures,
        capture=best_capture(captures),
    )


def address_of(connection: Connection, url: str | None, number: int | None) -> str:
    """Returns the address that a query names. Raises UsageError, or NotFoundError for an article that no page shows."""
    if url is not None and number is None:
        return url
    if number is None or url is not None:
        raise UsageError("give either url or id")
    found = stored_article(connection, number)
    if found is None:
        raise NotFoundError(f"no page shows an article with the id {number}")
    return found.url


SCREEN = Screen("article", "/article", "Article", ArticleQuery, ArticleScreen, load, in_navigation=False)
