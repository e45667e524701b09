"""Handles stored times that must be wrong because they are in the future.

A record dated 2099, or a clock that once ran a month ahead, must not freeze a page. Such a time stays in the database
as it is, but counts as unknown wherever times are compared. The next credible reading of the page replaces it.

While this machine's own clock is suspected (an open alarm of the kind CLOCK), future times cannot be recognised, and
every stored time counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Update, and_, bindparam, case, func, or_, select, update

from newscrawl.storage.articles.deciding.known import Known
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.monitoring import alarms, site_totals
from newscrawl.storage.records import PageRow, Shown
from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.storage.tables.frontier import sources
from newscrawl.times import TOLERANCE

BATCH_SIZE: Final = 500
"""Pages whose visit is planned again in one transaction."""


def horizon(connection: Connection, now: datetime) -> datetime | None:
    """Returns the limit at `now`: stored times later than it count as unknown. None while the clock is suspected."""
    return None if alarms.clock_suspected(connection) else now + TOLERANCE


def credible(known: Known, limit: datetime | None, now: datetime) -> None:
    """Replaces times in `known` later than `limit` by None or, where a time is required, by `now`, which is the
    earliest time of the batch's readings."""
    known.pages = {key: _page(page, limit, now) for key, page in known.pages.items()}
    if limit is not None:
        known.shown = {number: _shown(shown, limit, now) for number, shown in known.shown.items()}


def _page(page: PageRow, limit: datetime | None, now: datetime) -> PageRow:
    if page.last_fetched is None and page.shown_at is not None:
        page = replace(page, shown_at=None)  # only a file of unknown age was read
    times = (page.first_seen, page.last_fetched, page.last_change, page.shown_at)
    if limit is None or not any(moment is not None and moment > limit for moment in times):
        return page
    return replace(
        page,
        first_seen=page.first_seen if page.first_seen <= limit else now,
        last_fetched=_known(page.last_fetched, limit),
        last_change=_known(page.last_change, limit),
        shown_at=_known(page.shown_at, limit),
    )


def _shown(shown: Shown, limit: datetime, now: datetime) -> Shown:
    if shown.last_seen <= limit and shown.seen_at <= limit:
        return shown
    seen_at = min(shown.seen_at, now)
    return replace(shown, seen_at=seen_at, last_seen=now, dates=tuple(at for at in shown.dates if at <= limit))


def _known(moment: datetime | None, limit: datetime) -> datetime | None:
    return moment if moment is not None and moment <= limit else None


def as_stored(page: PageRow, stored: PageRow | None) -> PageRow:
    """Returns the page with the stored times that `credible` made unknown, unless a reading has replaced them."""
    if stored is None or page.last_fetched is not None:
        return page
    return replace(page, last_fetched=stored.last_fetched, last_change=page.last_change or stored.last_change)


def late_versions(
    read: Iterable[tuple[int, int]], shown: Mapping[int, Shown], limit: datetime | None
) -> set[tuple[int, int]]:
    """Returns those of the versions (page id, article id) whose stored times may be later than `limit`. `shown` has the
    pages with versions."""
    if limit is None:
        return set()
    late = {page_id for page_id, one in shown.items() if one.newest is None or one.newest > limit}
    return {key for key in read if key[0] in late}


def date_again(
    connection: Connection,
    read: Mapping[tuple[int, int], datetime],
    texts: Mapping[int, datetime],
    limit: datetime | None,
) -> None:
    """Gives versions (page id, article id) and articles whose times are later than `limit` the time of the reading that
    found them again. It reads nothing."""
    if limit is None:
        return
    if read:
        rows = [{"_page": page_id, "_article": number, "_at": at} for (page_id, number), at in sorted(read.items())]
        connection.execute(_dated_again(), [row | {"_limit": limit} for row in rows])
    if texts:
        late = and_(articles.c.id == bindparam("_article"), articles.c.first_seen > bindparam("_limit"))
        rows = [{"_article": number, "_at": at, "_limit": limit} for number, at in sorted(texts.items())]
        connection.execute(update(articles).where(late).values(first_seen=bindparam("_at")), rows)


def _dated_again() -> Update:
    mine = and_(versions.c.page_id == bindparam("_page"), versions.c.article_id == bindparam("_article"))
    at, limit = bindparam("_at", type_=versions.c.seen_at.type), bindparam("_limit", type_=versions.c.seen_at.type)
    wrong = or_(versions.c.seen_at > limit, versions.c.last_seen > limit)
    seen_at = case((versions.c.seen_at > at, at), else_=versions.c.seen_at)
    return update(versions).where(mine, wrong).values(seen_at=seen_at, last_seen=at)


def pages_of_the_future(connection: Connection, now: datetime) -> dict[str, int]:
    """Returns how many pages have a last visit in the future, by site; none while the clock is suspected. It reads
    pages of those sites only that may have one."""
    limit = horizon(connection, now)
    if limit is None:
        return {}
    counts: dict[str, int] = {}
    for chunk in chunks(site_totals.visited_after(connection, limit)):
        late = select(pages.c.site, func.count().label("number")).where(
            pages.c.site.in_(chunk), pages.c.last_fetched > limit
        )
        counts |= {row.site: row.number for row in connection.execute(late.group_by(pages.c.site))}
    return counts


def never_due(connection: Connection, now: datetime, most: int) -> tuple[list[int], list[int]]:
    """Returns the ids of pages and sources that were last visited in the future and are not due, at most `most` each.
    A visit that was planned from a wrong time may be a month ahead."""
    limit = horizon(connection, now)
    if limit is None:
        return [], []
    of_sources = select(sources.c.id).where(sources.c.last_fetched > limit, sources.c.next_due > now)
    rest = or_(pages.c.next_due.is_(None), pages.c.next_due > now)
    wrong: list[int] = []
    for chunk in chunks(site_totals.visited_after(connection, limit)):
        of_pages = select(pages.c.id).where(
            pages.c.site.in_(chunk), pages.c.state.in_(("fetched", "failed")), pages.c.last_fetched > limit, rest
        )
        wrong += connection.execute(of_pages.order_by(pages.c.id).limit(most - len(wrong))).scalars()
    return (
        wrong,
        list(connection.execute(of_sources.order_by(sources.c.id).limit(most)).scalars()),
    )


def visit_again(connection: Connection, now: datetime) -> int:
    """Makes the first `BATCH_SIZE` pages and sources of `never_due` due now. Returns how many. Sites of which no page
    has a last visit in the future any more are no longer searched for such pages."""
    wrong = never_due(connection, now, BATCH_SIZE)
    for table, ids in zip((pages, sources), wrong, strict=True):
        for chunk in chunks(ids):
            connection.execute(update(table).where(table.c.id.in_(chunk)).values(next_due=now))
    limit = horizon(connection, now)
    if limit is not None:
        over = set(site_totals.visited_after(connection, limit)) - pages_of_the_future(connection, now).keys()
        site_totals.lower_last_visits(connection, over, limit)
    return sum(map(len, wrong))
