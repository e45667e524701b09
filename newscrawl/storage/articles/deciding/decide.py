"""Decides how a processed page is stored, given the state of the database and the occasion. Pure.

Rules (docs/explanation/design-storage.md):
- A page is its final URL. Another page that shows the same text joins the article; the same page with another text
  shows a new version.
- An address that redirects here becomes an address of this page, unless its own page shows another text: pages with
  different texts are never merged.
- A page held for review changes nothing that a page shows.
- A text that takes the place of quite another one is held for review if it is not credible (revision_class.py).
- No failure, no empty text, no short or paywalled text and no part of a text replaces a good one.
- A changed text is a version with its class; changed boilerplate around the sentences is not (revision_class.py).
- A page belongs to the site that declared it; `generic` gives up its pages to such a site.
- Captures come in any order (`newscrawl ingest` reads archives): texts are ordered by the time of their fetch. A text
  that is older than what the page shows becomes a version and changes nothing else.
- Another extraction of a capture is not a visit. Its text replaces the earlier result of the capture. If the page shows
  that result, it shows the new text instead, which is not compared with the replaced one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from newscrawl.model import Article
from newscrawl.model.identity import clean_url
from newscrawl.storage.articles.deciding.known import Incoming, Intent, Known, Occasion, PreviousReading, capture_id
from newscrawl.storage.articles.deciding.text_at_page import (
    decide_text,
    failed_visit,
    new_page,
    page_in_review,
    seen_page,
)
from newscrawl.storage.records import NOT_MODIFIED, WHOLE, Event, PageRow, owner

RELEASED: Final = "stored/released"
REEXTRACTED: Final = "stored/reextracted"
OTHER_EXTRACTOR: Final = "stored/other_extractor"


def decide(known: Known, incoming: Incoming, occasion: Occasion) -> Intent:
    """Returns the intent for an incoming page.

    Raises ValueError for an article without hashes, LookupError for a re-extraction of an unknown capture.
    """
    page = incoming.page
    if page.raw.status == NOT_MODIFIED:
        return _not_modified(known, incoming, occasion)
    if page.needs_review:
        return _held_for_review(known, incoming, occasion)
    if page.article is None:
        if page.failure is None:
            raise ValueError(f"page {page.raw.url} has neither article nor failure")
        return _failed(known, incoming, page.failure.code, page.failure.reason, occasion)
    if page.article.identity_key is None or page.article.content_hash is None:
        raise ValueError(f"article {page.article.url} has no hashes: pipelines/fingerprint.py comes before storing")
    if page.article.verdict == "empty" or not page.article.text.strip():
        return _failed(known, incoming, "extraction/empty", "no extractor found a text", occasion)
    if occasion.kind == "reextracted":
        return _reextracted(known, incoming, page.article, occasion)
    intent = _readable(known, incoming, page.article, occasion)
    if intent.kind == "held_for_review":
        held = _held_for_review(known, incoming.in_review(intent.doubts), occasion)
        return replace(held, doubts=intent.doubts)
    seen_since = page.raw.fetched_at if occasion.kind == "ingested" and intent.kind in {"joined", "unchanged"} else None
    events = (*intent.events, *_doubt_events(incoming, page.article, occasion))
    return replace(intent, events=events, seen_since=seen_since)


def _failed(known: Known, incoming: Incoming, kind: str, reason: str, occasion: Occasion) -> Intent:
    raw = incoming.page.raw
    requested_page = known.pages.get(incoming.asked_key)
    target = known.page_of(incoming.key) or known.page_of(incoming.asked_key) or new_page(incoming.asked_key, raw)
    events = (incoming.asked_event(kind, reason),)
    if target.last_fetched is not None and (raw.undated or raw.fetched_at < target.last_fetched):
        target = replace(target, first_seen=min(target.first_seen, raw.fetched_at))
        return Intent("failed", target, reason, events=events)
    fetched = None if raw.undated else raw.fetched_at
    page = replace(failed_visit(target, kind, raw, occasion), last_fetched=fetched, site=owner(target.site, raw.site))
    others: tuple[PageRow, ...] = ()
    if requested_page is not None and requested_page.url_key != page.url_key:
        # In the state `found` it would be requested again on every run.
        others = (failed_visit(requested_page, kind, raw, occasion),)
    urls = ((page.url_key, raw.url),) if page.url_key == incoming.asked_key else ()
    return Intent("failed", page, reason, others, urls=urls, events=events)


def _held_for_review(known: Known, incoming: Incoming, occasion: Occasion) -> Intent:
    """Returns the intent for a text that looks broken: the page shows what it did, and its next visit is planned."""
    raw, doubt = incoming.page.raw, incoming.page.doubt
    reason = f"the text looks broken: {', '.join(doubt.reasons)}" if doubt is not None else ""
    identity = incoming.page.article.identity_key if incoming.page.article is not None else None
    events = (incoming.asked_event("stored/held_for_review", reason),)
    requested_page = known.pages.get(incoming.asked_key)
    target = known.page_of(incoming.key) or known.page_of(incoming.asked_key) or new_page(incoming.asked_key, raw)
    if target.last_fetched is not None and raw.fetched_at < target.last_fetched:
        return Intent("failed", target, reason, events=events)
    page = replace(page_in_review(target, raw, occasion), site=owner(target.site, raw.site))
    others: tuple[PageRow, ...] = ()
    if requested_page is not None and requested_page.url_key != page.url_key:
        others = (page_in_review(requested_page, raw, occasion),)
    urls = ((page.url_key, raw.url),) if page.url_key == incoming.asked_key else ()
    replacing = (identity, target.identity or "") if identity is not None else None
    is_first = target.last_fetched is None
    return Intent(
        "held_for_review", page, reason, others, urls=urls, events=events, first=is_first, replacing=replacing
    )


def _not_modified(known: Known, incoming: Incoming, occasion: Occasion) -> Intent:
    page = known.page_of(incoming.key) or known.page_of(incoming.asked_key)
    if page is None or page.identity is None:
        return _failed(known, incoming, "fetch/unknown_not_modified", "304 for a page that was never stored", occasion)
    page = seen_page(page, incoming.page.raw, None, occasion)
    return Intent("unchanged", page, "not modified", events=(incoming.asked_event("stored/not_modified"),))


def _readable(known: Known, incoming: Incoming, article: Article, occasion: Occasion) -> Intent:
    """Decides which page the item belongs to, then how its text is stored at that page."""
    raw = incoming.page.raw
    final_page = known.pages.get(incoming.key)
    requested_page = known.pages.get(incoming.asked_key) if incoming.asked_key != incoming.key else None
    moved = requested_page is not None and _is_moved(requested_page, final_page, article)
    base = final_page or new_page(incoming.key, raw)
    if requested_page is not None and moved:
        if final_page is None:
            base = replace(requested_page, id=None)  # it keeps its first date, its source and what it shows
        elif final_page.identity == requested_page.identity:
            base = replace(base, joined=base.joined and requested_page.joined)
    base = replace(
        base,
        url_key=incoming.key,
        url=clean_url(raw.final_url),
        site=owner(base.site, raw.site),
        discovery=base.discovery or raw.discovery,
        first_seen=min(base.first_seen, raw.fetched_at),
    )
    intent = decide_text(known, incoming, article, base, occasion)
    intent = replace(intent, urls=((incoming.key, raw.final_url),))
    if incoming.asked_key == incoming.key:
        return intent
    if requested_page is None or moved:
        event = incoming.asked_event("redirect/merged", f"leads to {raw.final_url}")
        merged = incoming.asked_key if requested_page is not None else None
        return replace(
            intent, merged=merged, urls=((incoming.asked_key, raw.url), *intent.urls), events=(event, *intent.events)
        )
    return _kept_apart(intent, incoming, requested_page, occasion)


def _is_moved(requested_page: PageRow, final_page: PageRow | None, article: Article) -> bool:
    """Returns whether the requested page has moved to the one that answered.

    It has not if it has a text of its own. It has not if the answer is a short text at an address that other pages were
    redirected to before: that is a consent page or a log-in, and the requested page still exists.
    """
    if requested_page.identity is not None:
        return requested_page.identity == article.identity_key
    return article.verdict in WHOLE or final_page is None


def _kept_apart(intent: Intent, incoming: Incoming, requested_page: PageRow, occasion: Occasion) -> Intent:
    raw = incoming.page.raw
    if requested_page.identity is None:
        kind, reason = "redirect/short_text", f"leads to the short text at {raw.final_url}"
        other = failed_visit(requested_page, kind, raw, occasion)
    else:
        kind, reason = "redirect/kept_apart", f"leads to another text at {raw.final_url}"
        other = seen_page(requested_page, raw, None, occasion)
    return replace(intent, others=(other,), events=(incoming.asked_event(kind, reason), *intent.events))


def _reextracted(known: Known, incoming: Incoming, article: Article, occasion: Occasion) -> Intent:
    """Returns the intent for another extraction of a capture, at the page that the capture's address leads to."""
    raw = incoming.page.raw
    previous = known.readings.get(capture_id(incoming.page) or 0)
    if previous is None:
        raise LookupError(f"the capture of {raw.url} is not stored")
    page = known.page_of(incoming.key)
    if page is None:  # the text was held for review when it was fetched, so the visit is stored now
        intent = _readable(known, incoming, article, replace(occasion, kind="ingested"))
    else:
        first_seen = min(page.first_seen, raw.fetched_at)
        base = replace(page, site=owner(page.site, raw.site), first_seen=first_seen)
        intent = decide_text(known, incoming, article, base, occasion, previous)
    if intent.kind == "held_for_review":
        identities = article.identity_key or "", intent.page.identity or ""
        return replace(intent, is_visit=False, replacing=identities)
    return replace(
        intent,
        events=_reextraction_events(incoming, article, previous, occasion) if intent.stores is not None else (),
        is_visit=False,
        seen_since=raw.fetched_at if intent.stores is not None else None,
        instead_of=previous,
    )


def _doubt_events(incoming: Incoming, article: Article, occasion: Occasion) -> tuple[Event, ...]:
    """Returns the events of a page whose extraction by the site's own chain was doubted: another extractor's text was
    stored, or an operator released the page's own."""
    doubt, raw = incoming.page.doubt, incoming.page.raw
    if doubt is None:
        return ()
    reasons = ", ".join(doubt.reasons)
    if occasion.kind == "released":
        at = occasion.moment(raw.fetched_at)
        return (Event(incoming.asked_key, raw.final_url, raw.site, at, RELEASED, f"was in review for: {reasons}"),)
    reason = f"{article.extractor}'s text is stored, because the result of the site's own chain looks broken: {reasons}"
    return (incoming.answered_event(OTHER_EXTRACTOR, reason),)


def _reextraction_events(
    incoming: Incoming, article: Article, previous: PreviousReading, occasion: Occasion
) -> tuple[Event, ...]:
    """Returns the event of a stored re-extraction; none if the article is the same as before."""
    if article.identity_key == previous.identity:
        return ()
    raw = incoming.page.raw
    was = f"{len(previous.text)} characters" if previous.text is not None else previous.failure or "nothing"
    reason = f"{was} by {previous.extractor}" if previous.extractor else was
    reason = f"{reason}, now {len(article.text)} characters by {article.extractor}"
    at = occasion.moment(raw.fetched_at)
    return (Event(incoming.key, raw.final_url, raw.site, at, REEXTRACTED, reason, raw.status),)
