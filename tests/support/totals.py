"""The kept totals of sites, compared with counts over the tables."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, select

from newscrawl.storage.tables.articles import pages, versions
from newscrawl.storage.tables.hours import site_totals


def assert_totals_are_true(connection: Connection) -> None:
    """Fails unless the kept totals are those of the tables."""
    kept = {(row.site, row.counted, row.value): row.number for row in connection.execute(select(site_totals))}
    assert kept == counted(connection)


def counted(connection: Connection) -> dict[tuple[str, str, str], int]:
    """The totals, counted row by row."""
    totals: Counter[tuple[str, str, str]] = Counter()
    for row in connection.execute(select(pages)):
        totals[row.site, "state", row.state] += 1
        if row.failure_kind is not None:
            totals[row.site, "failure", row.failure_kind] += 1
    shown = select(pages.c.site, versions).join_from(
        pages, versions, (versions.c.page_id == pages.c.id) & (versions.c.article_id == pages.c.article_id)
    )
    seen = set()
    for row in connection.execute(shown.order_by(versions.c.seen_at, pages.c.id)):
        if row.article_id in seen:
            totals[row.site, "duplicate", row.extractor] += 1
            continue
        seen.add(row.article_id)
        totals[row.site, "article", row.extractor] += 1
        if row.fallback:
            totals[row.site, "fallback", row.extractor] += 1
    return dict(totals)
