"""Writes one part of a batch: texts and pages, what belongs to them, then stories and the feed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection

from newscrawl.failpoints import MID_TRANSACTION, hit
from newscrawl.model import Article
from newscrawl.storage import events
from newscrawl.storage.articles.deciding.known import Intent, ItemBatch
from newscrawl.storage.articles.versions import classify_again
from newscrawl.storage.articles.writing import page_rows, text_rows
from newscrawl.storage.duplicates import join, story_pages
from newscrawl.storage.engine.sql import Values
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.announce import Written, announce, article_of, is_announced
from newscrawl.storage.feed.change_causes import Cause
from newscrawl.storage.records import Outcome


def write_part(connection: Connection, part: ItemBatch) -> list[Outcome]:
    """Writes the decisions. Returns the outcome of each item."""
    new = text_rows.write_articles(connection, part)
    hit(MID_TRANSACTION)
    page_rows.write_new_pages(connection, part)
    hit(MID_TRANSACTION)
    rows = text_rows.version_rows(part)
    outcomes = [_outcome(part, intent) for _, intent in part.decided]
    page_rows.settle_review(connection, part)
    concerns_stories = bool(new) or is_announced(part, rows) or not _is_plain(part)
    _write_rows(connection, part, rows)
    hit(MID_TRANSACTION)
    text_rows.replace_readings(connection, part)
    if concerns_stories:
        _write_stories(connection, part, rows, new)
    hit(MID_TRANSACTION)
    page_rows.record_first_visits(connection, part, outcomes)
    return outcomes


def _is_plain(part: ItemBatch) -> bool:
    """Returns whether the part only stores what was just fetched, with nothing older than what is stored."""
    is_late = any(intent.late or intent.seen_since is not None for _, intent in part.decided)
    return part.occasion.kind == "crawled" and not is_late


def _write_rows(connection: Connection, part: ItemBatch, rows: Written) -> None:
    page_rows.write_pages(connection, part)
    page_rows.merge_pages(connection, part)
    text_rows.write_versions(connection, part, rows)
    page_rows.write_urls(connection, part)
    text_rows.write_captures(connection, part)
    events.record_all(connection, [event for _, intent in part.decided for event in intent.events])


def _write_stories(connection: Connection, part: ItemBatch, rows: Written, new: Mapping[int, Article]) -> None:
    """Decides on stories, and appends the changes of the feed."""
    # Pages of which the part has an older capture, now that the rows are written.
    classify_again(connection, {part.page_id(intent) for _, intent in part.decided if intent.late})
    appended = announce(connection, part, rows, new.keys())
    join.join(connection, new)
    appended += join.replaced_stories(connection, appended, part.stored_at, "corrected")
    appended += _older(connection, part, {row["article_id"] for row in appended}, rows)
    changes.append_rows(connection, appended)
    text_rows.write_earlier(connection, part)


def _older(connection: Connection, part: ItemBatch, announced: Collection[int], written: Written) -> list[Values]:
    """Returns the rows of the feed for the articles whose page showed an older text of the same story, so an earlier
    time."""
    of_page = {part.page_ids[key]: page for key, page in part.known.pages.items() if key in part.page_ids}
    shown = {
        (number, article_id)
        for page_id, article_id in written
        if page_id in of_page and (number := article_of(part.known, of_page[page_id])) not in {None, article_id}
    }
    if not shown:
        return []
    stories = story_pages.numbers_of(connection, {number for pair in shown for number in pair if number is not None})
    same = {number for number, older in shown if number is not None and stories[number] == stories[older]}
    return changes.seen(
        connection, dict.fromkeys(sorted(same.difference(announced)), Cause("metadata")), part.stored_at
    )


def _outcome(part: ItemBatch, intent: Intent) -> Outcome:
    identity = intent.page.identity
    article_id = part.known.articles.get(identity) if identity is not None else None
    return Outcome(intent.kind, part.page_ids.get(part.page_key(intent)), article_id, intent.reason, intent.first)
