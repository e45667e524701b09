"""Stores a batch of pages: looks up, decides and writes it in few statements. The caller opens the transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, select, update

from newscrawl.model import Article
from newscrawl.monitoring import problems
from newscrawl.storage import events
from newscrawl.storage.articles import writing
from newscrawl.storage.articles.deciding.decide import decide
from newscrawl.storage.articles.deciding.differences import PageSnapshot, compare, stored_names
from newscrawl.storage.articles.deciding.known import Incoming, Intent, ItemBatch, Known, Occasion, capture_id
from newscrawl.storage.articles.lookup import barring, known_pages, load_facts, load_past, previous_readings
from newscrawl.storage.articles.rows import named_entries
from newscrawl.storage.captures import withdrawals
from newscrawl.storage.duplicates import join, story_pages
from newscrawl.storage.duplicates.join import remove_unused
from newscrawl.storage.engine.sql import Values, rows_among
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.announce import Written, announce, article_of
from newscrawl.storage.feed.changes import Cause
from newscrawl.storage.records import WHOLE, Outcome, PageRow
from newscrawl.storage.tables.articles import articles, versions
from newscrawl.workers.processes.failpoints import MID_TRANSACTION, hit

BARRED: Final = "its address or site is on the blocklist, so the page is not stored (newscrawl forget --block)"

RECLASSIFIED: Final = 30
"""The most versions of a page that are compared again. Without a limit, every ingested capture of a page that changes
each hour would compare all of them again."""


def save_batch(
    connection: Connection, batch: Sequence[Incoming], occasion: Occasion, known: Known | None = None
) -> list[Outcome]:
    """Looks up, decides and writes the batch. Returns one outcome for each item, in order. `known` is what load_facts
    returns, if the caller has it."""
    known = known if known is not None else load_facts(connection, batch)[0]
    barred = {number for number, item in enumerate(batch) if known.barred and known.barred & barring(item)}
    allowed = [item for number, item in enumerate(batch) if number not in barred]
    outcomes: list[Outcome] = []
    parts: list[ItemBatch] = []
    while len(outcomes) < len(allowed):
        rest = allowed[len(outcomes) :]
        known = load_facts(connection, rest)[0] if parts else known
        parts.append(_decide_together(connection, rest, occasion, known))
        outcomes += _write(connection, parts[-1])
    replaced, wrong = dict(pair for part in parts for pair in _replaced(part)), _not_credible(parts)
    if replaced or wrong:
        now = occasion.moment(max(part.latest for part in parts))
        if replaced:
            remove_unused(connection, replaced, now, "superseded", replaced)
        for identity, (keys, doubts) in wrong.items():
            withdrawals.take_back(connection, identity, keys, doubts, now)
    writing.count_hours(connection, parts)
    stored = iter(outcomes)
    return [Outcome("failed", reason=BARRED) if number in barred else next(stored) for number in range(len(batch))]


def _not_credible(parts: Sequence[ItemBatch]) -> dict[str, tuple[set[str], Sequence[str]]]:
    """Returns the identity keys of texts that the parts found not to be credible, each with the URL keys of pages that
    may show it, and why: a text that took the place of others at several addresses, and a text beside whose former one
    it is not credible."""
    wrong: dict[str, tuple[set[str], Sequence[str]]] = {}
    for part in parts:
        for item, intent in part.decided:
            if intent.replacing is None:
                continue
            identity, _ = intent.replacing
            doubt = item.page.doubt if item.page.needs_review else None
            why = doubt.reasons if doubt is not None else intent.doubts
            keys = set(part.known.replacing[identity]) if problems.SAME_TEXT in why else set()
            keys |= {part.page_key(intent)} if intent.withdraws_shown else set()
            if keys:
                wrong.setdefault(identity, (set(), why))[0].update(keys)
    return wrong


def _decide_together(connection: Connection, batch: Sequence[Incoming], occasion: Occasion, known: Known) -> ItemBatch:
    """Decides the items in order. It stops before an item whose page was merged away by an earlier item, or got a
    version from it, because that item has to be decided from the tables. Nearly always the whole batch is decided at
    once."""
    before = _known(connection, batch, occasion, known)
    decided: list[tuple[Incoming, Intent]] = []
    dissolved: set[str] = set()
    showing: dict[str, Intent] = {}
    for item in batch:
        if dissolved & item.keys or any(
            _needs_tables(showing.get(key), item) for key in _pages_of(known, item, occasion)
        ):
            break
        intent = decide(known, item, occasion)
        known.learn(intent)
        held = intent.kind == "held_for_review" and intent.doubts
        decided.append((item.in_review(intent.doubts) if held else item, intent))
        if intent.merged is not None:
            dissolved.add(intent.merged)
        if intent.stores is not None:
            showing[intent.page.url_key] = intent
    return ItemBatch(occasion, known, before, decided)


def _known(connection: Connection, batch: Sequence[Incoming], occasion: Occasion, known: Known) -> dict[str, PageRow]:
    """Adds the stored state that concerns the batch to what is known. Returns the pages of the batch as they are
    stored."""
    known_pages(connection, (key for item in batch for key in item.keys), known)
    before = dict(known.pages)
    load_past(connection, known, batch)
    if occasion.kind == "reextracted":
        ids = (capture_id(item.page) for item in batch)
        known.readings = previous_readings(connection, (number for number in ids if number is not None))
    return before


def _pages_of(known: Known, item: Incoming, occasion: Occasion) -> set[str]:
    """Returns the keys of the pages that the item may belong to. A re-extraction belongs to the page that its address
    leads to now. A visit makes a page of the address that answered."""
    keys = {item.key, item.asked_key}
    return keys if occasion.is_visit else keys | {known.aliases.get(item.key, item.key)}


def _needs_tables(earlier: Intent | None, item: Incoming) -> bool:
    """Returns whether an item has to be compared with the version that an earlier item of the batch made of the page:
    because it may be another version, or because the page showed another text before the batch."""
    article = item.page.article
    if earlier is None or earlier.stores is None or article is None:
        return False
    was, now = earlier.stores, article
    replaced = earlier.instead_of.identity if earlier.replaces_shown and earlier.instead_of is not None else None
    if replaced is not None and replaced != was.identity_key:
        return True
    same_label = (was.metadata.title, was.metadata.authors) == (now.metadata.title, now.metadata.authors)
    return earlier.kind == "new_version" or was.identity_key != now.identity_key or not same_label


def _replaced(part: ItemBatch) -> Iterator[tuple[int, int]]:
    """Yields pairs of ids: a replaced article, and the article that replaces it."""
    for _, intent in part.decided:
        replaced = intent.instead_of.article_id if intent.instead_of is not None else None
        other = part.article_id(intent)
        if replaced is not None and intent.stores is not None and other is not None and replaced != other:
            yield replaced, other


def _write(connection: Connection, part: ItemBatch) -> list[Outcome]:
    """Writes the decisions: texts and pages, what belongs to them, then stories and the feed. Returns the outcome of
    each item."""
    new = writing.write_articles(connection, part)
    hit(MID_TRANSACTION)
    writing.write_new_pages(connection, part)
    hit(MID_TRANSACTION)
    rows = writing.version_rows(part)
    outcomes = [_outcome(part, intent) for _, intent in part.decided]
    writing.settle_review(connection, part)
    writing.write_pages(connection, part)
    writing.merge_pages(connection, part)
    writing.write_versions(connection, part, rows)
    writing.write_urls(connection, part)
    writing.write_captures(connection, part)
    events.record_all(connection, [event for _, intent in part.decided for event in intent.events])
    hit(MID_TRANSACTION)
    writing.replace_readings(connection, part)
    _write_stories(connection, part, rows, new)
    hit(MID_TRANSACTION)
    writing.record_first_visits(connection, part, outcomes)
    return outcomes


def _write_stories(connection: Connection, part: ItemBatch, rows: Written, new: Mapping[int, Article]) -> None:
    """Decides on stories, and appends the changes of the feed."""
    # Pages of which the part has an older capture, now that the rows are written.
    _classify_again(connection, {part.page_id(intent) for _, intent in part.decided if intent.late})
    appended = announce(connection, part, rows, new.keys())
    join.join(connection, new)
    appended += join.replaced_stories(connection, appended, part.stored_at, "corrected")
    appended += _older(connection, part, {row["article_id"] for row in appended}, rows)
    changes.append_rows(connection, appended)
    writing.write_earlier(connection, part)


def _classify_again(connection: Connection, page_ids: Iterable[int]) -> None:
    """Gives a page's versions their classes in the order they were shown, after a capture older than what it shows.

    The texts of a page with more than `RECLASSIFIED` versions are not read again: all but its first keep their class.
    """
    columns = ("id", "article_id", "change_class", "verdict", "live_entries", "title", "authors")
    for page_id in sorted(page_ids):
        query = select(*(versions.c[name] for name in columns)).where(versions.c.page_id == page_id)
        rows = connection.execute(query.order_by(versions.c.seen_at, versions.c.id)).all()
        many = len(rows) > RECLASSIFIED
        of_versions = select(articles.c.id, articles.c.text)
        shown = () if many else rows_among(connection, of_versions, articles.c.id, (row.article_id for row in rows))
        texts = {row.id: row.text for row in shown}
        old: PageSnapshot | None = None
        for row in rows:
            names = stored_names(row.live_entries)
            new = PageSnapshot(texts.get(row.article_id, ""), row.title, tuple(row.authors or ()), row.verdict, names)
            kept = "correction" if row.change_class == "first" else row.change_class
            difference = None if old is None or many else compare(old, new)
            change = "first" if old is None else kept if difference is None else difference.change or "correction"
            if change != row.change_class:
                entries = named_entries(difference.entries) if difference is not None else None
                changed = update(versions).where(versions.c.id == row.id)
                connection.execute(changed.values(change_class=change, new_entries=entries))
            if old is None or new.verdict in WHOLE or old.verdict not in WHOLE:
                old = new


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
