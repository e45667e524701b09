"""Builds the events of an intent. Pure."""

from __future__ import annotations

from typing import Final

from newscrawl.model import Article
from newscrawl.storage.articles.deciding.known import Incoming
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.articles.deciding.previous_readings import PreviousReading
from newscrawl.storage.records import Event

RELEASED: Final = "stored/released"
REEXTRACTED: Final = "stored/reextracted"
OTHER_EXTRACTOR: Final = "stored/other_extractor"


def requested_event(incoming: Incoming, kind: str, reason: str = "") -> Event:
    """Returns an event of the address that was requested, at the time of the fetch."""
    raw = incoming.page.raw
    return Event(incoming.asked_key, raw.url, raw.site, raw.fetched_at, kind, reason, raw.status)


def answered_event(incoming: Incoming, kind: str, reason: str = "") -> Event:
    """Returns an event of the address that answered, at the time of the fetch."""
    raw = incoming.page.raw
    return Event(incoming.key, raw.final_url, raw.site, raw.fetched_at, kind, reason, raw.status)


def doubt_events(incoming: Incoming, article: Article, occasion: Occasion) -> tuple[Event, ...]:
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
    return (answered_event(incoming, OTHER_EXTRACTOR, reason),)


def reextraction_events(
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
