"""One page for programs: its state, and the article that it shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.reports.export import ExportedArticle, article
from newscrawl.storage.articles.lookup import page_at


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page. `state` is `found` (not fetched yet), `fetched`, `failed` (the latest visit failed), `gone` (404, 410) or
    `expired` (its texts were deleted because of their age).

    `first_seen` is when newscrawl first knew of the page, announced or fetched. `last_change` is when a visit last
    found another text or headline. `failure` is the reason code of the latest visit if that failed. `article` is the
    article that the page shows; its address and metadata are those of the page that is shown first, which may be
    another one.
    """

    id: int
    url: str
    site: str
    state: str
    first_seen: datetime
    last_fetched: datetime | None
    last_change: datetime | None
    verdict: str | None
    failure: str | None
    article: ExportedArticle | None


def stored_page(connection: Connection, url: str) -> StoredPage | None:
    """Returns the page that an address leads to, in any spelling; None for an unknown address. Raises InvalidUrl."""
    page = page_at(connection, url)
    if page is None or page.id is None:
        return None
    return StoredPage(
        id=page.id,
        url=page.url,
        site=page.site,
        state=page.state,
        first_seen=page.first_seen,
        last_fetched=page.last_fetched,
        last_change=page.last_change,
        verdict=page.verdict,
        failure=page.failure_kind,
        article=article(connection, page.article_id) if page.article_id is not None else None,
    )
