"""Withdraws articles: those whose captures, when extracted again, are pages of another kind, and walls.

A failed extraction keeps the article that a page showed, because the next visit may succeed. A verdict on the same
bytes is final: they never were an article. So the capture gets the verdict as its failure, and the version that only
such captures have goes. The page then shows its version before, or nothing, and the change feed tells it with the
reason `re-extracted`. No visit takes place: dates, counts and plans of the page stay.

`take_back` does the same for texts that took the place of others and turned out not to be credible. They go into the
review queue.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, delete, exists, select, update

from newscrawl.model import Doubt, ProcessedPage, RawPage
from newscrawl.storage import events
from newscrawl.storage.articles.deciding.decide import RELEASED
from newscrawl.storage.articles.deciding.known import Occasion, PreviousReading, capture_id
from newscrawl.storage.articles.rows import read_article
from newscrawl.storage.captures import locations
from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.feed import changes
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.records import LOOKS_BROKEN, Event, Outcome
from newscrawl.storage.tables.articles import articles, captures, headlines, pages, urls, versions
from newscrawl.storage.tables.operations import events as of_pages

OK: Final = 200
"""The status of a page whose last answer is not known."""
HELD: Final = "stored/held_for_review"
VERDICT: Final = "verdict/"
"""Failures that begin with this say that a page is no article. Those of an extraction say nothing about the page."""


def is_withdrawn(page: ProcessedPage, previous: PreviousReading) -> bool:
    """Returns whether the capture gave an article before and is a page of another kind now."""
    return failed_by_verdict(page) and previous.article_id is not None


def failed_by_verdict(page: ProcessedPage) -> bool:
    """Returns whether the page is of another kind than those that are stored."""
    return page.failure is not None and page.failure.code.startswith(VERDICT)


def withdraw(
    connection: Connection, found: Sequence[ProcessedPage], known: Mapping[int, PreviousReading], occasion: Occasion
) -> list[Outcome]:
    """Withdraws the articles of captures for which `is_withdrawn` is true. Returns an outcome for each."""
    if not found:
        return []
    from newscrawl.storage.duplicates.join import remove_unused  # loads numpy, which few processes need

    now = occasion.moment(found[0].raw.fetched_at)
    outcomes: list[Outcome] = []
    told: list[Event] = []
    instead: dict[int, int | None] = {}
    keys = sorted({known[capture_id(page) or 0].url_key for page in found})
    led = select(urls.c.url_key, urls.c.page_id).where(urls.c.url_key.in_(keys))
    page_ids = {row.url_key: row.page_id for row in connection.execute(led)}
    for page in found:
        previous, failure = known[capture_id(page) or 0], page.failure
        if failure is None or previous.article_id is None:
            continue
        page_id = page_ids.get(previous.url_key)
        locations.replace_result(connection, previous, None, failure.code)
        instead.setdefault(previous.article_id, None)
        if page_id is not None and not _has_capture(connection, page_id, previous.article_id):
            _delete_version(connection, page_id, previous.article_id)
            instead[previous.article_id] = _show_other(connection, page_id, previous.article_id, failure.code)
        raw = page.raw
        reason = f"re-extracted, no longer an article: {failure.reason}"
        told.append(Event(previous.url_key, raw.final_url, raw.site, now, failure.code, reason, raw.status))
        outcomes.append(Outcome("withdrawn", page_id, previous.article_id, failure.code))
    shown_now = {old: new for old, new in instead.items() if new is not None}
    changes.append(connection, sorted(set(shown_now.values())), now, "re-extracted")
    remove_unused(connection, {*instead, *shown_now.values()}, now, "re-extracted", shown_now)
    events.record_all(connection, told)
    return outcomes


def take_back(
    connection: Connection, identity: str, keys: Collection[str], doubts: Sequence[str], now: datetime
) -> None:
    """Lets those of the pages with these URL keys that show a text show their former texts again, and puts it into the
    review queue for each. Pages that the operator released (`stored/released`) keep it."""
    query = select(versions, articles.c.identity_key, articles.c.content_hash, articles.c.text, articles.c.structure)
    query = query.add_columns(pages.c.url_key, pages.c.url, pages.c.site, pages.c.last_status)
    shows = and_(pages.c.id == versions.c.page_id, pages.c.article_id == versions.c.article_id)
    query = query.join(pages, shows).join(articles, articles.c.id == versions.c.article_id)
    released = exists().where(of_pages.c.url_key == pages.c.url_key, of_pages.c.kind == RELEASED)
    query = query.where(articles.c.identity_key == identity, ~released).order_by(versions.c.page_id)
    rows = list(rows_among(connection, query, pages.c.url_key, keys))
    if not rows:
        return
    from newscrawl.storage.duplicates.join import remove_unused  # loads numpy, which few processes need

    reason = f"the text looks broken: {', '.join(doubts)}; the page shows its former text again"
    shown: set[int] = set()
    for row in rows:
        addresses = select(urls.c.url_key).where(urls.c.page_id == row.page_id)
        mine = and_(captures.c.url_key.in_(addresses), captures.c.article_id == row.article_id)
        connection.execute(update(captures).where(mine).values(article_id=None, failure=LOOKS_BROKEN))
        _delete_version(connection, row.page_id, row.article_id)
        former = _show_other(connection, row.page_id, row.article_id, LOOKS_BROKEN)
        shown |= set() if former is None else {former}
        # The validators are those of the withdrawn text: a 304 would confirm the wrong one.
        visit = update(pages).where(pages.c.id == row.page_id)
        connection.execute(visit.values(etag=None, last_modified=None))
    withdrawn = rows[0].article_id
    changes.append(connection, sorted(shown), now, "re-extracted")
    remove_unused(connection, {withdrawn, *shown}, now, "re-extracted", {withdrawn: min(shown)} if shown else None)
    review_queue.drop(connection, dict.fromkeys(row.url_key for row in rows))
    review_queue.add(connection, {row.url_key: (row.url_key, _waiting(row, doubts)) for row in rows})
    told = (Event(row.url_key, row.url, row.site, now, HELD, reason, row.last_status) for row in rows)
    events.record_all(connection, list(told))


def _waiting(row: Row[Any], doubts: Sequence[str]) -> ProcessedPage:
    """Returns a stored version as a page that waits for review."""
    raw = RawPage(row.url, row.url, row.last_status or OK, {}, None, row.last_seen, row.site)
    article = read_article(row, row._asdict())
    return ProcessedPage(raw, article, doubt=Doubt(tuple(doubts), article, needs_review=True))


def _has_capture(connection: Connection, page_id: int, article_id: int) -> bool:
    """Returns whether the article is the result of a capture of the page."""
    addresses = select(urls.c.url_key).where(urls.c.page_id == page_id)
    other = exists().where(captures.c.url_key.in_(addresses), captures.c.article_id == article_id)
    return bool(connection.execute(select(other)).scalar())


def _delete_version(connection: Connection, page_id: int, article_id: int) -> None:
    for table in (headlines, versions):
        theirs = and_(table.c.page_id == page_id, table.c.article_id == article_id)
        connection.execute(delete(table).where(theirs))


def _show_other(connection: Connection, page_id: int, withdrawn: int, kind: str) -> int | None:
    """Lets a page that shows the withdrawn article show its newest other version, or nothing. Returns the article that
    it shows instead."""
    columns = [versions.c[name] for name in ("article_id", "verdict", "extractor", "fallback")]
    newest = select(*columns).where(versions.c.page_id == page_id)
    other = connection.execute(newest.order_by(versions.c.last_seen.desc(), versions.c.id.desc()).limit(1)).first()
    mine = and_(pages.c.id == page_id, pages.c.article_id == withdrawn)
    if other is not None:
        changed = connection.execute(update(pages).where(mine).values(**other._asdict(), failure_kind=kind))
        return other.article_id if changed.rowcount else None
    nothing = dict.fromkeys(("article_id", "verdict", "extractor", "fallback", "joined"))
    connection.execute(update(pages).where(mine).values(**nothing, failure_kind=kind))
    fetched = and_(pages.c.id == page_id, pages.c.article_id.is_(None), pages.c.state == "fetched")
    connection.execute(update(pages).where(fetched).values(state="failed"))
    return None
