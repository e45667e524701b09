"""Stores a batch of pages: looks up, decides and writes it in few statements. The caller opens the transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from newscrawl.failpoints import MID_TRANSACTION, hit
from newscrawl.storage import events
from newscrawl.storage.articles import credible_times
from newscrawl.storage.articles.deciding.decide import decide
from newscrawl.storage.articles.deciding.known import Incoming, Intent, Known
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.articles.deciding.previous_readings import capture_id
from newscrawl.storage.articles.lookup import known_to_batch, previous_readings
from newscrawl.storage.articles.versions import load_past
from newscrawl.storage.articles.writing import capture_rows, page_rows, text_rows, visit_effects
from newscrawl.storage.articles.writing.part import ItemBatch
from newscrawl.storage.duplicates import first_pages, pending, replaced_stories, story_clusters
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.announce import announce, article_of
from newscrawl.storage.feed.causes import Cause
from newscrawl.storage.frontier.former_keys import adopt_pages
from newscrawl.storage.monitoring import site_totals
from newscrawl.storage.records import Outcome, PageRow
from newscrawl.storage.removal import blocklist
from newscrawl.storage.removal.unused_texts import remove_unused

BARRED: Final = "its address or site is on the blocklist, so the page is not stored (newscrawl forget --block)"


def save_batch(
    connection: Connection, batch: Sequence[Incoming], occasion: Occasion, clock: datetime | None = None
) -> list[Outcome]:
    """Looks up, decides and writes the batch. Returns one outcome for each item, in order.

    Stored times later than both `occasion.now` and `clock` are ignored (credible_times). Without `occasion.now` no
    stored time is ignored.
    """
    barred = _barred(connection, batch)
    allowed = [item for number, item in enumerate(batch) if number not in barred]
    now, limit = occasion.now, None
    if now is not None:
        limit = credible_times.horizon(connection, max(now, clock or now))
    outcomes: list[Outcome] = []
    replaced: dict[int, int] = {}
    parts: list[ItemBatch] = []
    while len(outcomes) < len(allowed):
        part = _decide_together(connection, allowed[len(outcomes) :], occasion, limit)
        outcomes += _write(connection, part)
        replaced.update(_replaced(part))
        parts.append(part)
    if replaced:
        now = occasion.moment(max(item.page.raw.fetched_at for item in allowed))
        remove_unused(connection, replaced, now, "superseded", replaced)
    visit_effects.count_hours(connection, parts)
    stored = iter(outcomes)
    return [Outcome("failed", reason=BARRED) if number in barred else next(stored) for number in range(len(batch))]


def _barred(connection: Connection, batch: Sequence[Incoming]) -> set[int]:
    """Returns the positions in the batch of pages on the blocklist."""
    keys = [
        {
            blocklist.of_site(str(item.page.raw.site)),
            *blocklist.of_address(item.page.raw.final_url, item.key),
            *blocklist.of_address(item.page.raw.url, item.asked_key),
        }
        for item in batch
    ]
    found = blocklist.among(connection, (key for of_item in keys for key in of_item))
    return {number for number, of_item in enumerate(keys) if of_item & found}


def _decide_together(
    connection: Connection, batch: Sequence[Incoming], occasion: Occasion, limit: datetime | None
) -> ItemBatch:
    """Decides the items in order. It stops before an item whose page was merged away by an earlier item, or got a
    version from it, because that item has to be decided from the tables. Nearly always the whole batch is decided at
    once."""
    adopt_pages(connection, {url for item in batch for url in (item.page.raw.final_url, item.page.raw.url)})
    known, before = _known(connection, batch, occasion, limit)
    led = dict(known.aliases)
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
        decided.append((item, intent))
        if intent.merged is not None:
            dissolved.add(intent.merged)
        if intent.stores is not None:
            showing[intent.page.url_key] = intent
    return ItemBatch(occasion, known, before, led, decided, limit, {})


def _known(
    connection: Connection, batch: Sequence[Incoming], occasion: Occasion, limit: datetime | None
) -> tuple[Known, dict[str, PageRow]]:
    """Returns the stored state that concerns the batch, and the pages of the batch as they are stored."""
    known = known_to_batch(connection, batch)
    before = dict(known.pages)
    load_past(connection, known, batch)
    if occasion.kind == "reextracted":
        ids = (capture_id(item.page) for item in batch)
        known.readings = previous_readings(connection, (number for number in ids if number is not None))
    credible_times.credible(known, limit, min(item.page.raw.fetched_at for item in batch))
    return known, before


def _pages_of(known: Known, item: Incoming, occasion: Occasion) -> set[str]:
    """Returns the keys of the pages that the item may belong to. A re-extraction belongs to the page that its address
    leads to now. A visit makes a page of the address that answered."""
    keys = {item.key, item.asked_key}
    return keys if occasion.is_visit else keys | {known.aliases.get(item.key, item.key)}


def _needs_tables(earlier: Intent | None, item: Incoming) -> bool:
    """Returns whether an item may be a version of the page that an earlier item of the batch changed."""
    article = item.page.article
    if earlier is None or earlier.stores is None or article is None:
        return False
    was, now = earlier.stores, article
    same_label = (was.metadata.title, was.metadata.authors) == (now.metadata.title, now.metadata.authors)
    return earlier.kind == "new_version" or was.identity_key != now.identity_key or not same_label


def _write(connection: Connection, part: ItemBatch) -> list[Outcome]:
    """Writes the decisions. Returns the outcomes."""
    decided = part.decided
    seq = changes.newest(connection)
    new = text_rows.write_articles(connection, part)
    hit(MID_TRANSACTION)
    totals = site_totals.Recount(connection, page_rows.counted_before(part))
    page_rows.write_pages(connection, part)
    page_rows.merge_pages(connection, part)
    hit(MID_TRANSACTION)
    written = text_rows.write_versions(connection, part)
    capture_rows.replace_readings(connection, part)
    totals.write(page_rows.counted_after(part))
    page_rows.write_urls(connection, part)
    hit(MID_TRANSACTION)
    visit_effects.record_announced_visits(connection, part)
    announce(connection, part, written, {article.article_id for article in new})
    story_clusters.link(connection, new)
    replaced_stories.announce_replaced(connection, seq, part.latest, "corrected")
    hit(MID_TRANSACTION)
    _announce_older(connection, part, seq, written)
    first_pages.choose_changed(connection, seq, {*_claiming(part), *_with_other_addresses(part)}, part.latest)
    visit_effects.write_review_queue(connection, part)
    capture_rows.write_captures(connection, part)
    pending.seen_since(connection, _seen_since(part))
    events.record_all(connection, [event for _, intent in decided for event in intent.events])
    outcomes = [_outcome(part, intent) for _, intent in decided]
    visit_effects.count_first_visits(connection, part, outcomes)
    return outcomes


def _announce_older(connection: Connection, part: ItemBatch, seq: int, written: Iterable[tuple[int, int]]) -> None:
    """Announces in the feed the articles whose page now has an older version of the same story: the page showed the
    story earlier than was known."""
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
    announced = changes.articles_after(connection, seq)
    changes.append_seen(connection, dict.fromkeys(sorted(same - announced), Cause("metadata")), part.latest)


def _with_other_addresses(part: ItemBatch) -> Iterator[int]:
    """Yields the articles of pages to which an address leads now or led before: the canonical link of another page may
    name that address."""
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


def _replaced(part: ItemBatch) -> Iterator[tuple[int, int]]:
    """Yields pairs of ids: a replaced article, and the article that replaces it."""
    for _, intent in part.decided:
        replaced = intent.instead_of.article_id if intent.instead_of is not None else None
        other = part.article_id(intent)
        if replaced is not None and intent.stores is not None and other is not None and replaced != other:
            yield replaced, other


def _outcome(part: ItemBatch, intent: Intent) -> Outcome:
    identity = intent.page.identity
    article_id = part.known.articles.get(identity) if identity is not None else None
    return Outcome(intent.kind, part.page_ids.get(part.page_key(intent)), article_id, intent.reason, intent.first)
