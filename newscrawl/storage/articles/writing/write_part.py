"""Writes one part of a batch: texts and pages, what belongs to them, then stories and the feed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from sqlalchemy import Connection

from newscrawl.failpoints import MID_TRANSACTION, hit
from newscrawl.storage import events
from newscrawl.storage.articles.deciding.known import Intent
from newscrawl.storage.articles.writing import capture_rows, page_rows, text_rows, visit_effects
from newscrawl.storage.articles.writing.part import ItemBatch
from newscrawl.storage.duplicates import first_pages, pending, replaced_stories, story_members
from newscrawl.storage.duplicates.story_members import NewArticle
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.announce import Written, announce, article_of, is_announced
from newscrawl.storage.feed.change_causes import Cause
from newscrawl.storage.feed.changes import Appended
from newscrawl.storage.frontier import patterns
from newscrawl.storage.records import Outcome


def write_part(connection: Connection, part: ItemBatch) -> list[Outcome]:
    """Writes the decisions. Returns the outcome of each item."""
    new = text_rows.write_articles(connection, part)
    hit(MID_TRANSACTION)
    page_rows.write_new_pages(connection, part)
    hit(MID_TRANSACTION)
    rows = text_rows.version_rows(part)
    outcomes = [_outcome(part, intent) for _, intent in part.decided]
    visit_effects.record_announced_visits(connection, part)
    visit_effects.drop_from_review(connection, part)
    others = {*_claiming(part), *_with_other_addresses(part)}
    concerns_stories = bool(new) or bool(others) or is_announced(part, rows) or not _is_plain(part)
    _write_rows(connection, part, rows)
    hit(MID_TRANSACTION)
    capture_rows.replace_readings(connection, part)
    if concerns_stories:
        _write_stories(connection, part, rows, new, others)
    hit(MID_TRANSACTION)
    visit_effects.keep_for_review(connection, part)
    visits = visit_effects.first_visits(part, outcomes)
    patterns.record(connection, visits, part.latest)
    visit_effects.count_articles(connection, visits, part)
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
    capture_rows.write_captures(connection, part)
    events.record_all(connection, [event for _, intent in part.decided for event in intent.events])


def _write_stories(
    connection: Connection, part: ItemBatch, rows: Written, new: Sequence[NewArticle], others: Collection[int]
) -> None:
    """Decides on stories, and appends the changes of the feed."""
    text_rows.classify_older(connection, part)
    with changes.gathered(connection) as appended:
        announce(connection, part, rows, {article.article_id for article in new})
        alone = story_members.link(connection, new)
        asked = replaced_stories.announce_replaced(connection, appended, part.stored_at, "corrected", others)
        _announce_older(connection, part, appended, rows)
        without_choice = alone - _on_several_pages(part)
        first_pages.choose_changed(connection, appended, others, part.stored_at, without_choice, asked)
    pending.seen_since(connection, _seen_since(part))


def _on_several_pages(part: ItemBatch) -> set[int]:
    """Returns the articles that several pages of the part show."""
    counts = Counter(article_of(part.known, page) for page in part.known.pages.values())
    return {number for number, count in counts.items() if number is not None and count > 1}


def _announce_older(connection: Connection, part: ItemBatch, appended: Appended, written: Written) -> None:
    """Announces in the feed the articles whose page showed an older text of the same story, so an earlier time."""
    of_page = {part.page_ids[key]: page for key, page in part.known.pages.items() if key in part.page_ids}
    shown = {
        (number, article_id)
        for page_id, article_id in written
        if page_id in of_page and (number := article_of(part.known, of_page[page_id])) not in {None, article_id}
    }
    if not shown:
        return
    stories = first_pages.numbers_of(connection, {number for pair in shown for number in pair if number is not None})
    same = {number for number, older in shown if number is not None and stories[number] == stories[older]}
    announced, _ = appended.subjects
    changes.append_seen(connection, dict.fromkeys(sorted(same - announced), Cause("metadata")), part.stored_at)


def _with_other_addresses(part: ItemBatch) -> Iterator[int]:
    """Yields the articles of pages to which an address leads now or led before: another page's canonical may be it."""
    for _, intent in part.decided:
        for address, _ in intent.urls:
            now, before = part.page_key(intent), part.led.get(address)
            for key in {now, before} if now != before else ():
                page = part.known.pages.get(key) if key is not None else None
                number = article_of(part.known, page) if page is not None else None
                if number is not None:
                    yield number


def _claiming(part: ItemBatch) -> Iterator[int]:
    """Yields the articles of stored pages that claim another canonical page than before."""
    for key, page in part.known.pages.items():
        old = part.before.get(key)
        number = article_of(part.known, page)
        if number is not None and old is not None and old.claimed_canonical_key != page.claimed_canonical_key:
            yield number


def _seen_since(part: ItemBatch) -> dict[int, datetime]:
    """Returns the articles for which a capture proves an earlier time than stored: archives are read in any order."""
    times: dict[int, datetime] = {}
    for _, intent in part.decided:
        number = part.article_id(intent) if intent.seen_since is not None else None
        if number is not None and intent.seen_since is not None:
            times[number] = min(intent.seen_since, times.get(number, intent.seen_since))
    return times


def _outcome(part: ItemBatch, intent: Intent) -> Outcome:
    identity = intent.page.identity
    article_id = part.known.articles.get(identity) if identity is not None else None
    return Outcome(intent.kind, part.page_ids.get(part.page_key(intent)), article_id, intent.reason, intent.first)
