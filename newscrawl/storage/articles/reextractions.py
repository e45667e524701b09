"""What another extraction makes of captures in the archive, stored as if it had been made when they were fetched.

The pages go the way of all pages (apply.save_batch), so that articles, clusters, bands and the change feed learn of
them by themselves. What that way also notes is a visit, and there was none: so the pages' bookkeeping is put back, the
text that the capture came to before gives its place in the page's history to the new one, dates and all, and the events
say "stored/reextracted". A text that another capture still came to stays a version. Doing it twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, delete, exists, func, select, update

from newscrawl.identity import url_key
from newscrawl.model import ProcessedPage
from newscrawl.storage import events
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.articles.rows import version_values
from newscrawl.storage.duplicates import pending
from newscrawl.storage.engine.batch import BatchWriter
from newscrawl.storage.records import EXPIRED, WHOLE, Event, Outcome
from newscrawl.storage.removal.unused_texts import remove_unused
from newscrawl.storage.tables.archive import captures
from newscrawl.storage.tables.schema import articles, pages, urls, versions
from newscrawl.storage.tables.schema import events as events_table

REEXTRACTED: Final = "stored/reextracted"
_VISIT: Final = ("last_fetched", "last_change", "next_due", "visits", "edits")
_ANSWER: Final = ("state", "failures", "failure_kind", "last_status", "etag", "last_modified")
"""What a visit leaves at a page; the second only where it showed an article before, too."""
_KEPT: Final = frozenset({"page_id", "article_id", "seen_at", "last_seen", "change_class"})


@dataclass(frozen=True, slots=True)
class Before:
    """What a capture came to so far: an article as its page shows it, or a failure."""

    capture_id: int
    url_key: str
    page_id: int | None
    article_id: int | None
    failure: str | None
    text: str | None = None
    content_hash: str | None = None
    extractor: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    verdict: str | None = None
    shown: bool = False
    """Whether the page shows it now."""
    is_version: bool = False
    """Whether it is one of the page's versions."""
    expired: bool = False
    """Whether the page's texts went because of their age: they do not come back."""


def before(connection: Connection, capture_ids: Iterable[int]) -> dict[int, Before]:
    """What the captures came to, by their ids."""
    of_page = and_(versions.c.page_id == urls.c.page_id, versions.c.article_id == captures.c.article_id)
    query = select(
        captures.c.id.label("capture_id"),
        captures.c.url_key,
        captures.c.failure,
        urls.c.page_id,
        articles.c.id.label("article_id"),
        articles.c.text,
        articles.c.content_hash,
        versions.c.extractor,
        versions.c.title,
        versions.c.authors,
        versions.c.published,
        versions.c.verdict,
        versions.c.id.label("version_id"),
        pages.c.article_id.label("shown_id"),
        pages.c.state,
    ).select_from(
        captures.outerjoin(articles, articles.c.id == captures.c.article_id)
        .outerjoin(urls, urls.c.url_key == captures.c.url_key)
        .outerjoin(pages, pages.c.id == urls.c.page_id)
        .outerjoin(versions, of_page)
    )
    rows: list[Any] = [
        row
        for chunk in chunks(sorted(set(capture_ids)))
        for row in connection.execute(query.where(captures.c.id.in_(chunk)))
    ]
    return {row.capture_id: _before(row) for row in rows}


def _before(row: Any) -> Before:
    shown = row.article_id is not None and row.shown_id == row.article_id
    return Before(
        row.capture_id,
        row.url_key,
        row.page_id,
        row.article_id,
        row.failure,
        row.text,
        row.content_hash,
        row.extractor,
        row.title,
        tuple(row.authors or ()),
        row.published,
        row.verdict,
        shown,
        row.version_id is not None,
        row.state == EXPIRED,
    )


def apply(connection: Connection, writer: BatchWriter, again: Sequence[ProcessedPage], now: datetime) -> list[Outcome]:
    """Stores the new articles. Pages without one are passed over, and so is a part of a text where there was a whole
    one: neither replaces a good version. One outcome a page that was saved."""
    articled = [page for page in again if page.article is not None and _id(page) is not None]
    old = before(connection, [_known_id(page) for page in articled])
    found = [page for page in articled if _known_id(page) in old and _may_replace(page, old[_known_id(page)])]
    if not found:
        return []
    keys = sorted({old[_known_id(page)].url_key for page in found})
    stood = _pages(connection, keys)
    newest = connection.execute(select(func.max(events_table.c.id))).scalar() or 0
    replaced = {old[_known_id(page)].page_id for page in found if old[_known_id(page)].shown}
    # Shown nothing, a page takes the new text without a look at what it would be as a change of the old one.
    connection.execute(update(pages).where(pages.c.id.in_(replaced)).values(article_id=None))
    outcomes = writer.save_within(connection, [_as_fetched(page) for page in found], now)
    connection.execute(delete(events_table).where(events_table.c.id > newest, events_table.c.url_key.in_(keys)))
    new = before(connection, list(old))
    for page in found:
        _replace(connection, page, old[_known_id(page)], new[_known_id(page)])
    _as_before(connection, stood)
    pairs = [(page, old[_known_id(page)], new[_known_id(page)]) for page in found]
    changed = [pair for pair in pairs if pair[2].article_id not in {None, pair[1].article_id}]
    remove_unused(connection, (one.article_id for _, one, _ in changed if one.article_id is not None), now)
    events.record_all(connection, [_event(*pair, now) for pair in changed])
    return outcomes


def _may_replace(page: ProcessedPage, old: Before) -> bool:
    if old.expired:
        return False
    whole_now = page.article is not None and page.article.verdict in WHOLE
    return whole_now or old.verdict not in WHOLE


def _id(page: ProcessedPage) -> int | None:
    return page.raw.capture.id if page.raw.capture is not None else None


def _known_id(page: ProcessedPage) -> int:
    number = _id(page)
    if number is None:
        raise LookupError(f"{page.raw.url} comes from no capture")
    return number


def _pages(connection: Connection, keys: Sequence[str]) -> dict[str, Row[Any]]:
    """The pages that the keys lead to, as they stand."""
    query = select(pages, urls.c.url_key.label("alias")).join(urls, urls.c.page_id == pages.c.id)
    return {
        row.alias: row for chunk in chunks(keys) for row in connection.execute(query.where(urls.c.url_key.in_(chunk)))
    }


def _as_fetched(page: ProcessedPage) -> ProcessedPage:
    """The page without the address that led to it, which is stored."""
    return replace(page, raw=replace(page.raw, url=page.raw.final_url, discovery=None))


def _replace(connection: Connection, page: ProcessedPage, old: Before, new: Before) -> None:
    """Gives the old article's place in the page's history to the new one."""
    page_id = new.page_id
    if page_id is None or page.article is None:
        return
    shows = connection.execute(select(pages.c.article_id).where(pages.c.id == page_id)).scalar()
    article_id = new.article_id if new.is_version else shows if old.shown or old.article_id is None else old.article_id
    mine = captures.c.id == old.capture_id
    connection.execute(update(captures).where(mine).values(article_id=article_id))
    if article_id is None:
        return
    version = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
    if article_id == new.article_id:
        told = version_values(page.article, page_id, article_id, "first", page.raw.fetched_at)
        said = {name: value for name, value in told.items() if name not in _KEPT}
        connection.execute(update(versions).where(version).values(**said))
        pending.seen_since(connection, {article_id: page.raw.fetched_at})
    if old.article_id is not None and old.article_id != article_id:
        _same_bytes(connection, old, article_id)
        _give_place(connection, old, page_id, article_id)
    elif old.article_id is None:
        connection.execute(update(versions).where(version).values(**_seen(connection, old.url_key, article_id)))


def _seen(connection: Connection, key: str, article_id: int) -> dict[str, datetime]:
    """Since when and until when captures of a page came to an article."""
    span = select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at))
    first, last = connection.execute(span.where(captures.c.url_key == key, captures.c.article_id == article_id)).one()
    return {"seen_at": first, "last_seen": last}


def _same_bytes(connection: Connection, old: Before, article_id: int) -> None:
    """Later fetches of the page that brought the same bytes came to the same."""
    one = captures.alias()
    here = select(one.c.body_file_id, one.c.body_offset).where(one.c.id == old.capture_id)
    row = connection.execute(here).one()
    same = and_(captures.c.body_file_id == row.body_file_id, captures.c.body_offset == row.body_offset)
    mine = and_(captures.c.url_key == old.url_key, captures.c.article_id == old.article_id)
    connection.execute(update(captures).where(same, mine).values(article_id=article_id))


def _give_place(connection: Connection, old: Before, page_id: int, article_id: int) -> None:
    """The new article's version has the dates of the captures that came to it; of what no capture tells, such as a time
    before there was an archive, it has those of the old one, which goes when no other capture came to it."""
    theirs = and_(versions.c.page_id == page_id, versions.c.article_id == old.article_id)
    mine = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
    place = connection.execute(select(versions).where(theirs)).first()
    if place is None:
        return
    here = captures.c.url_key == old.url_key
    seen = _seen(connection, old.url_key, article_id)
    first, last = connection.execute(
        select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at)).where(here)
    ).one()
    if place.seen_at < first:
        seen["seen_at"] = min(seen["seen_at"], place.seen_at)
    if place.last_seen > last:
        seen["last_seen"] = max(seen["last_seen"], place.last_seen)
    taken = {"change_class": place.change_class} if seen["seen_at"] == place.seen_at else {}
    connection.execute(update(versions).where(mine).values(**seen, **taken))
    witness = exists().where(here, captures.c.article_id == old.article_id)
    shown = exists().where(pages.c.id == page_id, pages.c.article_id == old.article_id)
    connection.execute(delete(versions).where(theirs, ~witness, ~shown))


def _as_before(connection: Connection, stood: Mapping[str, Row[Any]]) -> None:
    """Puts back what a visit changes at a page."""
    for row in stood.values():
        names = (*_VISIT, *_ANSWER) if row.article_id is not None else _VISIT
        values = {name: getattr(row, name) for name in names}
        connection.execute(update(pages).where(pages.c.id == row.id).values(**values))


def _event(page: ProcessedPage, old: Before, new: Before, now: datetime) -> Event:
    raw = page.raw
    was = f"{len(old.text)} characters" if old.text is not None else old.failure or "nothing"
    reason = f"{was} by {old.extractor}" if old.extractor else was
    reason = f"{reason}, now {len(new.text or '')} characters by {new.extractor}"
    return Event(url_key(raw.final_url), raw.final_url, raw.site, now, REEXTRACTED, reason, raw.status)
