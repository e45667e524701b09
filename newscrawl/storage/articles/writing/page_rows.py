"""Writes rows of `pages` and of the addresses that lead to them, and the effects of visits on the review queue,
patterns of addresses and the hours of sites."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, delete, exists, func, select, update

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.deciding.known import ItemBatch
from newscrawl.storage.articles.rows import PAGE
from newscrawl.storage.engine.sql import Values, incoming, insert_new, upsert
from newscrawl.storage.feed.announce import article_of
from newscrawl.storage.frontier import patterns
from newscrawl.storage.monitoring import hours, review_queue
from newscrawl.storage.records import GENERIC_SITE, NOT_MODIFIED, Outcome, PageRow
from newscrawl.storage.tables.articles import headlines, pages, urls, versions
from newscrawl.storage.tables.frontier import ARTICLES


def write_pages(connection: Connection, part: ItemBatch) -> None:
    """Writes the stored pages that the part changed, in their state after the last item."""
    rows = [_row(part, page) for page in _changed(part) if page.id is not None]
    upsert(connection, pages, ["url_key"], rows)


def write_new_pages(connection: Connection, part: ItemBatch) -> None:
    """Inserts the pages that are not stored yet. Adds the ids of all changed pages to `part.page_ids`."""
    final = _changed(part)
    part.page_ids.update({page.url_key: page.id for page in final if page.id is not None})
    rows = [_row(part, page) for page in final if page.id is None]
    part.page_ids.update(insert_new(connection, pages, "url_key", rows))


def _row(part: ItemBatch, page: PageRow) -> Values:
    return PAGE.values(page) | {"article_id": article_of(part.known, page)}


def _changed(part: ItemBatch) -> list[PageRow]:
    """Returns the pages that the part changed, in their state after the last item."""
    known = part.known
    changed = dict.fromkeys(page.url_key for _, intent in part.decided for page in (intent.page, *intent.others))
    return [known.pages[key] for key in changed if key in known.pages]


def merge_pages(connection: Connection, part: ItemBatch) -> None:
    """Merges stored pages that turned out to be others: moves their addresses and versions and deletes their rows."""
    for _, intent in part.decided:
        old = part.before.get(intent.merged) if intent.merged is not None else None
        if old is not None and old.id is not None:
            _dissolve(connection, old.id, part.page_id(intent))


def write_urls(connection: Connection, part: ItemBatch) -> None:
    """Writes the addresses that lead to the pages. The first spelling of an address stays."""
    rows = {}
    for _, intent in part.decided:
        for key, url in intent.urls:
            page_key = part.known.aliases[key]
            if page_key in part.page_ids:
                rows[key] = {"url_key": key, "url": url, "page_id": part.page_ids[page_key]}
    upsert(connection, urls, ["url_key"], [rows[key] for key in sorted(rows)], {"page_id": incoming})


def _dissolve(connection: Connection, old: int, new: int) -> None:
    """Moves the addresses, versions and headlines of one page to another. A version that both have gets the earlier
    first date."""
    both = versions.alias()
    same = and_(both.c.page_id.in_([old, new]), both.c.article_id == versions.c.article_id)
    earliest = select(func.min(both.c.seen_at)).where(same).scalar_subquery()
    connection.execute(update(versions).where(versions.c.page_id == new).values(seen_at=earliest))
    shown = select(both.c.article_id).where(both.c.page_id == new)
    connection.execute(delete(versions).where(versions.c.page_id == old, versions.c.article_id.in_(shown)))
    connection.execute(update(versions).where(versions.c.page_id == old).values(page_id=new))
    connection.execute(update(urls).where(urls.c.page_id == old).values(page_id=new))
    other = headlines.alias()
    same_label = and_(other.c.article_id == headlines.c.article_id, other.c.label_key == headlines.c.label_key)
    clash = exists().where(other.c.page_id == new, same_label)
    connection.execute(delete(headlines).where(headlines.c.page_id == old, clash))
    connection.execute(update(headlines).where(headlines.c.page_id == old).values(page_id=new))
    connection.execute(delete(pages).where(pages.c.id == old))


def settle_review(connection: Connection, part: ItemBatch) -> None:
    """Removes readings from the review queue that the part replaces, by a credible text or by another reading, and adds
    the pages whose text looks broken."""
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
    replaced: dict[str, datetime | None] = {**credible, **dict.fromkeys(kept)}
    review_queue.drop(connection, {key: at for key, at in replaced.items() if key in part.facts.in_review})
    review_queue.add(connection, kept)


def record_first_visits(connection: Connection, part: ItemBatch, outcomes: Sequence[Outcome]) -> None:
    """Counts the results of first visits for the patterns of addresses, and their articles for the days of sites. A
    page held for review is not counted yet."""
    visits = []
    for (item, intent), outcome in zip(part.decided, outcomes, strict=True):
        asked = part.before.get(item.asked_key)
        if asked is not None and asked.state == "found" and outcome.kind != "held_for_review" and intent.is_visit:
            failure = intent.page.failure_kind if outcome.kind == "failed" else None
            visits.append(patterns.Visit(asked.site, asked.url, outcome.kind == "inserted", failure))
    patterns.record(connection, patterns.load(connection, visits), visits, part.latest)
    tally = hours.Tally()
    for visit in visits:
        if visit.is_fruitful and visit.site != GENERIC_SITE:
            tally.count(visit.site, part.latest, ARTICLES)
    tally.write(connection)


def count_hours(connection: Connection, parts: Sequence[ItemBatch]) -> None:
    """Adds the results of a batch that was just fetched to the numbers of its sites by hour."""
    tally = hours.Tally()
    for item, intent in (pair for part in parts if part.occasion.kind == "crawled" for pair in part.decided):
        site, at = item.page.raw.site, item.page.raw.fetched_at
        tally.count(site, at, "fetched")
        if item.page.raw.status == NOT_MODIFIED:
            tally.count(site, at, "not_modified")
        if kind := hours.OF_OUTCOMES.get(intent.kind):
            tally.count(site, at, kind)
        if intent.kind == "inserted":
            tally.article(site, at)
        elif intent.kind == "failed" and intent.page.failure_kind is not None:
            tally.failure(site, at, intent.page.failure_kind)
    tally.write(connection)
