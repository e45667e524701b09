"""Writes rows of `pages` and of the addresses that lead to them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, select, update

from newscrawl.storage.articles import credible_times
from newscrawl.storage.articles.rows import page_values
from newscrawl.storage.articles.writing import headlines
from newscrawl.storage.articles.writing.part import ItemBatch
from newscrawl.storage.engine.upsert import earlier, incoming, upsert
from newscrawl.storage.feed.announce import article_of
from newscrawl.storage.monitoring.site_totals import CountedPage
from newscrawl.storage.records import GENERIC_SITE, PageRow, owner
from newscrawl.storage.tables.schema import pages, urls, versions


def write_pages(connection: Connection, part: ItemBatch) -> None:
    """Writes every page that the part changed, in its state after the last item. Adds the ids to `part.page_ids`."""
    known = part.known
    final = [credible_times.as_stored(page, part.before.get(page.url_key)) for page in _changed(part)]
    if not final:
        return
    rows = [page_values(page, article_of(known, page)) for page in final]
    written: dict[str, Any] = {name: incoming for name in rows[0] if name != "url_key"}
    written["site"] = _owner
    written["first_seen"] = earlier
    returning = [pages.c.url_key, pages.c.id]
    stored = upsert(connection, pages, ["url_key"], rows, written, returning)
    part.page_ids.update((row.url_key, row.id) for row in stored)


def counted_before(part: ItemBatch) -> dict[int, CountedPage]:
    """Returns the pages that the part changes, as they are stored, by id; also those that are merged into others."""
    merged = (intent.merged for _, intent in part.decided if intent.merged is not None)
    stored = (part.before.get(key) for key in {*merged, *(page.url_key for page in _changed(part))})
    return {page.id: CountedPage.of(page) for page in stored if page is not None and page.id is not None}


def counted_after(part: ItemBatch) -> dict[int, CountedPage]:
    """Returns the pages that the part changed, as `write_pages` has written them, by id."""
    counted = {}
    for page in _changed(part):
        before = part.before.get(page.url_key)
        site = owner(before.site, page.site) if before is not None else page.site
        article_id = article_of(part.known, page)
        counted[part.page_ids[page.url_key]] = CountedPage(site, page.state, page.failure_kind, article_id)
    return counted


def merge_pages(connection: Connection, part: ItemBatch) -> None:
    """Merges stored pages that turned out to be others: moves their addresses and versions and deletes their rows."""
    for _, intent in part.decided:
        old = part.before.get(intent.merged) if intent.merged is not None else None
        if old is not None and old.id is not None:
            _dissolve(connection, old.id, part.page_id(intent))


def write_urls(connection: Connection, part: ItemBatch) -> None:
    """Writes the addresses that lead to the pages. The first spelling of an address stays."""
    rows = {}
    for _, intent in part.decided:
        for key, url in intent.urls:
            page_key = part.known.aliases[key]
            if page_key in part.page_ids:
                rows[key] = {"url_key": key, "url": url, "page_id": part.page_ids[page_key]}
    upsert(connection, urls, ["url_key"], list(rows.values()), {"page_id": incoming})


def _changed(part: ItemBatch) -> list[PageRow]:
    """The pages that the part changed, after its last item."""
    changed = dict.fromkeys(page.url_key for _, intent in part.decided for page in (intent.page, *intent.others))
    return [part.known.pages[key] for key in changed if key in part.known.pages]


def _dissolve(connection: Connection, old: int, new: int) -> None:
    """Moves the addresses and versions of one page to another. A version that both have gets the earlier first date."""
    both = versions.alias()
    same = and_(both.c.page_id.in_([old, new]), both.c.article_id == versions.c.article_id)
    earliest = select(func.min(both.c.seen_at)).where(same).scalar_subquery()
    connection.execute(update(versions).where(versions.c.page_id == new).values(seen_at=earliest))
    shown = select(both.c.article_id).where(both.c.page_id == new)
    connection.execute(delete(versions).where(versions.c.page_id == old, versions.c.article_id.in_(shown)))
    connection.execute(update(versions).where(versions.c.page_id == old).values(page_id=new))
    connection.execute(update(urls).where(urls.c.page_id == old).values(page_id=new))
    headlines.move(connection, old, new)
    connection.execute(delete(pages).where(pages.c.id == old))


def _owner(stored: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Does what `records.owner` does, in SQL, for a row that another writer has just inserted."""
    return case((stored == GENERIC_SITE, new), else_=stored)
