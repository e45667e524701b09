"""What pages name of their texts, from which `newscrawl status` counts, compared with the versions."""

from __future__ import annotations

from sqlalchemy import Connection, select

from newscrawl.storage.tables.articles import pages, versions


def assert_totals_are_true(connection: Connection) -> None:
    """Fails unless each page names the extractor of the version that it shows, and no other page names one."""
    shown = (versions.c.page_id == pages.c.id) & (versions.c.article_id == pages.c.article_id)
    query = select(pages, versions.c.extractor.label("by"), versions.c.fallback.label("late"))
    for row in connection.execute(query.select_from(pages.outerjoin(versions, shown))):
        assert (row.extractor, row.fallback) == (row.by, row.late), row.url
        assert (row.joined is None) == (row.article_id is None), row.url
