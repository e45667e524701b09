"""Carrying out the intents of a batch: few statements, in one transaction that the caller holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, select, update

from newscrawl.failpoints import MID_TRANSACTION, hit
from newscrawl.model import Article, ProcessedPage
from newscrawl.storage import events
from newscrawl.storage.articles import credible_times, headlines
from newscrawl.storage.articles.decide import decide
from newscrawl.storage.articles.known import Incoming, Intent, Known
from newscrawl.storage.articles.lookup import known_to_batch
from newscrawl.storage.articles.rows import Values, article_values, page_values, version_values
from newscrawl.storage.articles.versions import classify_again, load_past
from newscrawl.storage.captures import locations
from newscrawl.storage.duplicates import first_pages, story_clusters
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.announce import announce, article_of
from newscrawl.storage.frontier import announcements, patterns, site_days
from newscrawl.storage.frontier.former_keys import adopt_pages
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.records import GENERIC_SITE, Label, NextDue, Outcome, PageRow
from newscrawl.storage.removal import blocklist
from newscrawl.storage.tables.schema import articles, pages, urls, versions

Decided = list[tuple[Incoming, Intent]]
BARRED: Final = "forgotten for good: nothing of it is stored (newscrawl forget --block)"


@dataclass(frozen=True, slots=True)
class _Times:
    """When the batch is stored: visits are planned from `now` on, and stored times behind `limit` count as unknown."""

    now: datetime
    limit: datetime | None


def save_batch(
    connection: Connection,
    batch: Sequence[Incoming],
    next_due: NextDue,
    now: datetime | None = None,
    clock: datetime | None = None,
) -> list[Outcome]:
    """Looks up, decides and writes the batch; one outcome an item, in order. A page was read at its `fetched_at`.

    No visit is planned before `now`. Stored times later than `now` and `clock` do not count (credible.py). Without
    `now` all of them count.
    """
    barred = _barred(connection, batch)
    allowed = [item for number, item in enumerate(batch) if number not in barred]
    times = None if now is None else _Times(now, credible_times.horizon(connection, max(now, clock or now)))
    outcomes: list[Outcome] = []
    while len(outcomes) < len(allowed):
        outcomes += _save_together(connection, allowed[len(outcomes) :], next_due, times)
    stored = iter(outcomes)
    return [Outcome("failed", reason=BARRED) if number in barred else next(stored) for number in range(len(batch))]


def _barred(connection: Connection, batch: Sequence[Incoming]) -> set[int]:
    """The places in the batch of pages that were forgotten for good."""
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


def _save_together(
    connection: Connection, batch: Sequence[Incoming], next_due: NextDue, times: _Times | None
) -> list[Outcome]:
    """Writes as many of the items as can be written at once, which is nearly always all; returns their outcomes."""
    seq = changes.newest(connection)
    adopt_pages(connection, {url for item in batch for url in (item.page.raw.final_url, item.page.raw.url)})
    known = known_to_batch(connection, batch)
    before = dict(known.pages)
    load_past(connection, known, batch)
    credible_times.credible(known, times.limit if times else None, min(item.page.raw.fetched_at for item in batch))
    decided = _decide_together(known, batch, next_due, times)
    new = _write_articles(connection, known, decided)
    hit(MID_TRANSACTION)
    ids = _write_pages(connection, known, decided, before)
    _merge(connection, known, decided, before, ids)
    hit(MID_TRANSACTION)
    written = _write_versions(connection, known, decided, ids, times)
    _write_urls(connection, known, decided, ids)
    hit(MID_TRANSACTION)
    announcements.settle(connection, _visited(decided, before))
    announce(connection, known, decided, before, written)
    story_clusters.link(connection, new)
    hit(MID_TRANSACTION)
    now = max(item.page.raw.fetched_at for item in batch)
    first_pages.choose_changed(connection, seq, _claiming(known, before), now)
    _hold(connection, known, decided, times)
    locations.record(connection, [item.page for item, _ in decided], known.articles)
    events.record_all(connection, [event for _, intent in decided for event in intent.events])
    outcomes = [_outcome(known, intent, ids) for _, intent in decided]
    _count_first_visits(connection, decided, before, outcomes)
    return outcomes


def _count_first_visits(
    connection: Connection, decided: Decided, before: dict[str, PageRow], outcomes: Sequence[Outcome]
) -> None:
    """What the announced pages brought, for the patterns of their addresses and the days of their sites; a held page
    says nothing yet."""
    visits = []
    for (item, _), outcome in zip(decided, outcomes, strict=True):
        asked = before.get(item.asked_key)
        if asked is not None and asked.state == "found" and outcome.kind != "held":
            visits.append(patterns.Visit(asked.site, asked.url, outcome.kind == "inserted"))
    if visits:
        now = max(item.page.raw.fetched_at for item, _ in decided)
        patterns.record(connection, visits, now)
        brought = Counter(one.site for one in visits if one.is_fruitful and one.site != GENERIC_SITE)
        site_days.count_articles(connection, brought, now)


def _decide_together(known: Known, batch: Sequence[Incoming], next_due: NextDue, times: _Times | None) -> Decided:
    """Decides the items in order, and stops before one that concerns a page which an earlier one dissolved or gave
    a version: whether it is a page again, and what its versions are, only the tables can tell."""
    decided: Decided = []
    dissolved: set[str] = set()
    showing: dict[str, Intent] = {}
    for item in batch:
        if dissolved & item.keys or any(_needs_tables(showing.get(key), item) for key in (item.key, item.asked_key)):
            break
        intent = decide(known, item, item.page.raw.fetched_at, next_due)
        if times is not None:
            intent = _planned_ahead(known, intent, next_due, times.now)
        known.learn(intent)
        decided.append((item, intent))
        if intent.merged is not None:
            dissolved.add(intent.merged)
        if intent.stores is not None:
            showing[intent.page.url_key] = intent
    return decided


def _planned_ahead(known: Known, intent: Intent, next_due: NextDue, now: datetime) -> Intent:
    """The intent with no visit planned in the past: what was read a year ago is planned as if it were known now."""
    article = intent.stores
    published = article.metadata.published.when if article is not None and article.metadata.published else None

    def planned(page: PageRow) -> PageRow:
        stored = known.pages.get(page.url_key)
        if page.next_due is None or page.next_due >= now or (stored is not None and stored.next_due == page.next_due):
            return page
        if page.state != "fetched":
            return replace(page, next_due=now)
        due = next_due(page.first_seen, published, page.last_change, now, page.visits, page.edits)
        return replace(page, next_due=due)

    return replace(intent, page=planned(intent.page), others=tuple(map(planned, intent.others)))


def _needs_tables(earlier: Intent | None, item: Incoming) -> bool:
    """Whether an item that follows another of its page in a batch may be a version of it."""
    article = item.page.article
    if earlier is None or earlier.stores is None or article is None:
        return False
    was, now = earlier.stores, article
    one_label = (was.metadata.title, was.metadata.authors) == (now.metadata.title, now.metadata.authors)
    return earlier.kind == "new_version" or was.identity_key != now.identity_key or not one_label


def _claiming(known: Known, before: dict[str, PageRow]) -> Iterator[int]:
    """The articles of stored pages whose canonicals name another page than before."""
    for key, page in known.pages.items():
        old = before.get(key)
        number = article_of(known, page)
        if number is not None and old is not None and old.claimed_key != page.claimed_key:
            yield number


def _write_articles(connection: Connection, known: Known, decided: Decided) -> list[story_clusters.New]:
    """Inserts the texts that are new, and completes `known.articles` with their ids."""
    rows: dict[str, Values] = {}
    texts: dict[str, tuple[Article, datetime]] = {}
    for item, intent in decided:
        article = intent.stores
        if article is not None and article.identity_key is not None and known.articles[article.identity_key] is None:
            rows.setdefault(article.identity_key, article_values(article, item.page.raw.fetched_at))
            texts.setdefault(article.identity_key, (article, item.page.raw.fetched_at))
    returning = [articles.c.identity_key, articles.c.id]
    # The no-op change makes a row that another writer has just inserted come back with its id.
    same = {"identity_key": _stored}
    stored = upsert(connection, articles, ["identity_key"], list(rows.values()), same, returning)
    known.articles.update((row.identity_key, row.id) for row in stored)
    new = [(row.id, *texts[row.identity_key]) for row in stored]
    return [
        story_clusters.New(number, article.text, article.signature, at, article.content_hash or "")
        for number, article, at in new
    ]


def _write_pages(connection: Connection, known: Known, decided: Decided, before: dict[str, PageRow]) -> dict[str, int]:
    """Writes every page the batch changed, as it is after the last item; returns ids by URL key."""
    changed = dict.fromkeys(page.url_key for _, intent in decided for page in (intent.page, *intent.others))
    final = [credible_times.as_stored(known.pages[key], before.get(key)) for key in changed if key in known.pages]
    if not final:
        return {}
    rows = [page_values(page, article_of(known, page)) for page in final]
    written: dict[str, Any] = {name: _incoming for name in rows[0] if name != "url_key"}
    written["site"] = _owner
    written["first_seen"] = _earlier
    returning = [pages.c.url_key, pages.c.id]
    return {row.url_key: row.id for row in upsert(connection, pages, ["url_key"], rows, written, returning)}


def _merge(
    connection: Connection, known: Known, decided: Decided, before: dict[str, PageRow], ids: dict[str, int]
) -> None:
    """Dissolves stored pages that turned out to be others: addresses and versions move, the row goes."""
    for _, intent in decided:
        old = before.get(intent.merged) if intent.merged is not None else None
        if old is not None and old.id is not None:
            _dissolve(connection, old.id, ids[_resolved(known, intent.page.url_key)])


def _dissolve(connection: Connection, old: int, new: int) -> None:
    """Gives one page's addresses and versions to another. A version both have has been seen since the earlier date."""
    both = versions.alias()
    same = and_(both.c.page_id.in_([old, new]), both.c.article_id == versions.c.article_id)
    earliest = select(func.min(both.c.seen_at)).where(same).scalar_subquery()
    connection.execute(update(versions).where(versions.c.page_id == new).values(seen_at=earliest))
    shown = select(both.c.article_id).where(both.c.page_id == new)
    connection.execute(delete(versions).where(versions.c.page_id == old, versions.c.article_id.in_(shown)))
    connection.execute(update(versions).where(versions.c.page_id == old).values(page_id=new))
    connection.execute(update(urls).where(urls.c.page_id == old).values(page_id=new))
    headlines.move(connection, old, new)
    connection.execute(delete(pages).where(pages.c.id == old))


def _write_versions(
    connection: Connection, known: Known, decided: Decided, ids: dict[str, int], times: _Times | None
) -> dict[tuple[int, int], Values]:
    """Writes what the pages said; returns the rows by page and article."""
    rows: dict[tuple[int, int], Values] = {}
    for item, intent in decided:
        if intent.stores is None or intent.stores.identity_key is None:
            continue
        page_id, article_id = ids[_resolved(known, intent.page.url_key)], known.articles[intent.stores.identity_key]
        if article_id is None:
            raise LookupError(f"article {intent.stores.identity_key} was not written")
        values = version_values(intent.stores, page_id, article_id, intent.change_class, item.page.raw.fetched_at)
        rows[page_id, article_id] = _richer(rows.get((page_id, article_id)), values)
    written = {column.name: _richer_column for column in versions.c if column.name not in _VERSION_KEEPS}
    written |= {"seen_at": _earlier, "last_seen": _later}
    if times is not None:
        read = {place: values["seen_at"] for place, values in rows.items()}
        texts = {article_id: values["seen_at"] for (_, article_id), values in sorted(rows.items())}
        credible_times.take_place(connection, read, known.shown, texts, times.limit)
    upsert(connection, versions, ["page_id", "article_id"], list(rows.values()), written)
    _write_labels(connection, known, decided, ids)
    classify_again(connection, {ids[_resolved(known, intent.page.url_key)] for _, intent in decided if intent.late})
    return rows


def _write_labels(connection: Connection, known: Known, decided: Decided, ids: dict[str, int]) -> None:
    found: list[tuple[int, int, Label]] = []
    for _, intent in decided:
        article_id = article_of(known, intent.page)
        if article_id is not None:
            page_id = ids[_resolved(known, intent.page.url_key)]
            found += [(page_id, article_id, label) for label in intent.labels]
    headlines.write(connection, found)


_VERSION_KEEPS = frozenset({"id", "page_id", "article_id", "change_class"})


def _richer(one: Values | None, other: Values) -> Values:
    """Two readings of one version in one batch: the one of the later fetch, where it says anything."""
    if one is None:
        return other
    earlier, later = (one, other) if one["last_seen"] <= other["last_seen"] else (other, one)
    merged = {name: value if value is not None else earlier[name] for name, value in later.items()}
    return merged | {"seen_at": min(one["seen_at"], other["seen_at"]), "change_class": one["change_class"]}


def _richer_column(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    """As `_richer`, between the stored row and the incoming one; all names are those of one column."""
    is_later = _last_seen(incoming) >= versions.c.last_seen
    return case((is_later, func.coalesce(incoming, stored)), else_=func.coalesce(stored, incoming))


def _last_seen(incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return incoming.table.c.last_seen  # type: ignore[no-any-return]


def _earlier(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((incoming < stored, incoming), else_=stored)


def _later(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((incoming > stored, incoming), else_=stored)


def _stored(stored: ColumnElement[Any], _incoming: object) -> ColumnElement[Any]:
    return stored


def _incoming(_stored: object, incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return incoming


def _owner(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    """`records.owner` for a row that another writer has just inserted."""
    return case((stored == GENERIC_SITE, incoming), else_=stored)


def _write_urls(connection: Connection, known: Known, decided: Decided, ids: dict[str, int]) -> None:
    rows = {}
    for _, intent in decided:
        for key, url in intent.urls:
            page_key = known.aliases[key]
            if page_key in ids:
                rows[key] = {"url_key": key, "url": url, "page_id": ids[page_key]}
    pointing = {"page_id": _incoming}  # the first spelling stays
    upsert(connection, urls, ["url_key"], list(rows.values()), pointing)


def _hold(connection: Connection, known: Known, decided: Decided, times: _Times | None) -> None:
    """Keeps apart what is held back, and lets go what was held of pages that were read and believed since."""
    kept: dict[str, tuple[str, ProcessedPage]] = {}
    believed: dict[str, datetime] = {}
    for item, intent in decided:
        page_key, at = _resolved(known, intent.page.url_key), item.page.raw.fetched_at
        if intent.kind == "held":
            kept[page_key] = (item.key, item.page)
        elif intent.kind != "failed":
            for key in {page_key, item.key, item.asked_key}:
                kept.pop(key, None)
                believed[key] = max(at, believed.get(key, at))
    review_queue.drop(connection, believed, times.limit if times else None)
    review_queue.keep(connection, kept)


def _visited(decided: Decided, before: dict[str, PageRow]) -> dict[int, tuple[datetime, bool | None]]:
    """What the visits of stored pages found, for announcements.settle: an edit, nothing new, or nothing readable."""
    found: dict[int, tuple[datetime, bool | None]] = {}
    for item, intent in decided:
        old, page = before.get(intent.page.url_key), intent.page
        if old is None or old.id is None:
            continue
        is_edit = page.edits > old.edits or page.identity != old.identity
        is_read = intent.kind not in {"failed", "held"}
        found[old.id] = item.page.raw.fetched_at, True if page.state == "gone" else is_edit if is_read else None
    return found


def _outcome(known: Known, intent: Intent, ids: dict[str, int]) -> Outcome:
    key = _resolved(known, intent.page.url_key)
    identity = intent.page.identity
    article_id = known.articles.get(identity) if identity is not None else None
    return Outcome(intent.kind, ids.get(key), article_id, intent.reason, intent.first)


def _resolved(known: Known, key: str) -> str:
    """The page's key after all merges of the batch."""
    return key if key in known.pages else known.aliases[key]
