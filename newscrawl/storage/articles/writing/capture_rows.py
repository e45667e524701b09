"""Writes the results of captures, and versions that replace others in a page's history."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, and_, delete, exists, func, select, update

from newscrawl.storage.articles.deciding.known import Intent, PreviousReading
from newscrawl.storage.articles.writing.part import ItemBatch
from newscrawl.storage.captures import locations
from newscrawl.storage.tables.articles import captures, pages, versions


def write_captures(connection: Connection, part: ItemBatch) -> None:
    """Records where the pages are in the archive, with the result of each."""
    new = [item.page for item, intent in part.decided if intent.instead_of is None]
    locations.record(connection, new, part.known.articles, part.facts.files)
    if part.occasion.kind == "released":  # the review queue does not know the captures of its pages
        for item, intent in part.decided:
            locations.set_result(connection, item.key, item.page.raw.fetched_at, part.article_id(intent))


def replace_readings(connection: Connection, part: ItemBatch) -> None:
    """Replaces the earlier results of captures by re-extracted articles, in `captures` and in `versions`.

    A text that is still the result of another capture stays a version.
    """
    for _, intent in part.decided:
        if intent.instead_of is not None:
            _replace(connection, part, intent, intent.instead_of)


def _replace(connection: Connection, part: ItemBatch, intent: Intent, previous: PreviousReading) -> None:
    page_id, article_id = part.page_id(intent), part.article_id(intent)
    if intent.stores is None and previous.article_id is not None and not previous.shown:
        article_id = previous.article_id
    mine = captures.c.id == previous.capture_id
    connection.execute(update(captures).where(mine).values(article_id=article_id, failure=None))
    if article_id is None or article_id == previous.article_id:
        return
    if previous.article_id is not None:
        _same_bytes(connection, previous, article_id)
        _give_place(connection, previous, page_id, article_id)
    else:
        version = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
        seen = _seen(connection, previous.url_key, article_id)
        connection.execute(update(versions).where(version).values(**seen))


def _seen(connection: Connection, key: str, article_id: int) -> dict[str, datetime]:
    """Returns the times of the first and last capture of a page whose result is the article."""
    span = select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at))
    first, last = connection.execute(span.where(captures.c.url_key == key, captures.c.article_id == article_id)).one()
    return {"seen_at": first, "last_seen": last}


def _same_bytes(connection: Connection, previous: PreviousReading, article_id: int) -> None:
    """Gives the new result to later captures of the page with the same bytes."""
    replaced = captures.alias()
    here = select(replaced.c.body_file_id, replaced.c.body_offset).where(replaced.c.id == previous.capture_id)
    row = connection.execute(here).one()
    same = and_(captures.c.body_file_id == row.body_file_id, captures.c.body_offset == row.body_offset)
    mine = and_(captures.c.url_key == previous.url_key, captures.c.article_id == previous.article_id)
    connection.execute(update(captures).where(same, mine).values(article_id=article_id))


def _give_place(connection: Connection, previous: PreviousReading, page_id: int, article_id: int) -> None:
    """Gives the version of the new article the dates of its captures. Where the old version has dates outside the
    stored captures, from before there was an archive, the new one gets them. The old version is deleted if no other
    capture has it as its result."""
    theirs = and_(versions.c.page_id == page_id, versions.c.article_id == previous.article_id)
    mine = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
    old_version = connection.execute(select(versions).where(theirs)).first()
    if old_version is None:
        return
    here = captures.c.url_key == previous.url_key
    seen = _seen(connection, previous.url_key, article_id)
    first, last = connection.execute(
        select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at)).where(here)
    ).one()
    if old_version.seen_at < first:
        seen["seen_at"] = min(seen["seen_at"], old_version.seen_at)
    if old_version.last_seen > last:
        seen["last_seen"] = max(seen["last_seen"], old_version.last_seen)
    taken = {"change_class": old_version.change_class, "new_entries": old_version.new_entries}
    taken = taken if seen["seen_at"] == old_version.seen_at else {}
    connection.execute(update(versions).where(mine).values(**seen, **taken))
    witness = exists().where(here, captures.c.article_id == previous.article_id)
    shown = exists().where(pages.c.id == page_id, pages.c.article_id == previous.article_id)
    connection.execute(delete(versions).where(theirs, ~witness, ~shown))
