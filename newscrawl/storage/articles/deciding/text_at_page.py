"""Decides how a text is stored at its page: as a first text, a version, an older version, or not at all because nothing
is new; and what a visit changes of the page's row: state, dates, counts and the next visit. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from newscrawl.crawling.scheduling.revisit import GONE_STATUSES, next_due_after_failure, next_due_when_gone
from newscrawl.model import Article, RawPage
from newscrawl.model.identity import clean_url
from newscrawl.storage.articles.deciding.differences import PageSnapshot, compare
from newscrawl.storage.articles.deciding.known import Incoming, Intent, Known, Occasion, PreviousReading
from newscrawl.storage.articles.deciding.revision_class import (
    FIRST,
    RevisionDecision,
    canonical_problem,
    doubts_about,
    judge,
)
from newscrawl.storage.records import LOOKS_BROKEN, NOT_MODIFIED, WHOLE, Event, OutcomeType, PageRow, PageStateName


def decide_text(
    known: Known,
    incoming: Incoming,
    article: Article,
    base: PageRow,
    occasion: Occasion,
    previous: PreviousReading | None = None,
) -> Intent:
    """Returns the intent for an article at its page (`base`), which already has the address of the item.

    `previous` is the result of an earlier extraction of the same capture; None unless this is a re-extraction. If the
    page shows it, the article replaces it, whatever its age and its difference.
    """
    raw = incoming.page.raw
    published = article.metadata.published.when if article.metadata.published else None
    changed = base.identity != article.identity_key
    replaces_shown = previous is not None and previous.identity is not None and previous.identity == base.identity
    if not replaces_shown:
        if raw.undated and base.identity is not None and base.last_fetched is not None and not changed:
            return Intent("unchanged", base, "a file of unknown age with the text that the page shows")
        if changed and _is_older_or_undated(base, article, incoming):
            return _store_as_former_version(known, incoming, article, base, occasion)
    if changed and article.verdict not in WHOLE and base.verdict in WHOLE:
        reason = f"the text is {article.verdict}; the good version stays"
        return _kept(base, incoming, published, occasion, "stored/kept_good_version", reason)
    past = FIRST if replaces_shown or base.identity is None else judge(known, base, article, raw.fetched_at)
    if past.refused is not None:
        return _kept(base, incoming, published, occasion, past.refused, past.reason)
    if past.doubts and occasion.kind != "released":
        return Intent("held_for_review", base, doubts=past.doubts)
    kind, reason = _kind(known, None if replaces_shown else base.identity, article, past)
    is_older_capture = not replaces_shown and base.shown_at is not None and raw.fetched_at < base.shown_at
    page = base if is_older_capture and not changed else _showing(known, base, incoming, article, kind, occasion)
    events: tuple[Event, ...] = (incoming.answered_event(f"stored/{kind}", reason),)
    problem = canonical_problem(known, incoming)
    if problem is not None:
        refused = f"{article.metadata.canonical}: {problem}"
        events = (incoming.answered_event("canonical/rejected", refused), *events)
        article = replace(article, metadata=replace(article.metadata, canonical=None))
    return Intent(
        kind,
        _after_reading(page, base, incoming, published, occasion),
        reason,
        stores=article,
        change_class=past.change,
        entries=past.entries,
        late=is_older_capture,
        events=events,
        labels=past.labels,
        replacing=(article.identity_key or "", base.identity or "") if past.change == "replaced" else None,
        replaces_shown=replaces_shown,
    )


def _kept(
    base: PageRow, incoming: Incoming, published: datetime | None, occasion: Occasion, kind: str, reason: str
) -> Intent:
    """Returns the intent that keeps the text that the page shows."""
    page = _after_reading(base, base, incoming, published, occasion)
    return Intent("unchanged", page, reason, events=(incoming.answered_event(kind, reason),))


def _after_reading(
    page: PageRow, base: PageRow, incoming: Incoming, published: datetime | None, occasion: Occasion
) -> PageRow:
    """Returns the page after a reading. A visit is counted and plans the next one. Another extraction of a stored
    capture does neither; it ends the failure of a page (`base`) that showed no article before."""
    if occasion.is_visit:
        return seen_page(page, incoming.page.raw, published, occasion)
    return page if base.identity is not None else answered_page(page, incoming.page.raw)


def _showing(
    known: Known, base: PageRow, incoming: Incoming, article: Article, kind: OutcomeType, occasion: Occasion
) -> PageRow:
    """Returns the page so that it shows the article. Its validators are those of the latest visit. A text that the page
    showed before was last seen at the later of both times."""
    raw = incoming.page.raw
    shown_at = None if raw.undated else raw.fetched_at
    if shown_at is not None and base.shown_at is not None and base.identity == article.identity_key:
        shown_at = max(shown_at, base.shown_at)
    is_edit = kind == "new_version" and occasion.is_visit
    keeps_validators = not occasion.is_visit and base.identity is not None
    return replace(
        base,
        identity=article.identity_key,
        verdict=article.verdict,
        shown_at=shown_at,
        last_change=raw.fetched_at if is_edit else base.last_change,
        edits=base.edits + is_edit,
        use=incoming.page.use or base.use,
        claimed_canonical_key=incoming.canonical_key if incoming.canonical_key != incoming.key else None,
        etag=base.etag if keeps_validators else raw.headers.get("etag"),
        last_modified=base.last_modified if keeps_validators else raw.headers.get("last-modified"),
        extractor=article.extractor,
        fallback=article.is_fallback,
        joined=_joins(known, base, article),
    )


def _joins(known: Known, base: PageRow, article: Article) -> bool | None:
    """Returns whether another page has shown the text before. A text that the page itself showed earlier is none that
    it joins now."""
    identity = article.identity_key or ""
    if base.identity == identity:
        return base.joined
    if identity not in known.articles:
        return False
    shown = known.shown.get(base.id) if base.id is not None else None
    return base.joined if shown is not None and known.articles[identity] in shown.texts else True


def _is_older_or_undated(base: PageRow, article: Article, incoming: Incoming) -> bool:
    """Returns whether the article's text is older than the one shown, or of unknown age. A whole text still replaces
    part of one."""
    if base.identity is None or (article.verdict in WHOLE and base.verdict not in WHOLE):
        return False
    raw = incoming.page.raw
    if raw.undated and base.last_fetched is not None:
        return True
    confirmed = base.last_fetched if base.last_status == NOT_MODIFIED else None
    return any(known is not None and raw.fetched_at < known for known in (base.shown_at, confirmed))


def _store_as_former_version(
    known: Known, incoming: Incoming, article: Article, base: PageRow, occasion: Occasion
) -> Intent:
    """Returns the intent for an older capture, or one of unknown age: a former version of the page. If the newer text
    took the place of this quite other one and is not credible, the page shows this one again."""
    reason = f"a capture of {incoming.page.raw.fetched_at:%Y-%m-%d %H:%M}, older than what the page shows"
    if incoming.page.raw.undated:
        reason = "a file of unknown age; the page shows its text as before"
    page = replace(base, last_change=base.last_change or base.shown_at) if occasion.is_visit else base
    event = incoming.answered_event("stored/older_version", reason)
    intent = Intent("new_version", page, reason, stores=article, change_class="first", late=True, events=(event,))
    shown = known.shown.get(base.id) if base.id is not None else None
    if shown is None or incoming.page.raw.undated or not occasion.is_visit or base.identity is None:
        return intent
    old, new = PageSnapshot.of(article), PageSnapshot.shown(shown, base, known.texts.get(base.identity, ""))
    if compare(old, new).change != "replaced":
        return intent
    doubts = doubts_about(known, base.url_key, new, old)
    return replace(intent, replacing=(new.identity, old.identity), doubts=doubts, withdraws_shown=bool(doubts))


def _kind(known: Known, shown: str | None, article: Article, past: RevisionDecision) -> tuple[OutcomeType, str]:
    """Returns the kind of outcome, with its reason, at a page that shows the text with the identity key `shown`."""
    if past.is_version:
        return "new_version", past.reason
    if shown == article.identity_key:
        return "unchanged", ""
    if article.identity_key in known.articles:
        return "joined", "another page shows the same text"
    return "inserted", ""


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
