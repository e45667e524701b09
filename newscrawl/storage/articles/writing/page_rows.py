"""Writes rows of `pages` and of the addresses that lead to them."""

from __future__ import annotations

from sqlalchemy import Connection, and_, delete, func, select, update

from newscrawl.storage.articles.rows import page_values
from newscrawl.storage.articles.writing import headlines
from newscrawl.storage.articles.writing.part import ItemBatch
from newscrawl.storage.engine.sql import incoming, insert_new, upsert
from newscrawl.storage.feed.announce import article_of
from newscrawl.storage.records import PageRow
from newscrawl.storage.tables.articles import pages, urls, versions


def write_pages(connection: Connection, part: ItemBatch) -> None:
    """Writes the stored pages that the part changed, in their state after the last item."""
    rows = [page_values(page, article_of(part.known, page)) for page in _changed(part) if page.id is not None]
    upsert(connection, pages, ["url_key"], rows)


def write_new_pages(connection: Connection, part: ItemBatch) -> None:
    """Inserts the pages that are not stored yet. Adds the ids of all changed pages to `part.page_ids`."""
    final = _changed(part)
    part.page_ids.update({page.url_key: page.id for page in final if page.id is not None})
    rows = [page_values(page, article_of(part.known, page)) for page in final if page.id is None]
    part.page_ids.update(insert_new(connection, pages, "url_key", rows))


def _changed(part: ItemBatch) -> list[PageRow]:
    """Returns the pages that the part changed, in their state after the last item."""
    known = part.known
    changed = dict.fromkeys(page.url_key for _, intent in part.decided for page in (intent.page, *intent.others))
    return [known.pages[key] for key in changed if key in known.pages]


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
    upsert(connection, urls, ["url_key"], [rows[key] for key in sorted(rows)], {"page_id": incoming})


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
