"""Writes the effects of visits on announced edits, the review queue and patterns of addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.writing.part import ItemBatch
from newscrawl.storage.frontier import patterns, sightings
from newscrawl.storage.monitoring import hours, review_queue
from newscrawl.storage.records import GENERIC_SITE, Outcome

NOT_MODIFIED: Final = 304


def record_announced_visits(connection: Connection, part: ItemBatch) -> None:
    """Settles the announcements of stored pages with the result of their visits: an edit, nothing new, or
    unreadable."""
    results: dict[int, tuple[datetime, bool | None]] = {}
    for item, intent in part.decided:
        old, page = part.before.get(intent.page.url_key), intent.page
        if old is None or old.id is None or old.id not in part.facts.announced or not intent.is_visit:
            continue
        is_edit = page.edits > old.edits or page.identity != old.identity
        is_read = intent.kind not in {"failed", "held_for_review"}
        results[old.id] = item.page.raw.fetched_at, True if page.state == "gone" else is_edit if is_read else None
    sightings.record_results(connection, results)


def drop_from_review(connection: Connection, part: ItemBatch) -> None:
    """Removes readings from the review queue that the part replaces, by a credible text or by another reading."""
    kept, credible = _reviewed(part)
    replaced: dict[str, datetime | None] = {**credible, **dict.fromkeys(kept)}
    waiting = {key: at for key, at in replaced.items() if key in part.facts.in_review}
    review_queue.drop(connection, waiting)


def keep_for_review(connection: Connection, part: ItemBatch) -> None:
    """Adds pages whose text looks broken to the review queue. Call it after `drop_from_review`."""
    kept, _ = _reviewed(part)
    review_queue.add(connection, kept)


def _reviewed(part: ItemBatch) -> tuple[dict[str, tuple[str, ProcessedPage]], dict[str, datetime]]:
    """Returns the pages to be reviewed, and when the others were read, by the keys of their addresses."""
    kept: dict[str, tuple[str, ProcessedPage]] = {}
    credible: dict[str, datetime] = {}
    for item, intent in part.decided:
        page_key, at = part.page_key(intent), item.page.raw.fetched_at
        if intent.kind == "held_for_review":
            kept[page_key] = (item.key, item.page)
        elif intent.kind != "failed":
            for key in {page_key, item.key, item.asked_key}:
                kept.pop(key, None)
                credible[key] = max(at, credible.get(key, at))
    return kept, credible


def first_visits(part: ItemBatch, outcomes: Sequence[Outcome]) -> list[patterns.Visit]:
    """Returns the results of first visits. A page held for review is not counted yet."""
    visits = []
    for (item, intent), outcome in zip(part.decided, outcomes, strict=True):
        asked = part.before.get(item.asked_key)
        if asked is not None and asked.state == "found" and outcome.kind != "held_for_review" and intent.is_visit:
            failure = intent.page.failure_kind if outcome.kind == "failed" else None
            visits.append(patterns.Visit(asked.site, asked.url, outcome.kind == "inserted", failure))
    return visits


def count_articles(connection: Connection, visits: Sequence[patterns.Visit], part: ItemBatch) -> None:
    """Counts the articles of first visits for the days of sites."""
    brought = Counter(visit.site for visit in visits if visit.is_fruitful and visit.site != GENERIC_SITE)
    if brought:
        hours.count_articles(connection, brought, part.latest)


def count_hours(connection: Connection, parts: Sequence[ItemBatch]) -> None:
    """Adds the results of a batch that was just fetched to the numbers of its sites by hour."""
    fetched = [pair for part in parts if part.occasion.kind == "crawled" for pair in part.decided]
    numbers: dict[str, hours.Numbers] = {}
    for item, intent in fetched:
        raw = item.page.raw
        of_site = numbers.setdefault(raw.site, hours.Numbers())
        of_site.counts["fetched"] += 1
        if raw.status == NOT_MODIFIED:
            of_site.counts["not_modified"] += 1
        if column := hours.OF_OUTCOMES.get(intent.kind):
            of_site.counts[column] += 1
        if intent.kind == "inserted":
            of_site.add_article(raw.fetched_at)
        elif intent.kind == "failed" and intent.page.failure_kind is not None:
            of_site.add_failure(intent.page.failure_kind)
    if fetched:
        hours.add(connection, numbers, max(item.page.raw.fetched_at for item, _ in fetched))
