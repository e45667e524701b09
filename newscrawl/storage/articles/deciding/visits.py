"""Updates the row of a page after a visit: state, dates, counts and the next visit. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from newscrawl.identity import clean_url
from newscrawl.model import RawPage
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.frontier.backoff import GONE_STATUSES, next_due_after_failure, next_due_when_gone
from newscrawl.storage.records import LOOKS_BROKEN, PageRow, PageStateName


def new_page(url_key: str, raw: RawPage) -> PageRow:
    """Returns the row of a page that no source announced."""
    return PageRow(url_key, clean_url(raw.url), raw.site, "found", first_seen=raw.fetched_at, discovery=raw.discovery)


def failed_page(page: PageRow, kind: str, status: int | None, now: datetime) -> PageRow:
    """Returns the page after one more failure. Its article stays; the pause before the next attempt is longer."""
    failures = page.failures + 1
    gone = status in GONE_STATUSES
    next_due = next_due_when_gone(failures, now) if gone else next_due_after_failure(kind, failures, now)
    state: PageStateName = "gone" if gone else "fetched" if _shows_article(page) else "failed"
    return replace(page, state=state, failures=failures, failure_kind=kind, last_status=status, next_due=next_due)


def failed_visit(page: PageRow, kind: str, raw: RawPage, occasion: Occasion) -> PageRow:
    """Returns the page after a failed visit, with no attempt planned before the occasion."""
    return _planned_ahead(failed_page(page, kind, raw.status, raw.fetched_at), None, occasion)


def seen_page(page: PageRow, raw: RawPage, published: datetime | None, occasion: Occasion) -> PageRow:
    """Returns the page after a visit that could be read. A visit before the last one does not change dates and counts.

    A capture of unknown age leaves the time of the last visit as it is.
    """
    at = raw.fetched_at
    if not _is_latest(page, at):
        return answered_page(page, raw)
    visits = page.visits + 1
    next_due = occasion.next_due(page.first_seen, published, page.last_change, at, visits, page.edits)
    page = replace(
        page,
        visits=visits,
        last_fetched=page.last_fetched if raw.undated else at,
        next_due=next_due,
        state="fetched",
        failures=0,
        failure_kind=None,
        last_status=raw.status,
    )
    return _planned_ahead(page, published, occasion)


def answered_page(page: PageRow, raw: RawPage) -> PageRow:
    """Returns the page with its state after an answer that could be read; the visit itself is not counted."""
    if not _is_latest(page, raw.fetched_at):
        return replace(page, state="gone" if page.state == "gone" else "fetched")
    return replace(page, state="fetched", failures=0, failure_kind=None, last_status=raw.status)


def page_in_review(page: PageRow, raw: RawPage, occasion: Occasion) -> PageRow:
    """Returns the page after a visit whose text is held for review. Its next visit is planned as if the text had been
    stored."""
    at, visits = raw.fetched_at, page.visits + 1
    next_due = occasion.next_due(page.first_seen, None, page.last_change, at, visits, page.edits)
    state: PageStateName = "fetched" if _shows_article(page) else "failed"
    page = replace(page, state=state, failure_kind=LOOKS_BROKEN, last_status=raw.status)
    fetched = page.last_fetched if raw.undated else at
    return _planned_ahead(replace(page, visits=visits, last_fetched=fetched, next_due=next_due), None, occasion)


def _planned_ahead(page: PageRow, published: datetime | None, occasion: Occasion) -> PageRow:
    """Returns the page with no visit planned before the occasion: a page that was read a year ago is planned as if it
    had been read today."""
    now = occasion.now
    if now is None or page.next_due is None or page.next_due >= now:
        return page
    if page.state != "fetched":
        return replace(page, next_due=now)
    next_due = occasion.next_due(page.first_seen, published, page.last_change, now, page.visits, page.edits)
    return replace(page, next_due=next_due)


def _is_latest(page: PageRow, at: datetime) -> bool:
    return page.last_fetched is None or at >= page.last_fetched


def _shows_article(page: PageRow) -> bool:
    return page.identity is not None or page.article_id is not None
