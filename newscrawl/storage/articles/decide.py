"""What to do with a processed page, given what the database holds: the pure heart of storage.

Rules (DESIGN, "Storage model"; THREATS T16, T24):
- A page is its final URL. Another page that shows the same text joins the article; the same page with another text
  shows a new version.
- What was asked for and redirected here is this page too, unless it has a text of its own: texts never collapse.
- What is held back changes nothing that a page shows.
- No failure, no empty text, no short or paywalled text and no part of a text replaces a good one.
- What changed is a version with its class; boilerplate around the sentences makes none (another.py, differences.py).
- The site that declared a page keeps it; `generic` gives way.
- Captures come in any order (`newscrawl ingest` reads archives): a text is placed by when it was fetched, and one that
  is older than what the page shows is a version of it and changes nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from newscrawl.identity import clean_url
from newscrawl.model import Article, RawPage
from newscrawl.storage.articles.canonical import canonical_problem
from newscrawl.storage.articles.known import Incoming, Intent, Known
from newscrawl.storage.articles.revision_class import FIRST, Past, judge
from newscrawl.storage.frontier.backoff import GONE_STATUSES, after_failure, gone_retry_at
from newscrawl.storage.records import HELD, WHOLE, Event, NextDue, OutcomeKind, PageRow, PageStateName, owner

NOT_MODIFIED: Final = 304


def decide(known: Known, incoming: Incoming, now: datetime, next_due: NextDue) -> Intent:
    """What the item means, given what is known. Raises ValueError for an article without its hashes."""
    page = incoming.page
    if page.raw.status == NOT_MODIFIED:
        return _not_modified(known, incoming, now, next_due)
    if page.is_held:
        return _held(known, incoming, now, next_due)
    if page.article is None:
        if page.failure is None:
            raise ValueError(f"page {page.raw.url} has neither article nor failure")
        return _failed(known, incoming, page.failure.kind, page.failure.reason, now)
    if page.article.identity_key is None or page.article.content_hash is None:
        raise ValueError(f"article {page.article.url} has no hashes: pipelines/fingerprint.py comes before storing")
    if page.article.verdict == "empty" or not page.article.text.strip():
        return _failed(known, incoming, "extraction/empty", "no extractor found a text", now)
    intent = _readable(known, incoming, page.article, now, next_due)
    if page.doubt is None:
        return intent
    reason = f"{page.article.extractor}'s text, the site's own chain is not believed: {', '.join(page.doubt.reasons)}"
    return replace(intent, events=(*intent.events, _found(incoming, now, "stored/other_extractor", reason)))


def new_page(url_key: str, raw: RawPage, now: datetime) -> PageRow:
    """The row of a page nobody announced."""
    return PageRow(url_key, clean_url(raw.url), raw.site, "found", first_seen=now, discovery=raw.discovery)


def failed_page(page: PageRow, kind: str, status: int | None, now: datetime) -> PageRow:
    """The page after one more failure: its article stays, the next attempt lies further off."""
    failures = page.failures + 1
    gone = status in GONE_STATUSES
    due = gone_retry_at(failures, now) if gone else after_failure(kind, failures, now)
    shows_article = page.identity is not None or page.article_id is not None
    state: PageStateName = "gone" if gone else "fetched" if shows_article else "failed"
    return replace(page, state=state, failures=failures, failure_kind=kind, last_status=status, next_due=due)


def seen_page(
    page: PageRow, status: int, published: datetime | None, now: datetime, next_due: NextDue, *, undated: bool = False
) -> PageRow:
    """The page after a visit that could be read. A visit before the last one says nothing of how the page is today.

    After one of unknown age (`undated`) the page still has no last visit.
    """
    if page.last_fetched is not None and now < page.last_fetched:
        return replace(page, state="gone" if page.state == "gone" else "fetched")
    visits = page.visits + 1
    due = next_due(page.first_seen, published, page.last_change, now, visits, page.edits)
    page = replace(page, visits=visits, last_fetched=None if undated else now, next_due=due)
    return replace(page, state="fetched", failures=0, failure_kind=None, last_status=status)


def _failed(known: Known, incoming: Incoming, kind: str, reason: str, now: datetime) -> Intent:
    raw = incoming.page.raw
    asked = known.pages.get(incoming.asked_key)
    target = known.page_of(incoming.key) or known.page_of(incoming.asked_key) or new_page(incoming.asked_key, raw, now)
    if target.last_fetched is not None and (raw.undated or now < target.last_fetched):
        target = replace(target, first_seen=min(target.first_seen, now))
        return Intent("failed", target, reason, events=(_asked(incoming, now, kind, reason),))
    fetched = None if raw.undated else now
    page = replace(failed_page(target, kind, raw.status, now), last_fetched=fetched, site=owner(target.site, raw.site))
    others: tuple[PageRow, ...] = ()
    if asked is not None and asked.url_key != page.url_key:
        # Left `found`, it would be asked for again on every run.
        others = (failed_page(asked, kind, raw.status, now),)
    urls = ((page.url_key, raw.url),) if page.url_key == incoming.asked_key else ()
    return Intent("failed", page, reason, others, urls=urls, events=(_asked(incoming, now, kind, reason),))


def _held(known: Known, incoming: Incoming, now: datetime, next_due: NextDue) -> Intent:
    """A reading that is not believed: the page stays as it is, and is visited as if it had been read."""
    raw, doubt = incoming.page.raw, incoming.page.doubt
    reason = f"extraction looks broken: {', '.join(doubt.reasons)}" if doubt is not None else ""
    event = _asked(incoming, now, "stored/held", reason)
    asked = known.pages.get(incoming.asked_key)
    target = known.page_of(incoming.key) or known.page_of(incoming.asked_key) or new_page(incoming.asked_key, raw, now)
    if target.last_fetched is not None and now < target.last_fetched:
        return Intent("failed", target, reason, events=(event,))
    page = replace(_put_off(target, raw.status, now, next_due), site=owner(target.site, raw.site))
    others: tuple[PageRow, ...] = ()
    if asked is not None and asked.url_key != page.url_key:
        others = (_put_off(asked, raw.status, now, next_due),)
    urls = ((page.url_key, raw.url),) if page.url_key == incoming.asked_key else ()
    return Intent("held", page, reason, others, urls=urls, events=(event,), first=target.last_fetched is None)


def _put_off(page: PageRow, status: int, now: datetime, next_due: NextDue) -> PageRow:
    """The page after a visit that was not believed: asked for again as one that was, whatever validators it sent."""
    shows_article = page.identity is not None or page.article_id is not None
    visits = page.visits + 1
    due = next_due(page.first_seen, None, page.last_change, now, visits, page.edits)
    page = replace(page, state="fetched" if shows_article else "failed", failure_kind=HELD, last_status=status)
    return replace(page, visits=visits, last_fetched=now, next_due=due)


def _not_modified(known: Known, incoming: Incoming, now: datetime, next_due: NextDue) -> Intent:
    page = known.page_of(incoming.key) or known.page_of(incoming.asked_key)
    if page is None or page.identity is None:
        return _failed(known, incoming, "fetch/unknown_not_modified", "304 for a page that was never stored", now)
    page = seen_page(page, NOT_MODIFIED, None, now, next_due)
    return Intent("unchanged", page, "not modified", events=(_asked(incoming, now, "stored/not_modified"),))


def _readable(known: Known, incoming: Incoming, article: Article, now: datetime, next_due: NextDue) -> Intent:
    """Where the page belongs, then what its text means there."""
    raw = incoming.page.raw
    own = known.pages.get(incoming.key)
    asked = known.pages.get(incoming.asked_key) if incoming.asked_key != incoming.key else None
    moved = asked is not None and _is_moved(asked, own, article)
    base = own or new_page(incoming.key, raw, now)
    if own is None and asked is not None and moved:
        base = replace(asked, id=None)  # it keeps its past: since when, from which source, showing what
    base = replace(
        base,
        url_key=incoming.key,
        url=clean_url(raw.final_url),
        site=owner(base.site, raw.site),
        discovery=base.discovery or raw.discovery,
        first_seen=min(base.first_seen, now),
    )
    intent = _read(known, incoming, article, base, now, next_due)
    intent = replace(intent, urls=((incoming.key, raw.final_url),))
    if incoming.asked_key == incoming.key:
        return intent
    if asked is None or moved:
        event = _asked(incoming, now, "redirect/merged", f"leads to {raw.final_url}")
        merged = incoming.asked_key if asked is not None else None
        return replace(
            intent, merged=merged, urls=((incoming.asked_key, raw.url), *intent.urls), events=(event, *intent.events)
        )
    return _kept_apart(intent, incoming, asked, now, next_due)


def _is_moved(asked: PageRow, own: PageRow | None, article: Article) -> bool:
    """Whether the page asked for is now the one that answered.

    Not when it had a text of its own. Not when it is led to a short text that others were led to before: that is a
    consent wall or a log-in, and the page asked for is still there behind it.
    """
    if asked.identity is not None:
        return asked.identity == article.identity_key
    return article.verdict in WHOLE or own is None


def _kept_apart(intent: Intent, incoming: Incoming, asked: PageRow, now: datetime, next_due: NextDue) -> Intent:
    raw = incoming.page.raw
    if asked.identity is None:
        kind, reason = "redirect/short_text", f"leads to the short text at {raw.final_url}"
        other = failed_page(asked, kind, raw.status, now)
    else:
        kind, reason = "redirect/kept_apart", f"leads to another text at {raw.final_url}"
        other = seen_page(asked, raw.status, None, now, next_due)
    return replace(intent, others=(other,), events=(_asked(incoming, now, kind, reason), *intent.events))


def _read(
    known: Known, incoming: Incoming, article: Article, base: PageRow, now: datetime, next_due: NextDue
) -> Intent:
    raw = incoming.page.raw
    published = article.metadata.published.when if article.metadata.published else None
    changed = base.identity != article.identity_key
    if raw.undated and base.identity is not None and base.last_fetched is not None:
        if not changed:
            return Intent("unchanged", base, "a file of unknown age, the page shows its text")
        if not _completes(base, article):
            return _history(incoming, article, base, now)
    elif changed and _is_late(base, article, now):
        return _history(incoming, article, base, now)
    if changed and article.verdict not in WHOLE and base.verdict in WHOLE:
        reason = f"the text was {article.verdict}, the good version stays"
        page = seen_page(base, raw.status, published, now, next_due, undated=raw.undated)
        return Intent("unchanged", page, reason, events=(_found(incoming, now, "stored/kept_good_version", reason),))
    past = judge(known, base, article, now) if base.identity is not None else FIRST
    if past.refused is not None:
        page = seen_page(base, raw.status, published, now, next_due, undated=raw.undated)
        event = _found(incoming, now, past.refused, past.reason)
        return Intent("unchanged", page, past.reason, events=(event,))
    kind, reason = _kind(known, base, article, past)
    late = base.shown_at is not None and now < base.shown_at
    page = base if late and not changed else _showing(base, incoming, article, now, kind)
    page = seen_page(page, raw.status, published, now, next_due, undated=raw.undated)
    events: tuple[Event, ...] = (_found(incoming, now, f"stored/{kind}", reason),)
    problem = canonical_problem(known, incoming)
    if problem is not None:
        refused = f"{article.metadata.canonical}: {problem}"
        events = (_found(incoming, now, "canonical/rejected", refused), *events)
        article = replace(article, metadata=replace(article.metadata, canonical=None))
    return Intent(
        kind, page, reason, stores=article, change_class=past.change, late=late, events=events, labels=past.labels
    )


def _showing(base: PageRow, incoming: Incoming, article: Article, now: datetime, kind: OutcomeKind) -> PageRow:
    """The page with the article as what it shows."""
    headers = incoming.page.raw.headers
    return replace(
        base,
        identity=article.identity_key,
        verdict=article.verdict,
        shown_at=None if incoming.page.raw.undated else now,
        last_change=now if kind == "new_version" else base.last_change,
        edits=base.edits + (kind == "new_version"),
        use=incoming.page.use or base.use,
        claimed_key=incoming.canonical_key if incoming.canonical_key != incoming.key else None,
        etag=headers.get("etag"),
        last_modified=headers.get("last-modified"),
    )


def _is_late(base: PageRow, article: Article, now: datetime) -> bool:
    """Whether another text than the one shown was fetched before that one; a whole text still replaces part of one."""
    if base.identity is None or _completes(base, article):
        return False
    confirmed = base.last_fetched if base.last_status == NOT_MODIFIED else None
    return any(known is not None and now < known for known in (base.shown_at, confirmed))


def _completes(base: PageRow, article: Article) -> bool:
    """Whether the article is a whole text and the page shows part of one."""
    return article.verdict in WHOLE and base.verdict not in WHOLE


def _history(incoming: Incoming, article: Article, base: PageRow, now: datetime) -> Intent:
    """An older capture, or one of unknown age: a version the page once showed."""
    reason = f"a capture of {now:%Y-%m-%d %H:%M}, older than what the page shows"
    if incoming.page.raw.undated:
        reason = "a file of unknown age, what the page shows stays"
    page = replace(base, last_change=base.last_change or base.shown_at)
    event = _found(incoming, now, "stored/older_version", reason)
    return Intent("new_version", page, reason, stores=article, change_class="first", late=True, events=(event,))


def _kind(known: Known, base: PageRow, article: Article, past: Past) -> tuple[OutcomeKind, str]:
    if past.is_version:
        return "new_version", past.reason
    if base.identity == article.identity_key:
        return "unchanged", ""
    if article.identity_key in known.articles:
        return "joined", "another page shows the same text"
    return "inserted", ""


def _asked(incoming: Incoming, now: datetime, kind: str, reason: str = "") -> Event:
    raw = incoming.page.raw
    return Event(incoming.asked_key, raw.url, raw.site, now, kind, reason, raw.status)


def _found(incoming: Incoming, now: datetime, kind: str, reason: str = "") -> Event:
    raw = incoming.page.raw
    return Event(incoming.key, raw.final_url, raw.site, now, kind, reason, raw.status)
